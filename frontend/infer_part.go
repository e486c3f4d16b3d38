package frontend

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/encoding"

	"modernc.org/cc/v4"
)

// What loops over arrays and structured bindings have become (package load).

// partCall types the number of an array's elements, and the member of a struct or lane of a vector of a number.
func (c *checker) partCall(name string, x *cc.PostfixExpression, pos Pos) (Expr, bool) {
	if name != encoding.ArrayExtent && name != encoding.StructPart || x.ArgumentExpressionList == nil {
		return nil, false
	}
	of := c.expr(x.ArgumentExpressionList.AssignmentExpression)
	t := of.Type()
	switch {
	case isInvalid(of):
		return of, true
	case name == encoding.ArrayExtent && t.Kind == Array && t.Len >= 0:
		return c.number(Int, t.Len, pos), true
	case name == encoding.ArrayExtent:
		c.unsupported(pos, "a range-based for over "+c.spell(t)+" is", "write a for loop over the index")
		return invalidAt(pos), true
	}
	n, ok := c.constantInt(x.ArgumentExpressionList.ArgumentExpressionList.AssignmentExpression, "the number of a member")
	switch {
	case !ok:
	case t.Kind == Struct && int(n) < len(t.Fields) && t.Fields[n].Name != "":
		return c.member(of, t.Fields[n].Name, pos), true
	case t.Kind == Vector && n < t.Len:
		return &Swizzle{Typed: ast.Of(t.Elem, pos), X: of, Lanes: []int{int(n)}}, true
	case t.Kind == Array && n < t.Len:
		return c.deref(c.pointerAdd(c.rvalue(of), c.number(Int, n, pos), false, pos), pos), true
	case t.Kind == Struct || t.Kind == Vector || t.Kind == Array:
		_ = c.errorf(pos, codeType, "%v has no part %d", t, n+1).WithNote("a structured binding has a name for each member")
	default:
		c.unsupported(pos, "a structured binding of "+c.spell(t)+" is", "name the members one by one; of an array, write auto &")
	}
	return invalidAt(pos), true
}
