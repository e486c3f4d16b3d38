package resolve

import "gpupipe/frontend/syntax"

// Members that are defined, or specialised, outside of their class.

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
			if params != nil && len(params.list) == 0 { // an explicit specialisation ([temp.expl.spec])
				cl := c.explicitClass(t, p)
				switch {
				case cl == nil:
					return
				case i == len(name.Parts)-2:
					o := &outside{inner: inner, decl: d, seq: c.seq, explicit: true}
					c.afterOrNow(cl, func() { c.addOutside(cl, o) })
					return
				}
				c.complete(cl)
				if at, params, inner = cl.scope, inner, nil; params != nil {
					inner = params.inner
				}
				continue
			}
			o := &outside{params: params, inner: inner, decl: d, seq: c.seq}
			if i < len(name.Parts)-2 {
				o.nested = name.Parts[i+1 : len(name.Parts)-1]
			}
			c.outsideTemplate(t, p, o)
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
			c.complete(cl)
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

// outsideTemplate enters the definition of a member of a class template, or of the specialisation with such arguments.
func (c *checker) outsideTemplate(t *template, p *syntax.Part, o *outside) {
	for _, q := range t.partials {
		if q.params != nil && o.params != nil && syntax.Source(q.args) == syntax.Source(p.Args) &&
			len(q.params.list) == len(o.params.list) {
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
}

// unqualified is a function's definition with the last part of its name alone.
func unqualified(f *syntax.Function) *syntax.Function {
	own, decl := *f, *f.Decl
	decl.Name = &syntax.Name{Pos: f.Decl.Name.Pos, Parts: f.Decl.Name.Parts[len(f.Decl.Name.Parts)-1:]}
	own.Decl = &decl
	return &own
}

// explicitClass is the instance of a template of which an explicit specialisation of a member names the arguments.
func (c *checker) explicitClass(t *template, p *syntax.Part) *class {
	args, ok := c.templateArguments(p.Args)
	if !ok {
		return nil
	}
	sym := c.instanceOf(t, args, p.Pos)
	if sym == nil {
		return nil
	}
	return c.classes[sym.typ.Type]
}

// specialNested makes a class what an explicit specialisation says that a member class of an instance is.
func (c *checker) specialNested(n *syntax.Class, in *scope) {
	sym := in.own(n.Name.Last().Ident, 0, true)
	if sym == nil || sym.kind != symType || !n.Define {
		return
	}
	if cl := c.classes[sym.typ.Type]; cl != nil && cl.state == declared {
		cl.node, cl.seq = n, c.seq
	}
}

// specialTemplate enters what stands outside of a class for a template that is its member: a specialisation, or for
// one instance of the class another definition.
func (c *checker) specialTemplate(t *template, part *syntax.Part, o *outside, in *scope) {
	x, _ := o.decl.(*syntax.Vars)
	params := &templateParams{in: in}
	switch {
	case x == nil || o.inner == nil && !o.explicit:
		return
	case o.inner != nil:
		params.list, params.defaults = o.inner.list, o.inner.defaults
	}
	class, _ := x.Specs.Type.(*syntax.Class)
	switch {
	case part.HasArgs && len(x.Decls) > 0:
		t.partials = append(t.partials, &partial{params: params, args: part.Args, vars: x, in: in, seq: o.seq,
			pos: part.Pos})
	case part.HasArgs:
		t.partials = append(t.partials, &partial{params: params, args: part.Args, class: class, in: in, seq: o.seq,
			pos: part.Pos})
	case len(x.Decls) > 0 && o.explicit && x.Decls[0].Init.IsSet():
		t.params, t.vars, t.seq = params, x, o.seq
	case class != nil && t.class != nil && class.Define && (o.explicit || !t.class.Define):
		params.inherit(t.params)
		t.params, t.class, t.seq = params, class, o.seq
	}
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
			p.params, p.inner, p.nested = o.inner, o.inner.inner, o.nested[1:]
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
			if sym := cl.scope.names[n.Name.Last().Ident]; sym != nil && sym.kind == symTemplate {
				c.specialTemplate(sym.tmpl, n.Name.Last(), o, scope)
				return
			}
			c.defineNested(n, cl.scope, scope)
		}
		if len(x.Decls) == 0 {
			return
		}
		v := x.Decls[0]
		part := v.Decl.Name.Last()
		sym := cl.scope.names[part.Ident]
		switch {
		case sym == nil || isFunctionDeclarator(v):
		case sym.kind == symTemplate:
			c.specialTemplate(sym.tmpl, part, o, scope)
		case sym.kind != symObject || !v.Init.IsSet() || sym.specialised && !o.explicit:
		default:
			sym.specialised = sym.specialised || o.explicit
			c.lazy(sym, scope, func(s *symbol) { c.global(s, x.Specs, v) })
		}
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
