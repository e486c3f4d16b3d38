package resolve

import (
	"slices"

	"gpupipe/frontend/syntax"
)

// Deduction from the arguments of a template: of an instance, behind an alias, or of a partial specialisation.

// instance matches arguments with those of a class that is an instance of a template, of any where tmpl is nil; where
// it is none or they do not fit, with those of its bases. The template is parameter i of its own, -1 of none.
func (d *deduction) instance(cl *class, tmpl *template, i int, written []syntax.TemplateArg) bool {
	if cl.tmpl != nil && (tmpl == nil || cl.tmpl == tmpl) {
		before := slices.Clone(d.args)
		for i := range before {
			before[i].pack = slices.Clone(before[i].pack)
		}
		if (i < 0 || d.set(i, templateArg{kind: argTemplate, tmpl: &symbol{kind: symTemplate, name: cl.tmpl.name,
			tmpl: cl.tmpl}})) &&
			d.list(written, flat(d.c.withoutDefaults(cl, written))) {
			return true
		}
		d.args = before
	}
	if cl.node == nil && cl.state != complete && cl.tmpl == nil {
		return false
	}
	d.c.complete(cl)
	return slices.ContainsFunc(cl.bases, func(b base) bool { return d.instance(b.class, tmpl, i, written) })
}

// withoutDefaults are the arguments of an instance that written ones are about: behind these, those that are the
// defaults of its parameters are left out ([temp.arg.explicit]).
func (c *checker) withoutDefaults(cl *class, written []syntax.TemplateArg) templateArgs {
	n := len(written)
	if slices.ContainsFunc(written, func(w syntax.TemplateArg) bool { return w.Pack }) {
		return cl.args
	}
	for i := n; i < len(cl.args); i++ {
		if cl.args[i].kind == argPack && len(cl.args[i].pack) == 0 {
			continue
		}
		a, ok := c.defaultArgumentQuietly(cl.tmpl.params, cl.args[:i], i)
		if !ok || !c.sameArg(a, cl.args[i]) {
			return cl.args
		}
	}
	return cl.args[:min(n, len(cl.args))]
}

// alias matches an alias template with arguments: what it stands for, with the arguments in place of its parameters.
func (d *deduction) alias(a *template, written []syntax.TemplateArg, t qtype) bool {
	of, ok := a.alias.Type.Specs.Type.(*syntax.NamedType)
	if !ok {
		return true
	}
	ops := a.alias.Type.Decl.Ops
	place := func(w syntax.TemplateArg) syntax.TemplateArg {
		name := nameIn(&w)
		if name == nil || name.Simple() == "" || w.Type != nil && w.Type.Specs.Quals != (syntax.Quals{}) {
			return w
		}
		for i, p := range a.params.list {
			switch {
			case p.Ident != name.Simple() || p.Pack:
			case i < len(written):
				return written[i]
			case a.params.defaultOf(i) != nil:
				return *a.params.defaultOf(i)
			}
		}
		return w
	}
	if of.Name.Simple() != "" { // using pointer = T *
		w := place(syntax.TemplateArg{Type: &syntax.TypeID{Specs: &syntax.Specifiers{Type: of},
			Decl: &syntax.Declarator{}}})
		if w.Type == nil || w.Type.Specs.Type == syntax.TypeSpec(of) {
			return true
		}
		specs := *w.Type.Specs
		specs.Quals.Const = specs.Quals.Const || a.alias.Type.Specs.Quals.Const
		return d.typ(append(slices.Clone(ops), w.Type.Decl.Ops...), &specs, t)
	}
	last := of.Name.Last()
	if !last.HasArgs || len(ops) > 0 {
		return true
	}
	var list []syntax.TemplateArg
	for _, w := range last.Args {
		if at := a.packAt(w); at >= 0 {
			list = append(list, written[min(at, len(written)):]...)
			continue
		}
		list = append(list, place(w))
	}
	var sym *symbol
	d.c.quietlyIn(a.in, func() { sym = d.c.lookupQuietly(withoutArgs(of.Name)) })
	if sym == nil || sym.kind != symTemplate {
		return true
	}
	if sym.tmpl.alias != nil {
		return d.alias(sym.tmpl, list, t)
	}
	cl := d.c.classes[t.Type]
	return sym.tmpl.class == nil || cl != nil && d.instance(cl, sym.tmpl, -1, list)
}

