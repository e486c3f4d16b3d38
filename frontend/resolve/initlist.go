package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// Lists in braces as std::initializer_list ([dcl.init.list], [support.initlist]): an array of their elements, of which
// the object has the beginning and the number.

const listName = "initializer_list"

// listTemplate is std::initializer_list, nil where a program has none.
func (c *checker) listTemplate() *template {
	std := c.file.names["std"]
	if std == nil || std.kind != symNamespace {
		return nil
	}
	if sym := c.lookupIn(std.space, listName, 0, false, nil); sym != nil && sym.kind == symTemplate {
		return sym.tmpl
	}
	return nil
}

// listElement is the type of the elements of an std::initializer_list, nil of another type.
func (c *checker) listElement(t *ctypes.Type) *ctypes.Type {
	if cl := c.classes[t]; cl != nil && cl.tmpl != nil && cl.name == listName && cl.tmpl == c.listTemplate() {
		return cl.args[0].typ.Type
	}
	return nil
}

// listOf makes an std::initializer_list of a list in braces.
func (c *checker) listOf(b *braceList, t, elem *ctypes.Type) ast.Expr {
	if len(b.elems) == 0 {
		return c.constructClass(t, nil, true, b.P)
	}
	array, n := c.braced(b, ctypes.ArrayOf(elem, -1))
	if isInvalid(array) {
		return array
	}
	if list, ok := array.(*ast.InitList); ok {
		list.T = ctypes.ArrayOf(elem, n)
	}
	first := c.rvalue(c.lvalueOf(array))
	return c.constructClass(t, []ast.Expr{first, number(ctypes.ULong, n, b.P)}, false, b.P)
}

// sequenceOfList is how a list in braces becomes an std::initializer_list: as the element that has the longest way.
func (c *checker) sequenceOfList(b *braceList, elem *ctypes.Type, user bool) sequence {
	worst := sequence{rank: rankExact, list: true}
	for _, e := range b.elems {
		s := c.sequenceTo(e.value(c), plain(elem), user)
		if s.rank == rankNone {
			return none
		}
		if s.rank > worst.rank {
			worst = s
			worst.list = true
		}
	}
	return worst
}

// takesList reports whether a class has a constructor for a list in braces as a whole ([over.match.list]).
func (c *checker) takesList(cl *class, b *braceList) bool { return len(c.listConstructors(cl, b)) > 0 }

// listConstructors are those for a list in braces as a whole.
func (c *checker) listConstructors(cl *class, b *braceList) (list []*function) {
	ctors := c.constructorsOf(cl)
	if len(b.elems) == 0 && c.takesNothing(ctors) { // it is the default constructor that {} calls
		return nil
	}
	for _, f := range ctors {
		if f.params != nil {
			continue // of a template: the elements are its arguments
		}
		sig := c.signatureOf(f)
		if sig == nil || len(sig.params) == 0 {
			continue
		}
		elem := c.listElement(sig.params[0].typ.Type)
		if elem != nil && c.sequenceOfList(b, elem, true).rank != rankNone {
			list = append(list, f)
		}
	}
	return list
}

// takesNothing reports whether a constructor can be called without arguments.
func (c *checker) takesNothing(ctors []*function) bool {
	return slices.ContainsFunc(ctors, func(f *function) bool {
		params := functionOp(f.decl.Decl).Params
		return len(params) == 0 || params[0].IsVoid() || params[0].Default.IsSet() || params[0].Decl.Pack
	})
}

// listTypeOf is the std::initializer_list whose elements have the one type that all of a list have; invalid where they
// differ, or there is none.
func (c *checker) listTypeOf(b *braceList) qtype {
	t := c.listTemplate()
	if t == nil || len(b.elems) == 0 {
		return invalid
	}
	elem := c.rvalue(b.elems[0].value(c)).Type()
	for _, e := range b.elems[1:] {
		if !same(c.rvalue(e.value(c)).Type(), elem) {
			return invalid
		}
	}
	if sym := c.instanceOf(t, templateArgs{{kind: argType, typ: plain(elem)}}, b.P); sym != nil {
		return sym.typ
	}
	return invalid
}

// initList matches a list in braces with a parameter of type std::initializer_list<P>: its elements have one type.
func (d *deduction) initList(n *syntax.Name, b *braceList) bool {
	if d.c.listTemplate() == nil || n.Last().Ident != listName || len(b.elems) == 0 {
		return true
	}
	t := d.c.listTypeOf(b)
	return t.Kind != 0 && d.named(n, t)
}
