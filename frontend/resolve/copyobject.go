package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
)

// Copies of objects: by the class's own constructor or operator, else member by member where a member has one, else bit
// by bit.

// copied is a value made of an expression of the same type: a prvalue is the object itself ([class.copy.elision]).
func (c *checker) copied(e ast.Expr) ast.Expr {
	cl := c.classes[e.Type()]
	if cl == nil || category(e) == noRef {
		return c.rvalue(e)
	}
	if c.hasOwnCopy(cl, e) {
		return c.constructClass(cl.typ, []ast.Expr{e}, false, e.Pos())
	}
	if !c.copiesParts(cl, e) {
		return c.rvalue(e)
	}
	pos := e.Pos()
	list := &ast.InitList{Typed: ast.Of(cl.typ, pos)}
	stmts, whole := c.named(e)
	for i := range cl.typ.Fields {
		part := c.copied(c.partOf(whole, e, i, pos))
		if isInvalid(part) {
			return part
		}
		list.Add(int64(i), part)
	}
	if stmts == nil {
		return list
	}
	return &ast.StmtExpr{Typed: list.Typed, Stmts: stmts, X: list}
}

// copiesParts reports whether copying an object takes a constructor of a member's or base's class.
func (c *checker) copiesParts(cl *class, e ast.Expr) (copies bool) {
	how := c.typeOf(e).qualifiers
	if known, ok := cl.copiesParts[how]; ok {
		return known
	}
	for i, f := range cl.typ.Fields {
		sub := c.classes[f.Type]
		if own := cl.field(i); sub == nil || own != nil && own.typ.ref != noRef {
			continue
		}
		part := c.partOf(stripped(e), e, i, e.Pos())
		if copies = c.hasOwnCopy(sub, part) || c.copiesParts(sub, part); copies {
			break
		}
	}
	if cl.copiesParts == nil {
		cl.copiesParts = map[qualifiers]bool{}
	}
	cl.copiesParts[how] = copies
	return copies
}

// partOf is a member of an object, which has been moved from where e has.
func (c *checker) partOf(object, e ast.Expr, i int, pos diag.Pos) ast.Expr {
	m := ast.Expr(&ast.Member{Typed: ast.Of(object.Type().Fields[i].Type, pos), X: object, Field: i})
	if category(e) == rvalue {
		return &xvalue{ast.Of(m.Type(), pos), m}
	}
	return m
}

// named is an lvalue that can be read more than once, behind the statements that it needs first.
func (c *checker) named(e ast.Expr) ([]ast.Stmt, ast.Expr) {
	e = stripped(e)
	if !c.hasEffects(e) {
		return nil, e
	}
	pos := e.Pos()
	p := c.addressOf(e, pos)
	decl, ref := ownVariable("object", p, pos)
	decl.Obj.Const = true
	return []ast.Stmt{decl}, &ast.Deref{Typed: ast.Of(e.Type(), pos), X: ref}
}

// assignObject assigns an object of a class without an operator of its own: member by member where a member has one.
func (c *checker) assignObject(x, y ast.Expr, pos diag.Pos) ast.Expr {
	if isInvalid(x, y) {
		return invalidAt(pos)
	}
	cl := c.classes[x.Type()]
	if cl == nil || !c.assignsParts(cl) {
		return &ast.Assign{Typed: ast.Of(x.Type(), pos), X: x, Y: c.rvalue(y)}
	}
	y = c.lvalueOf(y)
	stmts, to := c.named(x)
	more, from := c.named(y)
	stmts = append(stmts, more...)
	for i := range cl.typ.Fields {
		one := c.assignment("=", c.partOf(to, to, i, pos), c.partOf(from, from, i, pos), pos)
		if isInvalid(one) {
			return one
		}
		stmts = append(stmts, ast.Do(c.rvalue(one), pos))
	}
	p := c.addressOf(to, pos)
	return &ast.Deref{Typed: ast.Of(x.Type(), pos), X: &ast.StmtExpr{Typed: ast.Of(p.Type(), pos), Stmts: stmts, X: p}}
}

// assignsBits reports whether the operator that a compiler makes by itself assigns one object to another.
func (c *checker) assignsBits(x, y ast.Expr) bool {
	cl := c.classes[x.Type()]
	if cl == nil || y.Type() != x.Type() || c.hasOwnAssignment(cl) {
		return false
	}
	sym := cl.scope.own("operator=", 0, false)
	return sym == nil || !slices.ContainsFunc(sym.funcs, func(f *function) bool { return f.params != nil })
}

// assignsParts reports whether assigning an object takes an operator of a member's or base's class.
func (c *checker) assignsParts(cl *class) bool {
	for i, f := range cl.typ.Fields {
		sub := c.classes[f.Type]
		if own := cl.field(i); sub == nil || own != nil && own.typ.ref != noRef {
			continue
		}
		if c.hasOwnAssignment(sub) || c.assignsParts(sub) {
			return true
		}
	}
	return false
}

// hasOwnAssignment reports whether a class says itself how objects of it are assigned.
func (c *checker) hasOwnAssignment(cl *class) bool {
	sym := cl.scope.own("operator=", 0, false)
	if sym == nil || sym.kind != symFunction {
		return false
	}
	for _, f := range sym.funcs {
		if f.params != nil || f.isDefaulted && !f.isDeleted {
			continue
		}
		if sig := c.signatureOf(f); sig != nil && len(sig.params) == 1 && sig.params[0].typ.Type == cl.typ {
			return true
		}
	}
	return false
}
