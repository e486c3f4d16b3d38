package frontend

import "modernc.org/cc/v4"

// constant evaluates an expression that must be constant; what names it in the
// error. Typing folds as it goes, so a constant expression is one whose typed
// form is a literal.
func (c *checker) constant(n cc.ExpressionNode, what string) (Value, bool) {
	e := c.constantExpr(n)
	if lit, ok := e.(*Literal); ok {
		return lit.Value, true
	}
	c.notConstant(e, what)
	return Value{}, false
}

// constantExpr types an expression that must be constant. A division by zero
// in it is an error, and no warning.
func (c *checker) constantExpr(n cc.ExpressionNode) Expr {
	c.dead++
	defer func() { c.dead-- }()
	return c.value(n)
}

// constantInt evaluates an integer constant expression.
func (c *checker) constantInt(n cc.ExpressionNode, what string) (int64, bool) {
	e := c.constantExpr(n)
	lit, _ := e.(*Literal)
	return c.literalInt(e, lit, what)
}

// literalInt is the value of an integer literal; lit is e, or nil.
func (c *checker) literalInt(e Expr, lit *Literal, what string) (int64, bool) {
	switch {
	case lit == nil:
		c.notConstant(e, what)
		return 0, false
	case !lit.Type().IsInteger():
		c.errorf(e.Pos(), codeConstant, "%s must be an integer, this is %v", what, lit.Type())
		return 0, false
	}
	return lit.Value.Int, true
}

// notConstant reports why an expression is not constant.
func (c *checker) notConstant(e Expr, what string) {
	if isInvalid(e) {
		return
	}
	switch x := variable(e).(type) {
	case *Binary:
		c.errorf(x.P, codeConstant, "division by zero in %s", what)
	case *VarRef:
		c.errorf(x.P, codeConstant, "%s must be a constant: %s is a variable", what, x.Obj.Name).
			WithNote("make %s a macro (-D %s=...) or a const int with a constant value", x.Obj.Name, x.Obj.Name)
	default:
		c.errorf(e.Pos(), codeConstant, "%s must be a constant", what)
	}
}

// variable finds what keeps an expression from being constant: a division by
// zero (a Binary), a variable (a VarRef), or something else.
func variable(e Expr) Expr {
	switch x := e.(type) {
	case *Binary:
		if lit, ok := x.Y.(*Literal); ok && (x.Op == Div || x.Op == Rem) && lit.Type().IsInteger() && lit.Value.Int == 0 {
			return x
		}
		for _, side := range []Expr{x.X, x.Y} {
			if _, ok := side.(*Literal); !ok {
				return variable(side)
			}
		}
		return nil
	case *Unary:
		return variable(x.X)
	case *Convert:
		return variable(x.X)
	case *Cond:
		return variable(x.C)
	case *Index:
		return variable(x.X)
	case *Decay:
		return variable(x.X)
	}
	return e
}
