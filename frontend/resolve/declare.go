package resolve

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// Declarations at namespace scope are entered first, in order, and read when something needs them: host code is never
// looked at.

// declareAll enters declarations into a namespace.
func (c *checker) declareAll(list []syntax.Decl, in *scope) {
	leave := c.inside(in)
	for _, d := range list {
		c.declareOne(d, in)
	}
	leave()
}

func (c *checker) declareOne(d syntax.Decl, in *scope) {
	c.seq++
	switch d := d.(type) {
	case *syntax.Vars:
		c.declareVars(d, in)
	case *syntax.Function:
		c.enterTags(d.Specs, in)
		c.declareFunction(d, nil, in)
	case *syntax.Template:
		c.declareTemplate(d, in)
	case *syntax.Instantiation:
		c.explicit = append(c.explicit, explicitInstance{d, in, c.seq})
	case *syntax.Namespace:
		c.declareNamespace(d, in)
	case *syntax.Using:
		c.declareUsing(d, in)
	case *syntax.Alias:
		c.declareAlias(d, in)
	case *syntax.StaticAssert:
		c.asserts = append(c.asserts, assertion{d, in, c.seq})
	case *syntax.BadDecl:
		c.rejected = append(c.rejected, d)
	}
}

// declareNamespace enters a namespace, which may have been opened before.
func (c *checker) declareNamespace(d *syntax.Namespace, in *scope) {
	names := d.Names
	if len(names) == 0 {
		names = []string{""}
	}
	for i, name := range names {
		sym := in.names[name]
		if sym == nil || sym.kind != symNamespace {
			ns := &scope{kind: nameScope, up: in, name: name}
			sym = in.declare(&symbol{kind: symNamespace, name: name, pos: d.Pos, seq: c.seq, in: in, space: ns})
			if name == "" || d.Inline && i == len(names)-1 {
				in.uses = append(in.uses, ns)
				ns.inline = d.Inline
			}
		}
		in = sym.space
	}
	c.declareAll(d.Decls, in)
}

// declareUsing enters a using-directive or -declaration.
func (c *checker) declareUsing(d *syntax.Using, in *scope) {
	defer c.inside(in)()
	if d.Enum {
		c.usingEnum(d.Names[0], in)
		return
	}
	for _, n := range d.Names {
		if d.Namespace {
			f := c.find(n, false, "name")
			if f != nil && f.sym.kind == symNamespace {
				in.uses = append(in.uses, f.sym.space)
			}
			continue
		}
		last := n.Last()
		seq := c.seq
		var sym *symbol
		c.quietly(func() {
			if f := c.find(n, false, "name"); f != nil {
				sym = f.sym
			}
		})
		if sym == nil && n.Global && len(n.Parts) == 1 { // a function of the language
			in.declare(&symbol{kind: symFunction, name: last.Ident, pos: n.Pos, seq: seq, in: in, language: true})
			continue
		}
		if sym == nil {
			in.declare(c.lazy(&symbol{name: last.Ident, pos: n.Pos, seq: seq, in: in}, in, func(s *symbol) {
				c.find(n, false, "name")
			}))
			continue
		}
		own := *sym
		own.name, own.seq, own.in = last.Ident, seq, in
		if !in.isNamespace() && sym.kind != symFunction {
			c.declaredOnce(own.name, n.Pos)
		}
		if old := in.names[own.name]; old != nil && old.kind == symFunction && own.kind == symFunction {
			for _, f := range own.funcs {
				c.conflict(old, f, in, n.Pos)
			}
			own = *c.merge(old, &own)
			own.seq = seq
		}
		in.declare(&own)
	}
}

// lazy makes a symbol that is read when it is first used.
func (c *checker) lazy(sym *symbol, in *scope, read func(*symbol)) *symbol {
	sym.resolve = func() {
		done := c.enterDeclaration()
		c.scope = in.upTo(sym.seq)
		outer := c.errs
		c.errs = &sym.errs
		if !in.isNamespace() {
			c.nesting++
			defer func() { c.nesting-- }()
		}
		sym.reading = true
		read(sym)
		sym.reading = false
		c.errs = outer
		done()
	}
	return sym
}

