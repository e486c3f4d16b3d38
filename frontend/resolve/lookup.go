package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// Looking names up as the language does: from the innermost scope out, in the classes around with their bases, in the
// namespaces around with those that using-directives add; behind ::, in one class or namespace alone; and the functions
// of a call in the namespaces of its arguments.

// own is what a scope itself declares under a name, before limit where the scope is a namespace.
func (s *scope) own(name string, limit int, tag bool) *symbol {
	var sym *symbol
	if !tag {
		sym = s.names[name]
	}
	if sym == nil {
		sym = s.tags[name]
		if sym != nil && !tag && sym.cTag {
			return nil
		}
	}
	if sym == nil || limit == 0 || !s.isNamespace() {
		return sym
	}
	return sym.before(limit)
}

// before is what is declared under a name before limit, nil if nothing is.
func (sym *symbol) before(limit int) *symbol {
	for sym != nil && sym.seq > limit {
		sym = sym.earlier
	}
	if sym == nil {
		return nil
	}
	if sym.kind != symFunction || len(sym.funcs) == 0 || sym.funcs[len(sym.funcs)-1].seq <= limit {
		return sym
	}
	some := *sym
	some.funcs = slices.DeleteFunc(slices.Clone(sym.funcs), func(f *function) bool { return f.seq > limit })
	return &some
}

// lookup finds a name from the current scope, nil if it is not declared.
func (c *checker) lookup(name string) *symbol { return c.lookupFrom(c.scope, name, false) }

// lookupTag finds the name of a class or an enumeration.
func (c *checker) lookupTag(name string) *symbol { return c.lookupFrom(c.scope, name, true) }

func (c *checker) lookupFrom(from *scope, name string, tag bool) *symbol {
	limit := 0
	type nominated struct{ ns, at *scope }
	var added []nominated
	for s := from; s != nil; s = s.up {
		if limit == 0 {
			limit = s.limit
		}
		for _, ns := range s.uses {
			added = append(added, nominated{ns, commonNamespace(ns, s)})
		}
		if s.kind == classScope {
			if sym := c.memberFound(s.class, name, true); sym != nil && (!tag || sym.kind == symType) &&
				!sym.isUnnamed() {
				return sym
			}
			continue
		}
		sym := s.own(name, limit, tag)
		if sym.isUnnamed() {
			continue
		}
		if s.isNamespace() {
			for _, a := range added {
				if a.at == s {
					sym = c.merge(sym, c.lookupIn(a.ns, name, limit, tag, nil))
				}
			}
		}
		if sym != nil {
			return sym
		}
	}
	return nil
}

// isUnnamed reports whether the declaration of a type's name is being read, before which the name means what it does
// around ([basic.scope.pdecl]): "using T = T<int>;".
func (sym *symbol) isUnnamed() bool { return sym != nil && sym.reading && sym.kind == symType }

// commonNamespace is the innermost namespace that holds both.
func commonNamespace(ns, s *scope) *scope {
	for s = s.namespace(); !ns.within(s); s = s.up {
	}
	return s
}

// lookupIn finds a name in a namespace behind ::, or in those that its using-directives name.
func (c *checker) lookupIn(ns *scope, name string, limit int, tag bool, seen []*scope) *symbol {
	if slices.Contains(seen, ns) {
		return nil
	}
	sym := ns.own(name, limit, tag)
	for _, u := range ns.uses {
		if sym == nil || u.inline && u.up == ns {
			sym = c.merge(sym, c.lookupIn(u, name, limit, tag, append(seen, ns)))
		}
	}
	return sym
}

// merge joins what two scopes declare under a name: the functions of both.
func (c *checker) merge(a, b *symbol) *symbol {
	switch {
	case a == nil:
		return b
	case b == nil || a == b:
		return a
	case a.kind == symFunction && b.kind == symFunction:
		both := *a
		both.funcs = slices.Clone(a.funcs)
		for _, f := range b.funcs {
			if !slices.Contains(both.funcs, f) {
				both.funcs = append(both.funcs, f)
			}
		}
		return &both
	case c.sameEntity(a, b):
		return a
	case a.builtin || b.kind != symType && a.kind == symType && c.classes[a.typ.Type] != nil && a.in == b.in:
		return b
	case b.builtin || a.kind != symType && b.kind == symType && c.classes[b.typ.Type] != nil && a.in == b.in:
		return a
	}
	return &symbol{name: a.name, ambiguous: []*symbol{a, b}}
}

// sameEntity reports whether two names stand for the same thing.
func (c *checker) sameEntity(a, b *symbol) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case symType:
		c.use(a)
		c.use(b)
		return sameQual(a.typ, b.typ)
	case symTemplate:
		return a.tmpl == b.tmpl
	case symNamespace:
		return a.space == b.space
	case symObject:
		return a.obj == b.obj
	case symValue:
		return a.value == b.value
	case symField:
		return a.class == b.class && a.field == b.field
	}
	return false
}

