package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// index types x[i], where either may be the pointer.
func (c *checker) index(x, i ast.Expr, pos diag.Pos) ast.Expr {
	if isInvalid(x, i) {
		return invalidAt(pos)
	}
	if x.Type().IsInteger() && i.Type().Kind == ctypes.Pointer {
		x, i = i, x
	}
	i = c.promote(i)
	if !i.Type().IsInteger() {
		return c.fail(i.Pos(), "a subscript is an integer, this is %v", i.Type())
	}
	switch t := x.Type(); {
	case t.Kind == ctypes.Pointer && c.isComplete(t.Elem) && c.funcTypes[t.Elem] == nil:
		return &ast.Index{Typed: ast.Of(t.Elem, pos), X: x, I: i}
	case t.Kind == ctypes.Vector:
		if lit, ok := i.(*ast.Literal); ok {
			if lit.Value.Int < 0 || lit.Value.Int >= t.Len {
				return c.fail(pos, "%v has no component %d", t, lit.Value.Int)
			}
			return &ast.Swizzle{Typed: ast.Of(t.Elem, pos), X: x, Lanes: []int{int(lit.Value.Int)}}
		}
		return &ast.Index{Typed: ast.Of(t.Elem, pos), X: x, I: i}
	case t.Kind == ctypes.Pointer:
		return c.incomplete(t.Elem, "a subscript on a pointer to the incomplete type %v", pos)
	default:
		return c.fail(pos, "%v cannot be subscripted", t)
	}
}

// incomplete says that what a pointer leads to is needed, and why a struct is not known.
func (c *checker) incomplete(t *ctypes.Type, format string, pos diag.Pos) ast.Expr {
	c.errorf(pos, codeType, format, t)
	return invalidAt(pos)
}

// deref types *x.
func (c *checker) deref(x ast.Expr, pos diag.Pos) ast.Expr {
	t := x.Type()
	switch {
	case t.Kind == 0:
		return invalidAt(pos)
	case t.Kind != ctypes.Pointer:
		return c.fail(pos, "%v is not a pointer", t)
	case t.Elem.Kind == ctypes.Void || !c.isComplete(t.Elem) && t.Elem.Kind != ctypes.Array &&
		!c.isClassDeclared(t.Elem):
		return c.incomplete(t.Elem, "a pointer to the incomplete type %v cannot be dereferenced", pos)
	}
	if a, ok := x.(*ast.AddrOf); ok {
		return a.X // *&x
	}
	return &ast.Deref{Typed: ast.Of(t.Elem, pos), X: x}
}

// addressOf types &x.
func (c *checker) addressOf(x ast.Expr, pos diag.Pos) ast.Expr {
	e := c.pointerTarget(x, pos)
	if obj := ast.RootObject(x); obj != nil && !isInvalid(e) {
		obj.AddressTaken = true
	}
	return e
}

// pointerTarget is addressOf without marking the object: for functions of the
// language that write through their argument, which need no memory.
func (c *checker) pointerTarget(x ast.Expr, pos diag.Pos) ast.Expr {
	t := x.Type()
	switch {
	case t.Kind == 0:
		return invalidAt(pos)
	case !ast.IsLvalue(x):
		return c.fail(pos, "this expression has no address")
	}
	if d, ok := x.(*ast.Deref); ok {
		return d.X // &*p
	}
	if s, ok := x.(*ast.Swizzle); ok && len(s.Lanes) > 1 {
		return c.fail(pos, "several components of a vector have no common address")
	}
	p := ctypes.PointerTo(t, ast.SpaceOf(x))
	p.Const, p.Volatile = c.isConstLvalue(x), ast.IsVolatile(x)
	return &ast.AddrOf{Typed: ast.Of(p, pos), X: x}
}

// incDec types ++ and --.
func (c *checker) incDec(x ast.Expr, dec, post bool, pos diag.Pos) ast.Expr {
	if !c.writable(x, pos) {
		return invalidAt(pos)
	}
	if t := x.Type(); !t.IsArith() && t.Kind != ctypes.Pointer || c.cfg.Dialect == ast.CUDA && c.enums[t] != nil {
		return c.fail(pos, "%v cannot be counted up or down", t)
	} else if t.Kind == ctypes.Pointer && !c.steppable(t, pos) {
		return invalidAt(pos)
	}
	return &ast.IncDec{Typed: ast.Of(x.Type(), pos), X: x, Dec: dec, Post: post}
}

// writable reports whether x can be assigned to, with an error if not.
func (c *checker) writable(x ast.Expr, pos diag.Pos) bool {
	switch {
	case isInvalid(x):
		return false
	case !ast.IsLvalue(x):
		e := c.errorf(pos, codeType, "this expression cannot be assigned to")
		if s, ok := x.(*ast.Swizzle); ok && !ast.Distinct(s.Lanes) {
			_ = e.WithNote("a component occurs twice")
		}
		return false
	case c.isConstLvalue(x), ast.SpaceOf(x) == idg.SpaceConstant:
		c.errorf(pos, codeType, "assignment to something constant")
		return false
	case x.Type().Kind == ctypes.Array:
		c.errorf(pos, codeType, "an array cannot be assigned to").WithNote("assign its elements in a loop")
		return false
	}
	return true
}

// compoundType is the type in which x op= y is computed, nil with an error if
// there is none.
func (c *checker) compoundType(op ctypes.Op, x, y ast.Expr, pos diag.Pos) *ctypes.Type {
	if op == ctypes.Shl || op == ctypes.Shr {
		return c.shiftType(op, x, y, pos)
	}
	t := c.usualType(x.Type(), y.Type())
	switch {
	case t == nil || t.Kind == ctypes.Vector && x.Type().Kind != ctypes.Vector:
	case !t.Base().IsInteger() && (op == ctypes.Rem || op == ctypes.And || op == ctypes.Or || op == ctypes.Xor):
	default:
		return t
	}
	c.badOperands(op, x, y, pos)
	return nil
}

// assign types x = y.
func (c *checker) assign(x, y ast.Expr, pos diag.Pos) ast.Expr {
	if c.derives(y.Type(), x.Type()) {
		y = c.baseOf(y, x.Type())
	}
	if isClass(x.Type()) && y.Type() == x.Type() {
		return c.assignObject(x, y, pos)
	}
	y = c.convert(y, x.Type(), "assignment")
	return &ast.Assign{Typed: of(x.Type(), pos, y), X: x, Y: y}
}

// isClassDeclared reports whether a type is a class that is being read: this may be used there.
func (c *checker) isClassDeclared(t *ctypes.Type) bool {
	cl := c.classes[t]
	return cl != nil && cl.state == completing
}
