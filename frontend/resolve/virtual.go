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
// function is read anew for each class of what it is given. Another call reads the pointer to the table, which is the
// number of the class, and chooses among the classes that the program makes objects of.

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
		slices.ContainsFunc(cl.bases, base.isPolymorphic))
}

func (b base) isPolymorphic() bool { return b.class.isPolymorphic() }

// placeTable gives a class with virtual functions whose bases have none the pointer to the table, as its first member.
func (c *checker) placeTable(cl *class, fields *[]ctypes.Field) {
	if cl.isDispatched() {
		cl.prepend(ctypes.Field{Name: "(table)", Type: ctypes.Scalar(ctypes.ULong)}, fields)
	}
}

// prepend adds a member in front of those of bases.
func (cl *class) prepend(f ctypes.Field, fields *[]ctypes.Field) {
	*fields = slices.Insert(*fields, 0, f)
	for i := range cl.bases {
		if b := &cl.bases[i]; b.field >= 0 {
			b.field++
		}
	}
}

// isDispatched reports whether the pointer to the table is the first member of a class, and not of a base.
func (cl *class) isDispatched() bool {
	return cl.node != nil && declaresVirtual(cl.node) &&
		!slices.ContainsFunc(cl.bases, base.isPolymorphic)
}

// tableIn is the pointer to the table in an object.
func (c *checker) tableIn(object ast.Expr, pos diag.Pos) ast.Expr {
	cl := c.classes[object.Type()]
	if cl.isDispatched() {
		return &ast.Member{Typed: ast.Of(cl.typ.Fields[0].Type, pos), X: object}
	}
	b := cl.bases[slices.IndexFunc(cl.bases, base.isPolymorphic)]
	return c.tableIn(&ast.Member{Typed: ast.Of(b.class.typ, pos), X: object, Field: b.field}, pos)
}

// setTables makes an object, whose bases are made, one of a class.
func (c *checker) setTables(own *class, object ast.Expr, pos diag.Pos, out *[]ast.Stmt) {
	cl := c.classes[object.Type()]
	switch {
	case !cl.isPolymorphic():
	case cl.isDispatched():
		n := slices.Index(c.made, own)
		if n < 0 {
			n = len(c.made)
			c.made = append(c.made, own)
		}
		*out = append(*out, c.initialises(c.tableIn(object, pos), number(ctypes.ULong, int64(n)+1, pos), pos))
	default:
		for _, b := range cl.bases {
			if b.field >= 0 {
				c.setTables(own, &ast.Member{Typed: ast.Of(b.class.typ, pos), X: object, Field: b.field}, pos, out)
			}
		}
	}
}

// withTable is a copy of what may be part of an object of another class as an object of its own.
func (c *checker) withTable(cl *class, copied ast.Expr) ast.Expr {
	pos := copied.Pos()
	decl, ref := ownVariable("object", copied, pos)
	made := &ast.StmtExpr{Typed: ast.Of(cl.typ, pos), Stmts: []ast.Stmt{decl}, X: ref}
	c.setTables(cl, ref, pos, &made.Stmts)
	return made
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

// dispatched is the function that a call of a virtual function means; nil where the object says so.
func (c *checker) dispatched(f *function, object ast.Expr) *function {
	own := c.dynamicClass(object)
	if static := c.classes[object.Type()]; own == nil && static != nil &&
		(static.node != nil && static.node.Final || functionOp(f.decl.Decl).Final) {
		own = static
	}
	switch {
	case own != nil:
		return c.finalOverrider(own, f)
	case c.dead > 0:
		return f
	}
	return nil
}

// callVirtual calls the function that the table of an object says.
func (c *checker) callVirtual(f *function, object ast.Expr, args []ast.Expr, pos diag.Pos) ast.Expr {
	sig := c.signatureOf(f)
	if sig == nil || isInvalid(object) {
		return invalidAt(pos)
	}
	c.checkCall(f, object, pos)
	c.throws = c.throws || !c.cannotThrow(f)
	args = slices.Clone(args)
	for i := len(args); i < len(sig.params); i++ {
		args = append(args, c.defaultValue(f, &sig.params[i]))
	}
	to, at := ownVariable("object", c.addressOf(c.lvalueOf(object), pos), pos)
	object = c.deref(at, pos)
	decl, table := ownVariable("table", c.rvalue(c.tableIn(object, pos)), pos)
	call := &ast.StmtExpr{Typed: ast.Of(c.represented(sig.result), pos), Stmts: []ast.Stmt{to, decl}, X: invalidAt(pos)}
	d := &dispatch{virtual: f, result: sig.result, pointer: table, object: object, args: args, call: call}
	for _, p := range sig.params {
		d.types = append(d.types, p.typ)
	}
	return c.through(d)
}

// virtualTargets are the calls that a call through the table may be, by the number of the class.
func (c *checker) virtualTargets(d *dispatch, target func(i int, call ast.Expr)) {
	at := d.object.(*ast.Deref).X.(*ast.VarRef).Obj
	for i, cl := range slices.Backward(c.made) {
		if (cl.typ == d.object.Type() || c.derives(cl.typ, d.object.Type())) && c.pureIn(cl, cl) == nil {
			c.dynamic[at] = cl
			target(i, c.callThis(c.finalOverrider(cl, d.virtual), d.object, d.args, d.call.P))
		}
	}
	delete(c.dynamic, at)
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
	if cl != nil && !c.mayChange(obj.Name) {
		c.dynamic[obj] = cl
	}
}

// mayChange reports whether the function that is being read may give a variable another value after its declaration.
func (c *checker) mayChange(name string) (found bool) {
	if c.fn == nil || c.fn.body == nil {
		return true
	}
	is := func(x syntax.Expr) bool {
		id, ok := syntax.Bare(x).(*syntax.Ident)
		return ok && id.Name.String() == name
	}
	syntax.Visit(c.fn.body, func(n any) bool {
		switch n := n.(type) {
		case *syntax.Binary:
			found = found || (n.Op == "=" || assignOps[n.Op] != 0) && is(n.X)
		case *syntax.Unary:
			found = found || n.Op != "*" && is(n.X)
		case *syntax.Postfix:
			found = found || is(n.X)
		case *syntax.CallExpr:
			found = found || slices.ContainsFunc(n.Args, is) // it may take a reference
		case *syntax.Var: // it may be one
			found = found || syntax.Has[*syntax.RefOp](n.Decl) && is(n.Init.Expr)
		case *syntax.Lambda:
			found = found || n.Default == "&"
		}
		return !found
	})
	return found
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
