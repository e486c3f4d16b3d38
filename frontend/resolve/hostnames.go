package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/launches"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// hostNames tells package launches what the names of host code mean.
type hostNames struct{ c *checker }

// at reads something where host code stands; ok is false where it is not understood.
func (h hostNames) at(p launches.Place, read func() bool) (ok bool) {
	ok, errs := h.errorsAt(p, read)
	return ok && len(errs) == 0
}

func (h hostNames) errorsAt(p launches.Place, read func() bool) (ok bool, errs diag.List) {
	c := h.c
	saved := c.context
	defer func() { c.context = saved }()
	c.context = context{scope: c.hostScope(p), errs: saved.errs}
	errs = c.quietly(func() { ok = read() })
	return ok, errs
}

// hostScope is the scope of a place in host code.
func (c *checker) hostScope(p launches.Place) *scope {
	s := c.file
	for _, name := range p.Space {
		sym := s.names[name]
		switch {
		case sym == nil:
		case sym.kind == symNamespace:
			s = sym.space
		case sym.kind == symType && c.classes[sym.typ.Type] != nil:
			s = c.classes[sym.typ.Type].scope
		}
	}
	s = &scope{kind: blockScope, up: s}
	for _, l := range p.Locals {
		sym := &symbol{name: l.Name}
		arg, known := l.Arg.(templateArg)
		switch {
		case l.Using != nil:
			leave := c.inside(s)
			if used := c.insideOf(c.lookupQuietly(l.Using)); used != nil {
				s.uses = append(s.uses, used)
			}
			leave()
			continue
		case known:
			sym = symbolOfArg(l.Name, diag.Pos{}, arg)
		case l.Param:
			sym.kind, sym.typ = symType, plain(&ctypes.Type{})
		case l.Value != nil:
			sym.kind, sym.value = symValue, l.Value
		case l.Type != nil:
			sym.kind, sym.obj = symObject, &ast.Object{Name: l.Name, Type: l.Type}
		}
		s.declare(sym)
	}
	return s
}

// Type implements launches.Names.
func (h hostNames) Type(at launches.Place, s *syntax.Specifiers, d *syntax.Declarator) (t *ctypes.Type) {
	ok := h.at(at, func() bool {
		q := h.c.specified(s)
		if d != nil && q.Type != nil && q.Kind != 0 {
			q = h.c.declared(d.Ops, q, d.Pos)
		}
		if q.Type == nil || q.Kind == 0 || hasAuto(q.Type) {
			return false
		}
		t = q.Type
		return true
	})
	if !ok {
		return nil
	}
	return t
}

// TypeOf implements launches.Names.
func (h hostNames) TypeOf(at launches.Place, x syntax.Expr) (t *ctypes.Type) {
	ok := h.at(at, func() bool {
		e := h.c.hostArgument(x)
		if e == nil {
			return false
		}
		t = e.Type()
		return t != nil && t.Kind != 0
	})
	if !ok {
		return nil
	}
	return t
}

// Argument implements launches.Names.
func (h hostNames) Argument(at launches.Place, a *syntax.TemplateArg) any {
	var args templateArgs
	if !h.at(at, func() (ok bool) { args, ok = h.c.templateArguments([]syntax.TemplateArg{*a}); return ok }) {
		return nil
	}
	if a.Pack {
		return templateArg{kind: argPack, pack: args}
	}
	return args[0]
}

// TypeArgument implements launches.Names.
func (h hostNames) TypeArgument(t *ctypes.Type) any {
	return templateArg{kind: argType, typ: plain(t)}
}

// Number implements launches.Names.
func (h hostNames) Number(v ctypes.Value) any { return templateArg{kind: argValue, value: &v} }

// Value implements launches.Names.
func (h hostNames) Value(arg any) (ctypes.Value, bool) {
	if a, ok := arg.(templateArg); ok && a.kind == argValue {
		return *a.value, true
	}
	return ctypes.Value{}, false
}

// Constant implements launches.Names.
func (h hostNames) Constant(at launches.Place, x syntax.Expr) (v ctypes.Value, ok bool) {
	ok = h.at(at, func() bool {
		lit, is := h.c.evaluated(h.c.constantExpr(x)).(*ast.Literal)
		if !is || !lit.T.IsScalar() {
			return false
		}
		v = lit.Value
		v.Type = lit.T
		return true
	})
	return v, ok
}

// Deduce implements launches.Names.
func (h hostNames) Deduce(at launches.Place, params []*syntax.TemplateParam, of []*syntax.Param, given []any,
	args []syntax.Expr) []any {
	out := make([]any, len(params))
	h.at(at, func() bool {
		d := h.c.newDeduction(&templateParams{list: params, in: h.c.hostScope(launches.Place{Space: at.Space})})
		copy(d.args, gathered(params, given))
		h.c.deduceFrom(d, of, args)
		for i, a := range d.args {
			if a.kind != argNone {
				out[i] = a
			}
		}
		return true
	})
	return out
}

// gathered are the given arguments by parameter: a pack is expanded, and those of a pack are one.
func gathered(params []*syntax.TemplateParam, given []any) (args templateArgs) {
	var list templateArgs
	for _, g := range given {
		if a, _ := g.(templateArg); a.kind == argPack {
			list = append(list, a.pack...)
		} else {
			list = append(list, a)
		}
	}
	for i := 0; i < min(len(params), len(list)); i++ {
		if params[i].Pack {
			if rest := list[i:]; !slices.ContainsFunc(rest, func(a templateArg) bool { return a.kind == argNone }) {
				return append(args, templateArg{kind: argPack, pack: rest})
			}
			return args
		}
		args = append(args, list[i])
	}
	return args
}

// deduceFrom deduces what those arguments of a call say whose types are understood.
func (c *checker) deduceFrom(d *deduction, of []*syntax.Param, args []syntax.Expr) {
	for i, p := range of {
		if p.Decl.Pack {
			c.deducePack(d, p, args[min(i, len(args)):])
			return
		}
		if i >= len(args) {
			return
		}
		before := append(templateArgs{}, d.args...)
		if e := c.hostArgument(args[i]); e == nil || !d.argument(p, e) {
			d.args = before
		}
	}
}

// deducePack deduces the template's packs from a pack of parameters, which says nothing where one of its types is not
// understood.
func (c *checker) deducePack(d *deduction, p *syntax.Param, args []syntax.Expr) {
	before := slices.Clone(d.args)
	defer func() { d.element = -1 }()
	for d.element = 0; d.element < len(args); d.element++ {
		if e := c.hostArgument(args[d.element]); e == nil || !d.argument(p, e) {
			d.args = before
			return
		}
	}
	d.emptyPacks(p)
}

// hostArgument is an argument of a call in host code, nil where its type is not understood. Of a cast the type is,
// whatever is cast.
func (c *checker) hostArgument(x syntax.Expr) (e ast.Expr) {
	errs := c.quietly(func() { e = c.expr(x) })
	if len(errs) == 0 && !isInvalid(e) {
		return e
	}
	var t *syntax.TypeID
	switch x := x.(type) {
	case *syntax.Paren:
		return c.hostArgument(x.X)
	case *syntax.CastExpr:
		t = x.Type
	case *syntax.NamedCast:
		t = x.Type
	}
	if t == nil {
		return nil
	}
	var q qtype
	if errs := c.quietly(func() { q = c.typeID(t) }); len(errs) > 0 || q.Type == nil || q.Kind == 0 {
		return nil
	}
	return c.probe(q)
}
