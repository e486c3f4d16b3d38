package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// The operator ?:.

// conditional types c ? x : y.
func (c *checker) conditional(n *syntax.Cond) ast.Expr {
	pos := n.Pos
	cond := c.truth(c.value(n.C))
	lit, constant := cond.(*ast.Literal)
	branch := func(e syntax.Expr, taken bool) ast.Expr {
		if constant && lit.Value.IsTrue() != taken {
			c.dead++
			defer func() { c.dead-- }()
		}
		if c.cfg.Dialect == ast.CUDA {
			return c.expr(e)
		}
		return c.value(e)
	}
	x, y := branch(n.X, true), branch(n.Y, false)
	if isInvalid(cond, x, y) {
		return invalidAt(pos)
	}
	if set, ok := x.(*overloads); ok && constant {
		if !lit.Value.IsTrue() {
			set, ok = y.(*overloads)
		}
		if ok {
			return set
		}
	}
	x, y = c.namedPointer(x), c.namedPointer(y)
	if e := c.conditionalLvalue(cond, x, y, constant && lit.Value.IsTrue(), constant, pos); e != nil {
		return e
	}
	isConst := isClass(x.Type()) && (c.typeOf(x).isConst || c.typeOf(y).isConst)
	x, y = c.commonClass(x, y)
	x, y = c.copied(x), c.copied(y)
	t := c.conditionalType(x, y)
	if cond.Type().Kind == ctypes.Vector && x.Type().IsScalar() && y.Type().IsScalar() {
		t = ctypes.Scalar(max(x.Type().Kind, y.Type().Kind)) // widened, not promoted
	}
	if t == nil {
		return c.fail(pos, "the two sides of ?: have types %v and %v", x.Type(), y.Type())
	}
	if cond.Type().Kind == ctypes.Vector {
		return c.vectorConditional(cond, x, y, t, pos)
	}
	if t.Kind != ctypes.Void {
		x, y = c.convert(x, t, "?:"), c.convert(y, t, "?:")
	}
	cond = c.condition(cond, "?:")
	if isInvalid(cond, x, y) {
		return invalidAt(pos)
	}
	e := ast.Expr(&ast.Cond{Typed: ast.Of(t, pos), C: cond, X: x, Y: y})
	if constant {
		one := y
		if lit.Value.IsTrue() {
			one = x
		}
		if !ast.IsLvalue(one) { // the value of an lvalue is none
			e = one
		}
	}
	if t.Kind == ctypes.Pointer && !same(e.Type(), t) { // as the other side is of const
		e = &ast.Convert{Typed: ast.Of(t, pos), X: e}
	}
	if isConst {
		c.constValues[e] = true
	}
	return e
}

// conditionalLvalue is ?: of two lvalues of one type, which is an lvalue in C++; nil for others. Where it is only read
// it costs nothing more: a number or a vector is taken as a value, since both sides can be read.
func (c *checker) conditionalLvalue(cond, x, y ast.Expr, isTrue, constant bool, pos diag.Pos) ast.Expr {
	if c.cfg.Dialect != ast.CUDA || cond.Type().Kind == ctypes.Vector {
		return nil
	}
	if category(x) != lvalue || category(y) != lvalue || hasNodes(x) || hasNodes(y) || !same(x.Type(), y.Type()) {
		return nil
	}
	if constant {
		one := y
		if isTrue {
			one = x
		}
		if c.isConstLvalue(x) || c.isConstLvalue(y) {
			c.constValues[one] = true
		}
		return one
	}
	cond = c.condition(cond, "?:")
	e := &ast.Cond{Typed: of(x.Type(), pos, cond), C: cond, X: x, Y: y}
	switch t := x.Type(); {
	case isClass(t):
		return c.place(e)
	case c.isConstLvalue(x) != c.isConstLvalue(y) && t.IsScalar():
		return e // of a constant its object
	}
	return nil
}

// commonClass converts one side of ?: to the class of the other, or the pointer to a member of a base to one of the
// derived class ([expr.cond]/7).
func (c *checker) commonClass(x, y ast.Expr) (ast.Expr, ast.Expr) {
	classy := func(t *ctypes.Type) bool { return isClass(t) || c.memberPointers[t] != nil || t.ToMember() }
	if x.Type().Equal(y.Type()) || !classy(x.Type()) && !classy(y.Type()) {
		return x, y
	}
	if s := c.sequenceTo(y, plain(x.Type()), true); s.rank != rankNone && classy(x.Type()) {
		return x, c.convert(y, x.Type(), "?:")
	}
	if s := c.sequenceTo(x, plain(y.Type()), true); s.rank != rankNone {
		return c.convert(x, y.Type(), "?:"), y
	}
	return x, y
}
