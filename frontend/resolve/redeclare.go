package resolve

import (
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Declarations and definitions of one function.

// addFunction adds a function to those of its name; a declaration and the definition are one.
func (c *checker) addFunction(in *scope, f *function) *function {
	sym := in.names[f.name]
	if sym == nil || sym.kind != symFunction {
		sym = &symbol{kind: symFunction, name: f.name, pos: f.pos, seq: f.seq, in: in}
		if !(in.names[f.name] != nil && in.names[f.name].kind == symObject) {
			in.declare(sym)
		}
	}
	for _, g := range sym.funcs {
		if g.class == f.class && (g.in == f.in || f.class != nil) && c.sameDeclaration(g, f) {
			c.define(g, f)
			return g
		}
	}
	c.conflict(sym, f, in, f.pos)
	sym.funcs = append(sym.funcs, f)
	c.funcs = append(c.funcs, f)
	return f
}

// conflict reports that a namespace declares a function of the same type as one that a using-declaration adds to it.
func (c *checker) conflict(sym *symbol, f *function, in *scope, pos diag.Pos) {
	for _, g := range sym.funcs {
		if in.isNamespace() && (g.in == in) != (f.in == in) && !c.isLibrary(g.pos) && !c.isLibrary(f.pos) &&
			c.sameDeclaration(g, f) &&
			(f.params == nil || c.sameParameters(g, f)) {
			sym.errs.Add(diag.Errorf(pos, codeDeclare,
				"%s is declared twice in one namespace: as the one at %v and that at %v",
				sym.name, g.pos, f.pos))
		}
	}
}

// sameParameters compares the types of two templates with as many parameters, for the same arguments.
func (c *checker) sameParameters(a, b *function) bool {
	t := c.canonical(a)
	return t != nil && t == c.canonical(b)
}

// canonical is the type of a function template for arguments that stand for its parameters by number, nil where they
// do not make one: it is that of every declaration of the template, whatever names its parameters have
// ([temp.over.link]), and without the qualifiers at the top of the function's own ([dcl.fct]).
func (c *checker) canonical(f *function) *ctypes.Type {
	if f.canonical != nil {
		return *f.canonical
	}
	var args templateArgs
	for i, p := range f.params.list {
		key := syntax.Source(p.Template) + strconv.Itoa(i) + map[bool]string{true: "type"}[p.Type]
		a, known := c.standIns[key]
		if !known {
			a = c.inventedArg(p, i)
			c.standIns[key] = a
		}
		if p.Pack {
			a = templateArg{kind: argPack, pack: []templateArg{a}}
		}
		args = append(args, a)
	}
	var t *ctypes.Type
	errs := c.quietlyIn(c.bind(f.params, args, f.params.in, 0), func() {
		result := c.specified(f.decl.Specs)
		if ops := f.decl.Decl.Ops; len(ops) > 0 {
			result = c.declared(ops[1:], result, f.pos)
		}
		t = c.functionType(functionOp(f.decl.Decl), result).Type
	})
	if len(errs) > 0 {
		t = nil
	}
	f.canonical = &t
	return t
}

// define gives a function that was declared its definition.
func (c *checker) define(g, f *function) {
	g.isKernel, g.isConstexpr = g.isKernel || f.isKernel, g.isConstexpr || f.isConstexpr
	if f.body == nil {
		g.extra = append(g.extra, f.decl)
		return
	}
	if g.body != nil {
		if !g.twice {
			g.twice = true
			g.bodyErrs.Add(diag.Errorf(f.pos, codeDeclare, "%s is defined twice; the first time at %v", f.name, g.pos))
		}
		return
	}
	g.extra = append(g.extra, g.decl)
	g.body, g.pos, g.defSeq = f.body, f.pos, f.seq
	g.decl, g.sources = f.decl, nil
	if g.state == read { // its parameters have other names
		g.state, g.sig = unread, nil
	}
	if g.params != nil && f.params != nil {
		f.params.inherit(g.params)
		g.params = f.params
	}
}

// sameDeclaration reports whether two declarations are written for one function.
func (c *checker) sameDeclaration(a, b *function) bool {
	if (a.params == nil) != (b.params == nil) || a.isConst != b.isConst ||
		a.isVolatile != b.isVolatile || a.kind != b.kind ||
		a.refQualifier != b.refQualifier {
		return false
	}
	x, y := functionOp(a.decl.Decl), functionOp(b.decl.Decl)
	if len(x.Params) != len(y.Params) {
		return false
	}
	constrained := a.params != nil || x.Requires != nil || y.Requires != nil
	if constrained && constraintSource(a) != constraintSource(b) {
		return false
	}
	if a.params != nil {
		switch {
		case len(a.params.list) != len(b.params.list) || !sameKinds(a.params.list, b.params.list):
			return false
		case !sameNames(a.params.list, b.params.list) || a.kind == ordinary && resultSource(a) != resultSource(b):
			return c.sameParameters(a, b)
		}
	}
	if c.cfg.Dialect == ast.OpenCL && !a.overloadable && !b.overloadable {
		return true
	}
	switch {
	case a.paramSources() == b.paramSources():
		return true
	case a.params == nil:
		return c.sameSignature(a, b)
	}
	return c.sameParameters(a, b)
}

// constraintSource is what constrains a function as written.
func constraintSource(f *function) (s string) {
	if f.params != nil {
		for _, p := range f.params.list {
			s += syntax.Source(p.Constraint)
		}
		s += syntax.Source(f.params.requires)
	}
	return s + syntax.Source(functionOp(f.decl.Decl).Requires)
}

// resultSource is the type of a function's result as written.
func resultSource(f *function) string {
	s := syntax.Source(f.decl.Specs.Type)
	if len(f.decl.Decl.Ops) > 0 {
		s += syntax.Source(f.decl.Decl.Ops[1:])
	}
	return s + syntax.Source(functionOp(f.decl.Decl).Result)
}

// sameKinds reports whether template parameters are alike but for defaults and names.
func sameKinds(a, b []*syntax.TemplateParam) bool {
	for i := range a {
		if a[i].Type != b[i].Type || a[i].Pack != b[i].Pack || (a[i].Template == nil) != (b[i].Template == nil) {
			return false
		}
		if !a[i].Type && a[i].Template == nil && syntax.Source(a[i].Specs) != syntax.Source(b[i].Specs) {
			return false
		}
	}
	return true
}

// sameNames reports whether template parameters have the same names.
func sameNames(a, b []*syntax.TemplateParam) bool {
	return slices.EqualFunc(a, b, func(p, q *syntax.TemplateParam) bool { return p.Ident == q.Ident })
}

// paramSources are the parameters as written, without their names and defaults.
func (f *function) paramSources() string {
	if f.sources == nil {
		var all strings.Builder
		for _, p := range functionOp(f.decl.Decl).Params {
			all.WriteString(syntax.Source(p.Specs))
			for _, op := range p.Decl.Ops {
				all.WriteString(syntax.Source(op))
			}
			all.WriteByte(0)
		}
		s := all.String()
		f.sources = &s
	}
	return *f.sources
}

// sameSignature compares the types of the parameters.
func (c *checker) sameSignature(a, b *function) bool {
	if a.state == read && b.state == read { // as of most pairs of a large overload set
		return a.sig != nil && b.sig != nil && a.sig.sameParams(b.sig)
	}
	var x, y *signature
	errs := c.quietly(func() { x, y = c.signatureOf(a), c.signatureOf(b) })
	return len(errs) == 0 && x != nil && y != nil && x.sameParams(y)
}

// sameParams compares the types of parameters.
func (s *signature) sameParams(t *signature) bool {
	return slices.EqualFunc(s.params, t.params, func(p, q param) bool {
		return sameQual(p.typ.topless(),
			q.typ.topless())
	})
}

// topless is a type without the qualifiers at its top, which make no other function.
func (t qtype) topless() qtype {
	if t.ref == noRef {
		return plain(t.Type)
	}
	return t
}