// use reads a symbol's declaration if that has not been done, and reports its errors where it is used.
func (c *checker) use(sym *symbol) {
	if sym.resolve != nil {
		read := sym.resolve
		sym.resolve = nil
		read()
	}
	if sym.isUnnamed() {
		c.errorf(sym.pos, codeType, "the type %s is made of itself", sym.name)
	}
	c.blame(sym.errs)
}

// declareAlias enters "using T = ...;" or "namespace a = b;".
func (c *checker) declareAlias(d *syntax.Alias, in *scope) {
	if d.Namespace != nil {
		leave := c.inside(in)
		f := c.find(d.Namespace, false, "name")
		leave()
		old := in.names[d.Ident]
		if f != nil && f.sym.kind == symNamespace && !(old != nil && old.kind == symNamespace &&
			old.space == f.sym.space) {
			in.declare(&symbol{kind: symNamespace, name: d.Ident, pos: d.Pos, seq: c.seq, in: in, space: f.sym.space})
		}
		return
	}
	in.declare(c.lazy(&symbol{kind: symType, name: d.Ident, pos: d.Pos, seq: c.seq, in: in, typ: invalid}, in,
		func(s *symbol) {
			s.typ = c.typeID(d.Type)
		}))
}

// declareVars enters the declarators of a declaration; the class or enumeration that its specifiers define is entered
// too.
func (c *checker) declareVars(d *syntax.Vars, in *scope) {
	c.enterTags(d.Specs, in)
	for _, v := range d.Decls {
		if len(v.Names) > 0 {
			c.rejected = append(c.rejected, &syntax.BadDecl{Pos: d.Specs.Pos, Err: nil})
			continue
		}
		name := v.Decl.Name
		if name == nil {
			continue
		}
		if isFunctionDeclarator(v) && !d.Specs.Typedef {
			c.declareFunction(&syntax.Function{Specs: d.Specs, Decl: v.Decl}, nil, in)
			continue
		}
		if len(name.Parts) > 1 {
			c.outsideMember(&syntax.Vars{Specs: d.Specs, Decls: []*syntax.Var{v}}, name, nil, nil, in)
			continue
		}
		c.declareVar(d.Specs, v, name.Parts[0].Ident, in)
	}
}

// isFunctionDeclarator reports whether a declarator declares a function.
func isFunctionDeclarator(v *syntax.Var) bool {
	return v.Decl.Func() != nil && !v.Init.IsSet()
}

func (c *checker) declareVar(specs *syntax.Specifiers, v *syntax.Var, name string, in *scope) {
	sym := &symbol{name: name, pos: v.Decl.Pos, seq: c.seq, in: in}
	if old := in.names[name]; old != nil && old.kind == symObject && !v.Init.IsSet() && specs.Extern {
		return
	}
	if specs.Typedef {
		sym.kind, sym.typ = symType, invalid
		in.declare(c.lazy(sym, in, func(s *symbol) { c.typedef(s, specs, v.Decl) }))
		return
	}
	sym.kind = symObject
	sym.obj = &ast.Object{Name: name, Pos: sym.pos, Type: invalidType}
	if old := in.names[name]; old != nil && old.kind == symObject && old.obj != nil {
		sym.obj = old.obj
	}
	in.declare(c.lazy(sym, in, func(s *symbol) { c.global(s, specs, v) }))
	c.globals = append(c.globals, sym)
}

// typedef reads a typedef.
func (c *checker) typedef(s *symbol, specs *syntax.Specifiers, d *syntax.Declarator) {
	t := c.specified(specs)
	if cl := c.classes[t.Type]; cl != nil && cl.name == "" { // a class without a name goes by its typedef's
		cl.name, cl.typ.Name = s.name, s.name
	}
	t = c.declared(d.Ops, t, d.Pos)
	for _, attrs := range [][]syntax.Attr{d.Attrs, specs.Attrs} {
		if a := attribute(attrs, "ext_vector_type"); a != nil {
			t.Type = c.extVector(a, t.Type)
		}
	}
	s.typ = t
}

