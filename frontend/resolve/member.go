package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Member functions, friends, members that are defined outside of their class, and instances of classes.

// declareMember enters a member function.
func (c *checker) declareMember(cl *class, d *syntax.Function, params *templateParams) *function {
	if d.Decl.Name == nil {
		return nil
	}
	if d.Specs.Virtual {
		c.unsupported(d.Decl.Pos, "virtual functions are",
			"make the class a template of the derived one, or call the function directly")
	}
	f := c.newFunction(d, params, cl.scope)
	f.class, f.access = cl, cl.access
	f.seq, f.defSeq = cl.seq, cl.seq
	if functionOp(d.Decl).Override && !c.overrides(cl, f) {
		c.errorf(f.pos, codeDeclare, "%s is marked override and overrides nothing", f.name)
	}
	part := d.Decl.Name.Last()
	switch {
	case f.kind == destructor:
		cl.dtor = f
		return f
	case f.kind == conversion:
		for _, g := range cl.convs {
			if g.isConst == f.isConst && g.decl == f.decl {
				return g
			}
		}
		cl.convs = append(cl.convs, f)
		return f
	case part.Ident == cl.name && d.Specs.Type == nil:
		f.kind, f.static = constructor, false
		for _, g := range cl.ctors {
			if c.sameDeclaration(g, f) {
				c.define(g, f)
				return g
			}
		}
		cl.ctors = append(cl.ctors, f)
		return f
	}
	return c.addFunction(cl.scope, f)
}

// overrides reports whether a member function is that of a base, which declares it virtual.
func (c *checker) overrides(cl *class, f *function) bool {
	for _, b := range cl.bases {
		if sym := b.class.scope.own(f.name, 0, false); sym != nil && sym.kind == symFunction {
			for _, g := range sym.funcs {
				if (g.decl.Specs.Virtual || functionOp(g.decl.Decl).Override) && c.sameDeclaration(g, f) {
					return true
				}
			}
		}
		if c.overrides(b.class, f) {
			return true
		}
	}
	return false
}

// friend enters a friend function: arguments of the class find it.
func (c *checker) friend(d *syntax.Function, params *templateParams, cl *class) {
	if d.Decl.Name == nil {
		return
	}
	cl.befriend(d.Decl.Name.Last().Ident)
	if len(d.Decl.Name.Parts) > 1 {
		return
	}
	f := c.newFunction(d, params, cl.scope) // its body sees the members
	f.friend = true
	f.seq, f.defSeq = cl.seq, cl.seq
	if f.body == nil {
		return // declared elsewhere too
	}
	ns := cl.scope.namespace()
	if ns.friends == nil {
		ns.friends = map[string]*symbol{}
	}
	sym := ns.friends[f.name]
	if sym == nil {
		sym = &symbol{kind: symFunction, name: f.name, pos: f.pos, in: ns}
		ns.friends[f.name] = sym
	}
	sym.funcs = append(sym.funcs, f)
}

// outsideMember enters the definition of a member outside of its class, or of a function outside of its namespace.
func (c *checker) outsideMember(d syntax.Decl, name *syntax.Name, params, inner *templateParams, in *scope) {
	defer c.inside(in)()
	at := in
	if name.Global {
		at = c.file
	}
	for i := range name.Parts[:len(name.Parts)-1] {
		p := &name.Parts[i]
		var sym *symbol
		if i == 0 && !name.Global {
			sym = c.lookupFrom(at, p.Ident, false)
		} else if at.kind == classScope {
			sym = at.own(p.Ident, 0, false)
		} else {
			sym = c.lookupIn(at, p.Ident, 0, false, nil)
		}
		if sym == nil {
			return
		}
		switch sym.kind {
		case symNamespace:
			at = sym.space
			continue
		case symTemplate:
			t := sym.tmpl
			if params != nil && len(params.list) == 0 && i == len(name.Parts)-2 {
				c.specialMember(t, p, d, inner)
				return
			}
			o := &outside{params: params, inner: inner, decl: d, seq: c.seq}
			if i < len(name.Parts)-2 {
				o.nested = name.Parts[i+1 : len(name.Parts)-1]
			}
			for _, q := range t.partials {
				if q.params != nil && params != nil && sourceOf(q.args) == sourceOf(p.Args) &&
					len(q.params.list) == len(params.list) {
					q.outside = append(q.outside, o)
					return
				}
			}
			t.outside = append(t.outside, o)
			for _, s := range t.instances { // made before
				if cl := c.classes[s.typ.Type]; cl != nil && cl.partial == nil && cl.state == complete {
					c.addOutside(cl, o)
				}
			}
			return
		case symType:
			c.use(sym)
			cl := c.classes[sym.typ.Type]
			if cl == nil {
				return
			}
			if cl.node == nil && cl.tmpl == nil {
				return
			}
			at = cl.scope
			if i == len(name.Parts)-2 {
				o := &outside{inner: params, decl: d, seq: c.seq}
				if inner != nil {
					o.inner = inner
				}
				if params != nil && len(params.list) == 0 {
					o.inner, o.explicit = nil, true
				}
				c.afterOrNow(cl, func() { c.addOutside(cl, o) })
				return
			}
			continue
		default:
			return
		}
	}
	// A function of a namespace.
	if x, ok := d.(*syntax.Function); ok {
		c.addFunction(at, c.newFunction(unqualified(x), params, at))
	}
}

