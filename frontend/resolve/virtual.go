package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Virtual functions ([class.virtual]): a call is one of the function of the object's own class, where that is known: of
// an object that the program names, of what a reference or pointer is known to lead to, and of a final class. A
// function is read anew for each class of what it is given. No call reads the pointer to the table, so nothing writes
// it; it has its place in the object.

// declaresVirtual reports whether a class declares a virtual function.
func declaresVirtual(n *syntax.Class) bool {
	return slices.ContainsFunc(n.Body, func(d syntax.Decl) bool {
		switch d := d.(type) {
		case *syntax.Function:
			return d.Specs.Virtual
		case *syntax.Vars:
			return d.Specs.Virtual
		}
		return false
	})
}

// isPolymorphic reports whether a class has virtual functions.
func (cl *class) isPolymorphic() bool {
	return cl != nil && (cl.node != nil && declaresVirtual(cl.node) ||
		slices.ContainsFunc(cl.bases, func(b base) bool { return b.class.isPolymorphic() }))
}

// placeTable gives a class with virtual functions the pointer to their table, where its first base has none.
func (c *checker) placeTable(cl *class, fields *[]ctypes.Field) {
	if declaresVirtual(cl.node) && len(cl.node.Bases) == 0 {
		*fields = append(*fields, ctypes.Field{Name: "(table)", Type: ctypes.Scalar(ctypes.ULong)})
	}
}

// checkTable refuses a class whose pointer to the table does not lie where placeTable puts it.
func (c *checker) checkTable(cl *class) {
	if cl.isPolymorphic() && len(cl.bases) > 0 && !cl.bases[0].class.isPolymorphic() {
		c.unsupported(cl.node.Pos, "virtual functions behind a base without any are", "make the base a member")
	}
}

// overrides reports whether a member function is that of a base, which declares it virtual.
func (c *checker) overrides(cl *class, f *function) bool {
	return slices.ContainsFunc(cl.bases, func(b base) bool {
		g := c.ownVersion(b.class, f)
		return g != nil && (g.decl.Specs.Virtual || functionOp(g.decl.Decl).Override) || c.overrides(b.class, f)
	})
}

// ownVersion is the function that a class declares with the name and parameters of f; nil where there is none.
func (c *checker) ownVersion(cl *class, f *function) *function {
	c.complete(cl)
	list := cl.convs
	if f.kind == ordinary {
		sym := cl.scope.own(f.name, 0, false)
		if sym == nil || sym.kind != symFunction {
			return nil
		}
		list = sym.funcs
	}
	for _, g := range list {
		if g == f || g.params == nil && g.class == cl && g.isConst == f.isConst && c.sameSignature(g, f) {
			return g
		}
	}
	return nil
}

// isVirtual reports whether a call of a member function asks the object which function it means.
func (c *checker) isVirtual(f *function) bool {
	return f.class.isPolymorphic() && f.params == nil && f.tmpl == nil && (f.kind == ordinary ||
		f.kind == conversion) &&
		!f.static && (f.decl.Specs.Virtual || c.overrides(f.class, f))
}

// dispatched is the function that a call of a virtual function means; nil, with an error, where that is not known.
func (c *checker) dispatched(f *function, object ast.Expr, pos diag.Pos) *function {
	own := c.dynamicClass(object)
	if static := c.classes[object.Type()]; own == nil && static != nil &&
		(static.node != nil && static.node.Final || functionOp(f.decl.Decl).Final) {
		own = static
	}
	if own == nil {
		if c.dead == 0 {
			c.unsupported(pos,
				"a call of the virtual function "+c.display(f)+" for an object whose class is not known is",
				"name the object itself, mark its class final, or call the function of the class, as in x.C::f()")
			return nil
		}
		return f
	}
	return c.finalOverrider(own, f)
}

// finalOverrider is the function that an object of a class has for a virtual one of a base.
func (c *checker) finalOverrider(own *class, f *function) *function {
	for at := own; at != nil && at != f.class; {
		if g := c.ownVersion(at, f); g != nil {
			return g
		}
		var next *class
		for _, b := range at.bases {
			if b.class == f.class || c.derives(b.class.typ, f.class.typ) {
				next = b.class
			}
		}
		at = next
	}
	return f
}

