package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/constant"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// evaluated is a constant expression as its value, and the expression itself where it is none.
func (c *checker) evaluated(e ast.Expr) ast.Expr {
	if e == nil || isInvalid(e) || hasNodes(e) {
		return e
	}
	if _, ok := e.(*ast.Literal); ok {
		return e
	}
	constexpr := func(f *ast.Function) bool { return c.cfg.Dialect == ast.OpenCL || c.constexprs[f] != nil }
	return c.folded(e, constexpr)
}

// folded is the value of an expression that calls only certain functions, or the expression itself.
func (c *checker) folded(e ast.Expr, callable func(*ast.Function) bool) ast.Expr {
	program := &constant.Program{Values: c.values, Callable: callable,
		Empty: func(t *ctypes.Type) bool { return c.classes[t] != nil && c.classes[t].empty }}
	value, why := program.Evaluate(e)
	c.gaveUp = why
	if value == nil {
		return e
	}
	return value
}

// constantExpr types an expression that must be constant. What C leaves undefined in
// it, a division by zero or a shift beyond the width, is an error, and no warning.
func (c *checker) constantExpr(n syntax.Expr) ast.Expr {
	c.dead++
	c.constants++
	defer func() { c.dead--; c.constants-- }()
	e := c.argument(n)
	if hasNodes(e) {
		return e
	}
	if isClass(e.Type()) {
		return e
	}
	return c.rvalue(e)
}

// constantBits evaluates an integer constant expression; a value of unsigned long from 2^63 on
// is negative.
func (c *checker) constantBits(n syntax.Expr, what string) (int64, bool) {
	v, ok := c.integer(c.constantExpr(n), what)
	c.computed(n, v)
	return v.Int, ok
}

// computed notes the value of a constant for a second reading (crosscheck of the evidence), which only C has.
func (c *checker) computed(n syntax.Expr, v ctypes.Value) {
	if c.cfg.Dialect == ast.OpenCL {
		c.unit.Constants = append(c.unit.Constants, ast.Constant{Pos: n.ExprPos(), Value: v.Int})
	}
}

// constantInt evaluates an integer constant expression whose value is a size or a number of things.
func (c *checker) constantInt(n syntax.Expr, what string) (int64, bool) {
	e := c.constantExpr(n)
	v, ok := c.integer(e, what)
	if ok && beyondLong(v) {
		c.errorf(e.Pos(), codeConstant, "%s is too large: %d", what, uint64(v.Int))
		return 0, false
	}
	return v.Int, ok
}

// integer is the value of an expression that must be an integer constant.
func (c *checker) integer(e ast.Expr, what string) (ctypes.Value, bool) {
	if isInvalid(e) {
		return ctypes.Value{}, false
	}
	e = c.builtinOperand(e)
	lit, ok := c.evaluated(e).(*ast.Literal)
	switch {
	case !ok:
		c.notConstant(e, what)
		return ctypes.Value{}, false
	case !lit.Type().IsInteger():
		c.errorf(e.Pos(), codeConstant, "%s must be an integer, this is %v", what, lit.Type())
		return ctypes.Value{}, false
	}
	return lit.Value, true
}

// notConstant reports why an expression is not constant.
func (c *checker) notConstant(e ast.Expr, what string) {
	if isInvalid(e) {
		return
	}
	switch x := variable(e).(type) {
	case *ast.Binary:
		undefined := "division by zero"
		if x.Op == ctypes.Shl || x.Op == ctypes.Shr {
			undefined = "a shift beyond the width of the type"
		}
		c.errorf(x.P, codeConstant, "%s in %s", undefined, what)
	case *ast.VarRef:
		c.errorf(x.P, codeConstant, "%s must be a constant: %s is a variable", what, x.Obj.Name).
			WithNote("make %s a macro (-D %s=...) or a const int with a constant value", x.Obj.Name, x.Obj.Name)
	default:
		if c.blameCallees(e) {
			return
		}
		c.evaluated(e)
		bad := c.errorf(e.Pos(), codeConstant, "%s must be a constant", what)
		if c.gaveUp.At.IsValid() {
			_ = bad.WithNote("%v: %s", c.gaveUp.At, c.gaveUp.Why)
		}
	}
}

// blameCallees reports the errors of the functions that an expression calls, if they have any.
func (c *checker) blameCallees(e ast.Expr) (found bool) {
	ast.WalkExpr(e, func(x ast.Expr) bool {
		if call, ok := x.(*ast.Call); ok {
			if f := c.constexprs[call.Fn]; f != nil && len(f.bodyErrs) > 0 {
				c.blame(f.bodyErrs)
				found = true
			}
		}
		return true
	})
	return found
}

// variable finds what keeps an expression from being constant: a division by
// zero or a shift beyond the width (a Binary), a variable (a VarRef), or something else.
func variable(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.Binary:
		if lit, ok := x.Y.(*ast.Literal); ok && (x.Op == ctypes.Div || x.Op == ctypes.Rem) && lit.Type().IsInteger() &&
			lit.Value.Int == 0 {
			return x
		}
		for _, side := range []ast.Expr{x.X, x.Y} {
			if _, ok := side.(*ast.Literal); !ok {
				return variable(side)
			}
		}
		if x.Op == ctypes.Shl || x.Op == ctypes.Shr {
			return x
		}
		return nil
	case *ast.Unary:
		return variable(x.X)
	case *ast.Convert:
		return variable(x.X)
	case *ast.Cond:
		return variable(x.C)
	case *ast.Index:
		return variable(x.X)
	case *ast.Decay:
		return variable(x.X)
	}
	return e
}

// isStatic reports whether an initialiser is known before the program runs.
func isStatic(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Literal, *ast.Decay:
		return true
	case *ast.AddrOf:
		return ast.RootObject(x.X) != nil
	case *ast.BuiltinCall:
		if x.Builtin.Class != builtins.Math {
			return false
		}
	case *ast.InitList, *ast.VectorLit, *ast.Convert, *ast.Bitcast, *ast.Unary, *ast.Binary, *ast.Cond, *ast.Swizzle,
		*ast.PtrAdd:
	default:
		return false
	}
	return !slices.ContainsFunc(ast.Operands(e), func(o ast.Expr) bool { return !isStatic(o) })
}
