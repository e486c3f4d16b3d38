package syntax

import (
	"fmt"
	"strings"
)

// String is a name as written, without template arguments.
func (n *Name) String() string {
	var b strings.Builder
	if n.Global {
		b.WriteString("::")
	}
	for i, p := range n.Parts {
		if i > 0 {
			b.WriteString("::")
		}
		if p.Destroys {
			b.WriteByte('~')
		}
		b.WriteString(p.Ident)
		if p.Convert != nil {
			b.WriteString("operator T")
		}
	}
	return b.String()
}

// Mentions reports whether a name occurs below x.
func Mentions(x any, ident string) (found bool) {
	Visit(x, func(n any) bool {
		switch n := n.(type) {
		case *Name:
			if !n.Global && len(n.Parts) > 0 && n.Parts[0].Ident == ident {
				found = true
			}
		case *SizeOf:
			if n.Pack == ident {
				found = true
			}
		}
		return !found
	})
	return found
}

// Source prints what a pattern consists of, which tells it from others.
func Source(x any) string {
	var b strings.Builder
	Visit(x, func(n any) bool {
		switch n := n.(type) {
		case *Name:
			b.WriteString(n.String())
			for _, p := range n.Parts {
				fmt.Fprint(&b, " ", len(p.Args))
			}
		case *Lit:
			b.WriteString(n.Text)
		case *Builtin:
			fmt.Fprint(&b, n.Words)
		case *Unary:
			b.WriteString(n.Op)
		case *Binary:
			b.WriteString(n.Op + "(")
		case *SizeOf:
			fmt.Fprint(&b, "sizeof", n.Align, n.Pack)
		case *TypeTrait:
			b.WriteString(n.Name)
		case *NamedCast:
			b.WriteString(n.Kind)
		case *CallExpr, *CastExpr, *Construct, *Cond, *IndexExpr, *Noexcept, *PackExpansion, *MemberPtrOp, *ArrayOp,
			*Decltype, *Fold:
			fmt.Fprintf(&b, "%T", n)
		case *TemplateArg:
			if n.Pack {
				b.WriteString("...")
			}
		case *PointerOp:
			b.WriteString("*" + n.Quals.source())
		case *RefOp:
			fmt.Fprint(&b, "&", n.Rvalue)
		case *FuncOp:
			fmt.Fprint(&b, "()", len(n.Params), n.Variadic, n.Const, n.Volatile, n.Ref)
		case *Specifiers:
			b.WriteString(n.Quals.source())
		}
		b.WriteByte(' ')
		return true
	})
	return b.String()
}

func (q Quals) source() (s string) {
	if q.Const {
		s = " const"
	}
	if q.Volatile {
		s += " volatile"
	}
	return s
}

// Written is the type of a parameter as the program writes it, for messages.
func (p *Param) Written() string { return writtenType(p.Specs, p.Decl.Ops) }

func writtenType(s *Specifiers, ops []DeclOp) string {
	t := "..."
	switch x := s.Type.(type) {
	case *Builtin:
		t = strings.Join(x.Words, " ")
	case *NamedType:
		t = writtenName(x.Name)
	case *Auto:
		t = "auto"
	}
	if s.Quals.Const {
		t = "const " + t
	}
	for i := len(ops) - 1; i >= 0; i-- {
		switch op := ops[i].(type) {
		case *PointerOp:
			t = strings.TrimSuffix(t, " ") + " *"
			if op.Quals.Const {
				t += "const "
			}
		case *RefOp:
			t += " &"
			if op.Rvalue {
				t += "&"
			}
		case *ArrayOp:
			t += "[]"
		default:
			t += " (...)"
		}
	}
	return strings.TrimSuffix(t, " ")
}

// writtenName is a name with the template arguments of its last part.
func writtenName(n *Name) string {
	last := n.Last()
	if !last.HasArgs {
		return n.String()
	}
	var args []string
	for _, a := range last.Args {
		one := "..."
		switch x := a.Expr.(type) {
		case *Ident:
			one = writtenName(x.Name)
		case *Lit:
			one = x.Text
		default:
			if a.Type != nil {
				one = writtenType(a.Type.Specs, a.Type.Decl.Ops)
			}
		}
		args = append(args, one)
	}
	return n.String() + "<" + strings.Join(args, ", ") + ">"
}