// attribute finds an attribute by name, with or without underscores around it.
func attribute(attrs []syntax.Attr, name string) *syntax.Attr {
	for i := range attrs {
		if strings.Trim(attrs[i].Name, "_") == strings.Trim(name, "_") {
			return &attrs[i]
		}
	}
	return nil
}

// extVector is the vector type of clang's ext_vector_type(n).
func (c *checker) extVector(a *syntax.Attr, elem *ctypes.Type) *ctypes.Type {
	if len(a.Args) == 0 || elem.Kind == 0 {
		return invalidType
	}
	n, ok := c.constantInt(a.Args[0], "a vector's length")
	switch {
	case !ok:
	case elem.IsScalar() && (n == 2 || n == 3 || n == 4 || n == 8 || n == 16):
		return c.vectorOf(elem.Kind, n)
	default:
		c.errorf(a.Pos, codeDeclare, "there is no vector of %d components of type %v", n, elem)
	}
	return invalidType
}

// enterTags enters the class or enumeration that specifiers define or mention first.
func (c *checker) enterTags(s *syntax.Specifiers, in *scope) {
	defer c.inside(in)()
	switch t := s.Type.(type) {
	case *syntax.Class:
		if t.Name != nil && len(t.Name.Parts) > 1 {
			c.nestedClass(t)
			return
		}
		c.classSpecifier(t)
	case *syntax.Enum:
		c.enumSpecifier(t)
	case *syntax.NamedType:
		if t.Tag != "" && len(t.Name.Parts) == 1 && !t.Name.Parts[0].HasArgs &&
			c.lookupTag(t.Name.Parts[0].Ident) == nil {
			c.elaborated(t)
		}
	}
}

// declareTemplate enters a template; params are those of the class around where it is a member's definition outside.
func (c *checker) declareTemplate(d *syntax.Template, in *scope) {
	params := &templateParams{list: d.Params, in: in.upTo(c.seq), requires: d.Requires}
	switch x := d.Decl.(type) {
	case *syntax.Template: // template <class T> template <class U> ... S<T>::f
		c.innerTemplate(x, params, in)
	case *syntax.Function:
		if name := x.Decl.Name; name != nil && len(name.Parts) > 1 {
			c.outsideMember(x, name, params, nil, in)
			return
		}
		if len(d.Params) == 0 {
			c.specialFunction(x, in, c.seq)
			return
		}
		c.declareFunction(x, params, in)
	case *syntax.Alias:
		in.declare(&symbol{kind: symTemplate, name: x.Ident, pos: x.Pos, seq: c.seq, in: in,
			tmpl: &template{name: x.Ident, pos: x.Pos, seq: c.seq, in: in, params: params, alias: x}})
	case *syntax.Vars:
		c.templateVars(d, x, params, in)
	}
}

// innerTemplate enters the definition of a member template outside of its class template.
func (c *checker) innerTemplate(d *syntax.Template, params *templateParams, in *scope) {
	inner := &templateParams{list: d.Params, in: in.upTo(c.seq), requires: d.Requires}
	last := inner
	for next, deeper := d.Decl.(*syntax.Template); deeper; next, deeper = d.Decl.(*syntax.Template) {
		d, last.inner = next, &templateParams{list: next.Params, in: inner.in, requires: next.Requires}
		last = last.inner
	}
	switch x := d.Decl.(type) {
	case *syntax.Function:
		c.outsideMember(x, x.Decl.Name, params, inner, in)
	case *syntax.Vars:
		if len(x.Decls) > 0 {
			c.outsideMember(x, x.Decls[0].Decl.Name, params, inner, in)
		} else if cl, ok := x.Specs.Type.(*syntax.Class); ok && cl.Name != nil && len(cl.Name.Parts) > 1 {
			c.outsideMember(x, cl.Name, params, inner, in)
		}
	}
}