// unqualified is a function's definition with the last part of its name alone.
func unqualified(f *syntax.Function) *syntax.Function {
	own, decl := *f, *f.Decl
	decl.Name = &syntax.Name{Pos: f.Decl.Name.Pos, Parts: f.Decl.Name.Parts[len(f.Decl.Name.Parts)-1:]}
	own.Decl = &decl
	return &own
}

// specialMember enters "template <> int S<float>::f() {...}", the definition of a member for one instance of a
// template.
func (c *checker) specialMember(t *template, p *syntax.Part, d syntax.Decl, inner *templateParams) {
	args, ok := c.templateArguments(p.Args)
	if !ok {
		return
	}
	sym := c.instanceOf(t, args, p.Pos)
	if sym == nil || c.classes[sym.typ.Type] == nil {
		return
	}
	cl := c.classes[sym.typ.Type]
	o := &outside{inner: inner, decl: d, seq: c.seq, explicit: true}
	c.afterOrNow(cl, func() { c.addOutside(cl, o) })
}

// afterOrNow does something when a class is complete.
func (c *checker) afterOrNow(cl *class, f func()) {
	if cl.state == complete {
		f()
		return
	}
	c.afterwards(cl, f)
}

// addOutside gives a class the definition of a member that stands outside of it.
func (c *checker) addOutside(cl *class, o *outside) {
	if len(o.nested) > 0 {
		sym := cl.scope.own(o.nested[0].Ident, 0, false)
		if sym != nil && sym.kind == symTemplate && o.inner != nil {
			p := *o
			p.params, p.inner, p.nested = o.inner, nil, o.nested[1:]
			sym.tmpl.outside = append(sym.tmpl.outside, &p)
			return
		}
		if sym == nil || sym.kind != symType || c.classes[sym.typ.Type] == nil {
			return
		}
		in := c.classes[sym.typ.Type]
		p := *o
		p.nested = o.nested[1:]
		c.complete(in)
		c.addOutside(in, &p)
		return
	}
	scope := cl.scope
	if o.params != nil && cl.bound != nil { // under the names that the definition has for the parameters
		s := c.bind(o.params, cl.bound, cl.scope, 0)
		scope = s
	}
	switch x := o.decl.(type) {
	case *syntax.Function:
		y := unqualified(x)
		if o.explicit && (y.Decl.Name.Parts[0].HasArgs || o.inner != nil && len(o.inner.list) == 0) {
			c.specialFunction(y, cl.scope, o.seq) // of a member template
			return
		}
		c.defineMember(cl, y, o, scope)
	case *syntax.Vars:
		if n, ok := x.Specs.Type.(*syntax.Class); ok && len(x.Decls) == 0 {
			c.defineNested(n, cl.scope, scope)
		}
		if len(x.Decls) == 0 {
			return
		}
		v := x.Decls[0]
		last := v.Decl.Name.Last()
		sym := cl.scope.names[last.Ident]
		if isFunctionDeclarator(v) || sym == nil || !v.Init.IsSet() {
			return
		}
		if sym.kind == symTemplate && last.HasArgs && o.inner != nil {
			sym.tmpl.partials = append(sym.tmpl.partials, &partial{params: o.inner, args: last.Args, vars: x, in: scope,
				seq: o.seq, pos: v.Decl.Pos})
			return
		}
		if sym.kind != symObject || sym.specialised && !o.explicit {
			return
		}
		sym.specialised = o.explicit
		c.lazy(sym, scope, func(s *symbol) { c.global(s, x.Specs, v) })
	}
}

