package crosscheck

import (
	"slices"
	"strings"

	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// own writes what package syntax has read.
type own struct{ writer }

// ownOutline outlines a file; the error is the first thing that does not parse.
func ownOutline(f *syntax.File) (*outline, *diag.Error) {
	o := &own{writer{out: &outline{names: map[string]bool{}}}}
	var bad *diag.Error
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *syntax.BadDecl:
			bad = first(bad, d.Err)
		case *syntax.Function:
			if d.Body != nil {
				d.Body.Parse()
				bad = first(bad, d.Body.Err)
			}
			o.function(d)
		default:
			name := ""
			if v, ok := d.(*syntax.Vars); ok && len(v.Decls) > 0 {
				name = v.Decls[0].Decl.Ident()
			}
			o.declaration(d)
			o.finish(d.DeclPos(), name, false)
		}
	}
	return o.out, bad
}

func first(a, b *diag.Error) *diag.Error {
	if a != nil {
		return a
	}
	return b
}

func (o *own) function(d *syntax.Function) {
	s := o.specs(d.Specs)
	o.line(d.Decl.Pos, s.storage, o.declared(s, d.Decl))
	if d.Body != nil {
		o.block(d.Body)
	}
	o.finish(d.Decl.Pos, d.Decl.Ident(), d.Body != nil)
}

// declaration writes a line for each name that is declared, behind the types that are defined with it.
func (o *own) declaration(d syntax.Decl) {
	switch d := d.(type) {
	case *syntax.Vars:
		s := o.specs(d.Specs)
		for _, v := range d.Decls {
			text := o.declared(s, v.Decl)
			if v.Decl.Bits != nil {
				text += " : " + o.text(v.Decl.Bits)
			}
			switch {
			case v.Init.Expr != nil:
				text += " = " + o.text(v.Init.Expr)
			case v.Init.List != nil:
				text += " = " + o.text(v.Init.List)
			}
			o.line(v.Decl.Pos, s.storage, text)
		}
	case *syntax.Function:
		o.function(d)
	case *syntax.StaticAssert:
		o.line(d.Pos, "static_assert ", o.text(d.X))
	default:
		o.line(d.DeclPos(), "another declaration")
	}
}

// specs writes the types that are defined, and reads the rest.
func (o *own) specs(s *syntax.Specifiers) *specs {
	out := &specs{quals: ownQuals(s.Quals)}
	for _, f := range []struct {
		on   bool
		text string
	}{{s.Typedef, "typedef "}, {s.Extern, "extern "}, {s.Static, "static "}} {
		if f.on {
			out.storage += f.text
		}
	}
	switch t := s.Type.(type) {
	case *syntax.Builtin:
		out.words = slices.Clone(t.Words)
	case *syntax.NamedType:
		out.named = strings.TrimSpace(t.Tag + " " + t.Name.Simple())
	case *syntax.Class:
		out.named = t.Key
		if t.Name != nil {
			out.named += " " + t.Name.Simple()
		}
		if t.Define {
			o.line(t.Pos, out.named, " {")
			o.inside(func() {
				for _, d := range t.Body {
					o.declaration(d)
				}
			})
		} else {
			o.line(t.Pos, out.named)
		}
	case *syntax.Enum:
		o.enum(t, out)
	case *syntax.Decltype:
		out.named = "typeof(" + o.typeOrExpr(t.Type, t.X) + ")"
	case *syntax.Auto:
		out.named = "auto"
	}
	return out
}

func (o *own) enum(t *syntax.Enum, out *specs) {
	out.named = "enum"
	if t.Name != nil {
		out.named += " " + t.Name.Simple()
	}
	if !t.Define {
		return
	}
	o.line(t.Pos, out.named, " {")
	o.inside(func() {
		for _, v := range t.Values {
			text := v.Ident
			if v.Value != nil {
				text += " = " + o.text(v.Value)
			}
			o.line(v.Pos, text)
		}
	})
}

func ownQuals(q syntax.Quals) quals {
	return quals{q.Const, q.Volatile, q.Restrict, max(0, slices.Index(spaceNames, q.Space)), q.Access}
}

// declared is a declarator behind its type, from the name outwards: "a [4] *const : int".
func (o *own) declared(s *specs, d *syntax.Declarator) string {
	var b strings.Builder
	o.out.names[d.Ident()] = true
	b.WriteString(d.Ident())
	o.operators(&b, d.Ops)
	b.WriteString(" : " + s.String())
	return b.String()
}

func (o *own) operators(b *strings.Builder, ops []syntax.DeclOp) {
	for _, op := range ops {
		switch op := op.(type) {
		case *syntax.PointerOp:
			b.WriteString(" *" + ownQuals(op.Quals).String())
		case *syntax.ArrayOp:
			b.WriteString(" [")
			if op.Size != nil {
				o.expr(b, op.Size)
			}
			b.WriteString("]")
		case *syntax.FuncOp:
			b.WriteString(" (")
			for i, p := range op.Params {
				if i > 0 {
					b.WriteString(", ")
				}
				b.WriteString(o.declared(o.specs(p.Specs), p.Decl))
			}
			if op.Variadic {
				b.WriteString(", ...")
			}
			b.WriteString(")")
		default:
			b.WriteString(" ?")
		}
	}
}

func (o *own) typeName(t *syntax.TypeID) string { return o.declared(o.specs(t.Specs), t.Decl) }

func (o *own) typeOrExpr(t *syntax.TypeID, x syntax.Expr) string {
	if t != nil {
		return o.typeName(t)
	}
	return o.text(x)
}
