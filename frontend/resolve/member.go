package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Member functions, friends, and instances of classes.

// declareMember enters a member function.
func (c *checker) declareMember(cl *class, d *syntax.Function, params *templateParams) *function {
	if d.Decl.Name == nil {
		return nil
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
	p, fits, ok := c.specialisation(t, args, t.pos)
	switch {
	case !ok:
		return nil
	case p != nil:
		vars, params, bound, in, seq = p.vars, p.params, fits, p.in, p.seq
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
	if t.class == nil || !t.class.Define && len(t.written) == 0 {
		c.errorf(pos, codeType, "%s needs template arguments", t.name)
		return nil
	}
	var found *function
	errs := c.quietly(func() {
		// What is written comes first.
		if found, _ = c.selectFunction(c.guidesOf(t), nil, args, nil, pos); found == nil {
			found, _ = c.selectFunction(t.written, nil, args, nil, pos)
		}
	})
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
	if len(t.guides) == 0 {
		guide(nil, nil) // the constructor C() ([over.match.class.deduct])
		if len(t.written) == 0 && len(data) > 0 {
			guide(data, nil)
		}
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