// defineMember gives a member function its definition.
func (c *checker) defineMember(cl *class, d *syntax.Function, o *outside, scope *scope) {
	f := c.newFunction(d, o.inner, scope)
	f.class = cl
	f.seq, f.defSeq = o.seq, o.seq
	part := d.Decl.Name.Parts[0]
	if part.Ident == cl.name && d.Specs.Type == nil && f.kind == ordinary {
		f.kind = constructor
	}
	var list []*function
	switch f.kind {
	case constructor:
		list = cl.ctors
	case destructor:
		if cl.dtor != nil {
			list = []*function{cl.dtor}
		}
	case conversion:
		list = cl.convs
	default:
		if sym := cl.scope.names[f.name]; sym != nil {
			list = sym.funcs
		}
	}
	var candidates []*function
	for _, g := range list {
		if (g.body == nil || o.explicit) && g.class == cl &&
			len(functionOp(g.decl.Decl).Params) == len(functionOp(d.Decl).Params) &&
			(g.params == nil) == (f.params == nil) && g.isConst == f.isConst {
			candidates = append(candidates, g)
		}
	}
	for _, g := range candidates {
		if len(candidates) > 1 && !c.sameDeclaration(g, f) && !(f.params == nil && c.sameSignature(g, f)) {
			continue
		}
		g.extra = append(g.extra, g.decl)
		g.body, g.pos, g.defSeq = f.body, f.pos, o.seq
		if g.params == nil {
			g.bodyDecl, g.bodyScope = d, scope
		} else {
			f.params.inherit(g.params)
			g.params, g.decl, g.in = f.params, d, scope
		}
		return
	}
}

// classInstance makes the instance of a class template.
func (c *checker) classInstance(t *template, args templateArgs, key string) *symbol {
	if image := imageReference(t, args); image != nil {
		sym := &symbol{kind: symType, name: t.name, pos: t.pos, typ: plain(image)}
		t.instances[key] = sym
		return sym
	}
	name := join(t.in.path(), t.name) + c.spellArgs(args)
	cl := &class{name: t.name, typ: &ctypes.Type{Kind: classKind(t.class.Key), Name: name}, seq: t.seq, tmpl: t,
		args: args}
	cl.scope = &scope{kind: classScope, up: t.in, class: cl, limit: 0}
	c.classes[cl.typ] = cl
	cl.symbol = &symbol{kind: symType, name: t.name, pos: t.pos, seq: t.seq, in: t.in, typ: plain(cl.typ)}
	t.instances[key] = cl.symbol
	return cl.symbol
}

// findDefinition chooses the template or the specialisation that an instance is made of.
func (c *checker) findDefinition(cl *class) {
	t := cl.tmpl
	// while it is chosen the class has no members: a specialisation that asks for one does not fit
	cl.state = completing
	c.nesting++
	p, bound, ok := c.specialisation(t, cl.args, t.pos)
	c.nesting--
	if !ok {
		cl.state = complete
		return
	}
	cl.state = declared
	var outside []*outside
	if p != nil {
		cl.node, cl.bound, cl.partial = p.class, bound, p
		cl.seq = p.seq
		cl.scope.up = c.bind(p.params, bound, p.in, p.seq)
		outside = p.outside
	} else {
		if t.class == nil || !t.class.Define {
			return
		}
		cl.node, cl.bound = t.class, cl.args
		cl.seq = t.seq
		cl.scope.up = c.bind(t.params, cl.args, t.in, t.seq)
		outside = t.outside
	}
	for _, o := range outside {
		c.afterwards(cl, func() { c.addOutside(cl, o) })
	}
}

// variableInstance makes the instance of a variable template.
func (c *checker) variableInstance(t *template, args templateArgs, key string) *symbol {
	vars, params, bound, in, seq := t.vars, t.params, args, t.in, t.seq
	for _, p := range t.partials {
		if b, ok := c.matchPartial(p, args); ok {
			vars, params, bound, in, seq = p.vars, p.params, b, p.in, p.seq
		}
	}
	v := vars.Decls[0]
	sym := &symbol{kind: symObject, name: t.name + c.spellArgs(args), pos: v.Decl.Pos, in: in}
	sym.obj = &ast.Object{Name: sym.name, Pos: sym.pos, Type: invalidType}
	t.instances[key] = sym
	c.lazy(sym, c.bind(params, bound, in, seq), func(s *symbol) { c.global(s, vars.Specs, v) })
	if !c.isLibrary(sym.pos) {
		c.globals = append(c.globals, sym)
	}
	return sym
}