// memberOf finds a member of a class or of its bases; the injected name of the class is one of them.
func (c *checker) memberOf(cl *class, name string) *symbol { return c.memberFound(cl, name, false) }

// memberFound is memberOf; unqualified names are not looked up in bases that depend on a parameter ([temp.dep]).
func (c *checker) memberFound(cl *class, name string, unqualified bool) *symbol {
	c.complete(cl)
	if name == "operator=" {
		c.declareAssignment(cl)
	}
	if sym := cl.scope.own(name, 0, false); sym != nil || name == "operator=" {
		return sym
	}
	if name == cl.name && cl.symbol != nil {
		return cl.symbol
	}
	var found *symbol
	for _, b := range cl.bases {
		if unqualified && b.dependent {
			continue
		}
		sym := c.memberFound(b.class, name, false)
		switch {
		case found == nil || sym == nil || sym == found || c.sameEntity(found, sym):
			if found == nil {
				found = sym
			}
		default:
			return &symbol{name: name, ambiguous: []*symbol{found, sym}}
		}
	}
	return found
}

// associated collects the namespaces of a type for argument-dependent look-up.
func (c *checker) associated(t *ctypes.Type, spaces []*scope) []*scope {
	for t.Elem != nil {
		t = t.Elem
	}
	add := func(s *scope) {
		if ns := s.namespace(); !slices.Contains(spaces, ns) {
			spaces = append(spaces, ns)
		}
	}
	if e := c.enums[t]; e != nil {
		add(e.in)
	}
	cl := c.classes[t]
	if cl == nil || c.visited[cl] {
		return spaces
	}
	c.visited[cl] = true
	add(cl.scope.up)
	if cl.state == complete {
		for _, b := range cl.bases {
			spaces = c.associated(b.class.typ, spaces)
		}
	}
	for _, a := range cl.args {
		if a.typ.Type != nil {
			spaces = c.associated(a.typ.Type, spaces)
		}
	}
	return spaces
}

// argumentDependent adds the functions that the namespaces of a call's arguments declare under its name. An instance
// of a template sees those behind the template too, as the end of the file is a point of instantiation, if the
// arguments as written depend on its parameters ([temp.dep.candidate]); of an operator nothing is written.
func (c *checker) argumentDependent(funcs []*function, name string, args []ast.Expr,
	written *syntax.CallExpr) []*function {
	var spaces []*scope
	c.visited = map[*class]bool{}
	for _, a := range args {
		if a.Type() != nil && a.Type().Kind != 0 {
			spaces = c.associated(a.Type(), spaces)
		}
	}
	if len(spaces) == 0 {
		return funcs
	}
	limit := c.limit()
	if c.inInstance() && (written == nil || c.mayDepend(written.Args)) {
		limit = 0
	}
	for _, ns := range spaces {
		friends := ns.friends[name]
		if limit > 0 {
			friends = friends.before(limit)
		}
		for _, sym := range []*symbol{c.lookupInline(ns, name, limit), friends} {
			if sym == nil || sym.kind != symFunction {
				continue
			}
			for _, f := range sym.funcs {
				if !slices.Contains(funcs, f) {
					funcs = append(funcs, f)
				}
			}
		}
	}
	return funcs
}

// inInstance reports whether what is being read is an instance of a template.
func (c *checker) inInstance() bool {
	for s := c.scope; s != nil; s = s.up {
		if s.kind == templateScope {
			return true
		}
	}
	return false
}

// mayDepend reports whether expressions in an instance of a template may depend on its parameters: they name something
// that the template itself declares.
func (c *checker) mayDepend(list []syntax.Expr) (found bool) {
	syntax.Visit(list, func(n any) bool {
		switch n := n.(type) {
		case *syntax.This:
			found = true
		case *syntax.Name:
			for s := c.scope; !n.Global && len(n.Parts) > 0 && !s.isNamespace(); s = s.up {
				found = found || s.own(n.Parts[0].Ident, 0, false) != nil ||
					s.kind == classScope && c.memberOf(s.class, n.Parts[0].Ident) != nil
			}
		}
		return !found
	})
	return found
}

// lookupInline finds a name in a namespace and the inline ones in it, whatever its using-directives say.
func (c *checker) lookupInline(ns *scope, name string, limit int) *symbol {
	sym := ns.own(name, limit, false)
	for _, u := range ns.uses {
		if u.inline && u.up == ns {
			sym = c.merge(sym, c.lookupInline(u, name, limit))
		}
	}
	return sym
}