// pureIn is a pure virtual function that a class does not override, looked for in one of its bases or itself; nil where
// there is none.
func (c *checker) pureIn(own, at *class) *function {
	for _, sym := range at.scope.order {
		for _, f := range sym.funcs {
			if f.decl != nil && f.decl.Pure && f.class == at && c.finalOverrider(own, f).decl.Pure {
				return f
			}
		}
	}
	for _, b := range at.bases {
		if f := c.pureIn(own, b.class); f != nil {
			return f
		}
	}
	return nil
}

// refuseAbstract reports an object of an abstract class ([class.abstract]).
func (c *checker) refuseAbstract(t *ctypes.Type, pos diag.Pos) {
	if cl := c.classes[innermost(t)]; cl.isPolymorphic() {
		if f := c.pureIn(cl, cl); f != nil {
			c.errorf(pos, codeType, "%v is abstract: %s is pure", cl.typ, c.display(f))
		}
	}
}

// dynamicClass is the class that an object has been made as; nil where that is not known.
func (c *checker) dynamicClass(e ast.Expr) *class {
	switch x := stripped(e).(type) {
	case *ast.Member:
		if c.isBaseField(c.classes[x.X.Type()], x.Field) {
			return c.dynamicClass(x.X)
		}
		return c.classes[x.Type()]
	case *ast.Deref:
		return c.dynamicPointee(x.X)
	case *ast.Index:
		if _, array := x.X.(*ast.Decay); !array {
			return nil
		}
		return c.classes[x.Type()]
	case *ast.Cond:
		if ast.IsLvalue(x) {
			return nil
		}
		return c.classes[x.Type()]
	default:
		return c.classes[x.Type()]
	}
}

// dynamicPointee is the class of the object that a pointer leads to; nil where that is not known.
func (c *checker) dynamicPointee(p ast.Expr) *class {
	switch x := p.(type) {
	case *ast.VarRef:
		return c.dynamic[x.Obj]
	case *ast.AddrOf:
		return c.dynamicClass(x.X)
	case *ast.Decay:
		return c.classes[x.Type().Elem]
	case *ast.Convert:
		return c.dynamicPointee(x.X)
	case *ast.StmtExpr:
		for _, s := range x.Stmts {
			if d, ok := s.(*ast.Decl); ok && d.Init != nil && d.Obj.Type.Kind == ctypes.Pointer {
				c.knowDynamic(d.Obj, d.Init)
			}
		}
		return c.dynamicPointee(x.X)
	}
	return nil
}

// knowDynamic notes of what class the object is that a constant pointer leads to.
func (c *checker) knowDynamic(obj *ast.Object, p ast.Expr) {
	if obj.Const && p.Type().Kind == ctypes.Pointer && c.classes[p.Type().Elem].isPolymorphic() {
		if cl := c.dynamicPointee(p); cl != nil {
			c.dynamic[obj] = cl
		}
	}
}

// knowPointer notes that a variable leads to an object of a class, unless its function may give it another value.
func (c *checker) knowPointer(obj *ast.Object, cl *class) {
	if cl == nil || c.fn == nil || c.fn.body == nil || c.fn.body.Body == nil {
		return
	}
	changes := func(x syntax.Expr) bool {
		id, ok := syntax.Bare(x).(*syntax.Ident)
		return ok && id.Name.String() == obj.Name
	}
	changed := false
	syntax.Visit(c.fn.body.Body, func(n any) bool {
		switch n := n.(type) {
		case *syntax.Binary:
			changed = changed || (n.Op == "=" || assignOps[n.Op] != 0) && changes(n.X)
		case *syntax.Unary:
			changed = changed || n.Op != "*" && changes(n.X)
		case *syntax.Postfix:
			changed = changed || changes(n.X)
		case *syntax.CallExpr:
			changed = changed || slices.ContainsFunc(n.Args, changes) // it may take a reference
		case *syntax.Lambda:
			changed = changed || n.Default == "&"
		}
		return !changed
	})
	if !changed {
		c.dynamic[obj] = cl
	}
}

// dynamicOf is the class of what an argument gives a parameter that refers to objects of a class with virtual
// functions; nil where it is not known, or of another parameter.
func (c *checker) dynamicOf(arg ast.Expr, t qtype) *class {
	switch {
	case t.ref != noRef && c.classes[t.Type].isPolymorphic() && isClass(arg.Type()):
		return c.dynamicClass(arg)
	case t.ref == noRef && t.Kind == ctypes.Pointer && c.classes[t.Elem].isPolymorphic() &&
		arg.Type().Kind == ctypes.Pointer:
		return c.dynamicPointee(c.rvalue(arg))
	}
	return nil
}