// placeholder stands for a class template whose arguments an initialiser says.
func (c *checker) placeholder(t *template) *ctypes.Type {
	if t.holder == nil {
		t.holder = &ctypes.Type{Kind: ctypes.Opaque, Name: t.name}
		c.holders[t.holder] = t
	}
	return t.holder
}

// deduceClass is the class that a constructor's arguments make of a template ([over.match.class.deduct]); nil, with an
// error, where it is not clear.
func (c *checker) deduceClass(t *template, args []ast.Expr, pos diag.Pos) *ctypes.Type {
	if len(args) == 1 { // a copy
		if cl := c.classes[args[0].Type()]; cl != nil && c.instanceIn(cl, t) != nil {
			return c.instanceIn(cl, t).typ
		}
	}
	if t.class == nil || !t.class.Define {
		c.errorf(pos, codeType, "%s needs template arguments", t.name)
		return nil
	}
	var found *function
	errs := c.quietly(func() { found, _ = c.selectFunction(c.guidesOf(t), nil, args, nil, pos) })
	if found == nil || len(errs) > 0 {
		c.errorf(pos, codeType, "the template arguments of %s cannot be deduced", t.name)
		return nil
	}
	sig := c.signatureOf(found)
	return sig.result.Type
}

// guidesOf are the deduction guides of a class template: those that the program writes, and functions that stand for
// its constructors, or for its members where it has neither.
func (c *checker) guidesOf(t *template) []*function {
	if t.guides != nil {
		return t.guides
	}
	self := &syntax.Part{Pos: t.pos, Ident: t.name, HasArgs: true}
	for _, p := range t.params.list {
		id := &syntax.Name{Pos: p.Pos, Parts: []syntax.Part{{Pos: p.Pos, Ident: p.Ident}}}
		a := syntax.TemplateArg{Pos: p.Pos, Pack: p.Pack}
		if p.Type || p.Template != nil {
			a.Type = namedTypeID(id)
		} else {
			a.Expr = &syntax.Ident{Name: id}
		}
		self.Args = append(self.Args, a)
	}
	result := namedTypeID(&syntax.Name{Pos: t.pos, Parts: []syntax.Part{*self}})
	guide := func(params []*syntax.Param, more []*syntax.TemplateParam) {
		list := append(append([]*syntax.TemplateParam{}, t.params.list...), more...)
		d := &syntax.Function{Specs: &syntax.Specifiers{Pos: t.pos, Type: &syntax.Auto{Pos: t.pos}},
			Decl: &syntax.Declarator{Pos: t.pos,
				Name: &syntax.Name{Pos: t.pos, Parts: []syntax.Part{{Pos: t.pos, Ident: t.name}}},
				Ops:  []syntax.DeclOp{&syntax.FuncOp{Params: params, Result: result}}}}
		t.guides = append(t.guides, c.newFunction(d, &templateParams{list: list, in: t.in, defaults: t.params.defaults},
			t.in))
	}
	var data []*syntax.Param
	for _, d := range t.class.Body {
		var more []*syntax.TemplateParam
		if x, ok := d.(*syntax.Template); ok {
			more, d = x.Params, x.Decl
		}
		switch x := d.(type) {
		case *syntax.Function:
			if x.Specs.Type == nil && x.Decl.Name != nil && x.Decl.Name.Parts[0].Ident == t.name &&
				!x.Decl.Name.Parts[0].Destroys {
				guide(functionOp(x.Decl).Params, more)
			}
		case *syntax.Vars:
			for _, v := range x.Decls {
				if !x.Specs.Static && !x.Specs.Typedef && !isFunctionDeclarator(v) {
					data = append(data, &syntax.Param{Specs: x.Specs,
						Decl: &syntax.Declarator{Pos: v.Decl.Pos, Ops: v.Decl.Ops}})
				}
			}
		}
	}
	if len(t.guides) == 0 && len(t.written) == 0 {
		guide(data, nil)
	}
	for i := range t.guides {
		t.guides[i].seq = c.seq
	}
	t.guides = append(t.guides, t.written...)
	return t.guides
}

// namedTypeID is the type of a name.
func namedTypeID(n *syntax.Name) *syntax.TypeID {
	return &syntax.TypeID{Specs: &syntax.Specifiers{Pos: n.Pos, Type: &syntax.NamedType{Name: n}},
		Decl: &syntax.Declarator{Pos: n.Pos}}
}
