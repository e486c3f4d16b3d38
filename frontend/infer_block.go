package frontend

import (
	"gpupipe/frontend/ast"
	"gpupipe/idg"

	"modernc.org/cc/v4"
)

// statementExpression types ({ statements; value; }) of GNU C.
func (c *checker) statementExpression(n *cc.CompoundStatement, pos Pos) Expr {
	if c.fn == nil {
		return c.fail(pos, "a statement expression outside of a function")
	}
	b := c.compound(n)
	e := &StmtExpr{Typed: ast.Of(Scalar(Void), pos), Stmts: b.Stmts}
	if k := len(b.Stmts); k > 0 {
		if last, ok := b.Stmts[k-1].(*ExprStmt); ok {
			e.T, e.X, e.Stmts = last.X.Type(), last.X, b.Stmts[:k-1]
		}
	}
	if e.T.Kind == 0 {
		return invalidAt(pos)
	}
	return e
}

// arrayLiteral types (int[]){1, 2}: an array without a name, as the pointer to
// its first element that it decays to.
func (c *checker) arrayLiteral(x *cc.PostfixExpression, t *Type, pos Pos) Expr {
	if c.fn == nil {
		c.unsupported(pos, "compound literals of arrays outside of a function are", "declare a variable")
		return invalidAt(pos)
	}
	init, length := c.braced(x.InitializerList, t, pos)
	if isInvalid(init) {
		return init
	}
	if t.Len < 0 {
		if length == 0 {
			return c.fail(pos, "an array of 0 elements")
		}
		t = ArrayOf(t.Elem, length)
		if list, ok := init.(*InitList); ok {
			list.T = t
		}
	}
	obj := &Object{Name: "literal", Pos: pos, Type: t, Space: idg.SpacePrivate}
	p := PointerTo(t.Elem, idg.SpacePrivate)
	return &StmtExpr{Typed: ast.Of(p, pos), Stmts: []Stmt{&Decl{Positioned: ast.At(pos), Obj: obj, Init: init}}, X: &Decay{Typed: ast.Of(p, pos), X: &VarRef{Typed: ast.Of(t, pos), Obj: obj}}}
}