// packAt is the index of the template's pack that an argument expands, -1 if it is none.
func (t *template) packAt(w syntax.TemplateArg) int {
	name := nameIn(&w)
	if !w.Pack || name == nil {
		return -1
	}
	return slices.IndexFunc(t.params.list, func(p *syntax.TemplateParam) bool {
		return p.Pack &&
			name.String() == p.Ident
	})
}

// nameIn is the name that is all of a written argument, else nil.
func nameIn(w *syntax.TemplateArg) *syntax.Name {
	if id, is := w.Expr.(*syntax.Ident); is {
		return id.Name
	}
	if w.Expr != nil || w.Type == nil {
		return nil
	}
	return w.Type.Named()
}

// instanceIn is the class itself or the base of it that is an instance of a template; of any where tmpl is nil.
func (c *checker) instanceIn(cl *class, tmpl *template) *class {
	if cl.tmpl != nil && (tmpl == nil || cl.tmpl == tmpl) {
		return cl
	}
	if cl.node == nil && cl.state != complete && cl.tmpl == nil {
		return nil
	}
	c.complete(cl)
	for _, b := range cl.bases {
		if found := c.instanceIn(b.class, tmpl); found != nil {
			return found
		}
	}
	return nil
}

// flat is a list of arguments with the packs in it taken apart.
func flat(args templateArgs) (out templateArgs) {
	for _, a := range args {
		if a.kind == argPack {
			out = append(out, a.pack...)
			continue
		}
		out = append(out, a)
	}
	return out
}

// list matches written arguments with those that are there.
func (d *deduction) list(written []syntax.TemplateArg, there templateArgs) bool {
	defer func(outer bool) { d.exact = outer }(d.exact)
	d.exact = true
	next := 0
	for i := range written {
		w := &written[i]
		if w.Pack {
			outer := d.element
			for d.element = 0; next < len(there); next++ {
				if !d.arg(w, there[next]) {
					return false
				}
				d.element++
			}
			if d.element == 0 {
				d.emptyPacks(patternOf(w))
			}
			d.element = outer
			continue
		}
		if next == len(there) {
			return false
		}
		if !d.arg(w, there[next]) {
			return false
		}
		next++
	}
	return next == len(there)
}

// emptyPacks notes that the packs of an expansion have no elements.
func (d *deduction) emptyPacks(of any) {
	for i, p := range d.params.list {
		if p.Pack && d.args[i].kind == argNone && syntax.Mentions(of, p.Ident) {
			d.args[i].kind = argPack
		}
	}
}

// arg matches one written argument.
func (d *deduction) arg(w *syntax.TemplateArg, a templateArg) bool {
	switch a.kind {
	case argType:
		if w.Type == nil {
			return false
		}
		return d.exactType(w.Type, a.typ)
	case argTemplate:
		if w.Type == nil {
			return d.equal(w, a)
		}
	}
	if i := d.index(nameIn(w)); i >= 0 {
		return d.set(i, a)
	}
	return d.equal(w, a)
}

// matchPartial matches the arguments of a class with a partial specialisation. Arguments that it does not write are the
// template's defaults.
func (c *checker) matchPartial(t *template, p *partial, args templateArgs) (templateArgs, bool) {
	d := c.newDeduction(p.params)
	written := flat(args)
	if t.omits(p, len(args)) {
		written = args[:len(p.args)]
	}
	if !d.list(p.args, written) {
		return nil, false
	}
	for i, q := range p.params.list {
		if d.args[i].kind == argNone && q.Pack {
			d.args[i].kind = argPack
		}
		if d.args[i].kind == argNone {
			a, ok := c.defaultArgumentQuietly(p.params, d.args, i)
			if !ok {
				return nil, false
			}
			d.args[i] = a
		}
	}
	// What is not deducible, as in enable_if_t<...>, is read with what has been found.
	return d.args, c.hasDefaults(t, p, d.args, args) && c.meets(p.params, c.bind(p.params, d.args, p.in, p.seq))
}

func (c *checker) defaultArgumentQuietly(params *templateParams, before templateArgs, i int) (a templateArg, ok bool) {
	errs := c.quietly(func() { a, ok = c.defaultArgument(params, before, i) })
	return a, ok && len(errs) == 0
}