// templateVars enters a template of a class, of a variable, or a declared function.
func (c *checker) templateVars(d *syntax.Template, x *syntax.Vars, params *templateParams, in *scope) {
	if cl, ok := x.Specs.Type.(*syntax.Class); ok && len(x.Decls) == 0 {
		c.templateClass(cl, params, in)
		return
	}
	// template <class T> struct S;
	if n, ok := x.Specs.Type.(*syntax.NamedType); ok && n.Tag != "" && len(x.Decls) == 0 {
		c.templateClass(&syntax.Class{Pos: n.Name.Pos, Key: n.Tag, Name: n.Name}, params, in)
		return
	}
	for _, v := range x.Decls {
		name := v.Decl.Name
		switch {
		case name == nil:
		case isFunctionDeclarator(v) && len(name.Parts) == 1 && len(d.Params) == 0:
			c.specialFunction(&syntax.Function{Specs: x.Specs, Decl: v.Decl}, in, c.seq)
		case isFunctionDeclarator(v) && len(name.Parts) == 1:
			c.declareFunction(&syntax.Function{Specs: x.Specs, Decl: v.Decl}, params, in)
		case len(name.Parts) > 1:
			c.outsideMember(&syntax.Vars{Specs: x.Specs, Decls: []*syntax.Var{v}}, name, params, nil, in)
		case name.Parts[0].HasArgs:
			if sym := in.names[name.Parts[0].Ident]; sym != nil && sym.kind == symTemplate {
				sym.tmpl.partials = append(sym.tmpl.partials, &partial{params: params, args: name.Parts[0].Args,
					vars: &syntax.Vars{Specs: x.Specs, Decls: []*syntax.Var{v}}, in: in, seq: c.seq, pos: v.Decl.Pos})
			}
		default:
			ident := name.Parts[0].Ident
			in.declare(&symbol{kind: symTemplate, name: ident, pos: v.Decl.Pos, seq: c.seq, in: in,
				tmpl: &template{name: ident, pos: v.Decl.Pos, seq: c.seq, in: in, params: params,
					vars: &syntax.Vars{Specs: x.Specs, Decls: []*syntax.Var{v}}}})
		}
	}
}

// templateClass enters a class template or a specialisation of one.
func (c *checker) templateClass(cl *syntax.Class, params *templateParams, in *scope) {
	if cl.Name == nil {
		return
	}
	lastPart := cl.Name.Last()
	home := in
	if len(cl.Name.Parts) > 1 { // a specialisation or definition from outside of the namespace or class
		leave := c.inside(in)
		// of a class template
		if home = c.insideOf(c.lookupQuietly(cl.Name.Qualifier())); home == nil && len(params.list) > 0 {
			x := &syntax.Vars{Specs: &syntax.Specifiers{Pos: cl.Pos, Type: cl}}
			c.outsideMember(x, cl.Name, params, nil, in)
		}
		if leave(); home == nil {
			return
		}
		if len(params.list) == 0 && !lastPart.HasArgs { // template <> struct S<int>::N
			c.specialNested(cl, home)
			return
		}
	}
	var old *symbol
	if home.kind == classScope {
		old = home.names[lastPart.Ident]
	} else {
		old = c.lookupInline(home, lastPart.Ident, 0)
	}
	if lastPart.HasArgs {
		if old != nil && old.kind == symTemplate {
			p := &partial{params: params, args: lastPart.Args, class: cl, in: in, seq: c.seq, pos: cl.Pos}
			for i, q := range old.tmpl.partials {
				if !q.class.Define && samePattern(q, p) {
					old.tmpl.partials[i] = p
					return
				}
			}
			old.tmpl.partials = append(old.tmpl.partials, p)
		}
		return
	}
	if old != nil && old.kind == symTemplate {
		if cl.Define {
			params.inherit(old.tmpl.params)
			old.tmpl.class, old.tmpl.params, old.tmpl.pos, old.tmpl.seq = cl, params, cl.Pos, c.seq
		}
		return
	}
	home.declare(&symbol{kind: symTemplate, name: lastPart.Ident, pos: cl.Pos, seq: c.seq, in: home,
		tmpl: &template{name: lastPart.Ident, pos: cl.Pos, seq: c.seq, in: home, params: params, class: cl}})
}

// samePattern reports whether two specialisations are written for the same arguments.
func samePattern(a, b *partial) bool {
	return len(a.params.list) == len(b.params.list) && syntax.Source(a.args) == syntax.Source(b.args)
}
