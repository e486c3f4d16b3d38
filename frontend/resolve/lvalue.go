package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/idg"
)

// index types x[i], where either may be the pointer.
func (c *checker) index(x, i Expr, pos Pos) Expr {
	if isInvalid(x, i) {
		return invalidAt(pos)
	}
	if x.Type().IsInteger() && i.Type().Kind == Pointer {
		x, i = i, x
	}
	i = c.promote(i)
	if !i.Type().IsInteger() {
		return c.fail(i.Pos(), "a subscript is an integer, this is %v", i.Type())
	}
	switch t := x.Type(); {
	case t.Kind == Pointer && c.isComplete(t.Elem):
		return &Index{Typed: ast.Of(t.Elem, pos), X: x, I: i}
	case t.Kind == Vector:
		if lit, ok := i.(*Literal); ok {
			if lit.Value.Int < 0 || lit.Value.Int >= t.Len {
				return c.fail(pos, "%v has no component %d", t, lit.Value.Int)
			}
			return &Swizzle{Typed: ast.Of(t.Elem, pos), X: x, Lanes: []int{int(lit.Value.Int)}}
		}
		return &Index{Typed: ast.Of(t.Elem, pos), X: x, I: i}
	case t.Kind == Pointer:
		return c.incomplete(t.Elem, "a subscript on a pointer to the incomplete type %v", pos)
	default:
		return c.fail(pos, "%v cannot be subscripted", t)
	}
}

// incomplete says that what a pointer leads to is needed, and why a struct is not known.
func (c *checker) incomplete(t *Type, format string, pos Pos) Expr {
	c.errorf(pos, codeType, format, t)
	return invalidAt(pos)
}

// deref types *x.
func (c *checker) deref(x Expr, pos Pos) Expr {
	t := x.Type()
	switch {
	case t.Kind == 0:
		return invalidAt(pos)
	case t.Kind != Pointer:
		return c.fail(pos, "%v is not a pointer", t)
	case t.Elem.Kind == Void || !c.isComplete(t.Elem) && t.Elem.Kind != Array && !c.isClassDeclared(t.Elem):
		return c.incomplete(t.Elem, "a pointer to the incomplete type %v cannot be dereferenced", pos)
	}
	if a, ok := x.(*AddrOf); ok {
		return a.X // *&x
	}
	return &Deref{Typed: ast.Of(t.Elem, pos), X: x}
}

// addressOf types &x.
func (c *checker) addressOf(x Expr, pos Pos) Expr {
	e := c.pointerTarget(x, pos)
	if obj := ast.RootObject(x); obj != nil && !isInvalid(e) {
		obj.AddressTaken = true
	}
	return e
}

// pointerTarget is addressOf without marking the object: for functions of the
// language that write through their argument, which need no memory.
func (c *checker) pointerTarget(x Expr, pos Pos) Expr {
	t := x.Type()
	switch {
	case t.Kind == 0:
		return invalidAt(pos)
	case !ast.IsLvalue(x):
		return c.fail(pos, "this expression has no address")
	}
	if d, ok := x.(*Deref); ok {
		return d.X // &*p
	}
	if s, ok := x.(*Swizzle); ok && len(s.Lanes) > 1 {
		return c.fail(pos, "several components of a vector have no common address")
	}
	p := PointerTo(t, ast.SpaceOf(x))
	p.Const, p.Volatile = c.isConstLvalue(x), ast.IsVolatile(x)
	return &AddrOf{Typed: ast.Of(p, pos), X: x}
}

// incDec types ++ and --.
func (c *checker) incDec(x Expr, dec, post bool, pos Pos) Expr {
	if !c.writable(x, pos) {
		return invalidAt(pos)
	}
	if t := x.Type(); !t.IsArith() && t.Kind != Pointer {
		return c.fail(pos, "%v cannot be counted up or down", t)
	} else if t.Kind == Pointer && !c.steppable(t, pos) {
		return invalidAt(pos)
	}
	return &IncDec{Typed: ast.Of(x.Type(), pos), X: x, Dec: dec, Post: post}
}

// writable reports whether x can be assigned to, with an error if not.
func (c *checker) writable(x Expr, pos Pos) bool {
	switch {
	case isInvalid(x):
		return false
	case !ast.IsLvalue(x):
		e := c.errorf(pos, codeType, "this expression cannot be assigned to")
		if s, ok := x.(*Swizzle); ok && !ast.Distinct(s.Lanes) {
			_ = e.WithNote("a component occurs twice")
		}
		return false
	case c.isConstLvalue(x), ast.SpaceOf(x) == idg.SpaceConstant:
		c.errorf(pos, codeType, "assignment to something constant")
		return false
	case x.Type().Kind == Array:
		c.errorf(pos, codeType, "an array cannot be assigned to").WithNote("assign its elements in a loop")
		return false
	}
	return true
}

// compoundType is the type in which x op= y is computed, nil with an error if
// there is none.
func (c *checker) compoundType(op Op, x, y Expr, pos Pos) *Type {
	if op == Shl || op == Shr {
		t := c.shiftType(op, x, y, pos)
		if t != nil {
			c.shiftCount(t, y, pos)
		}
		return t
	}
	t := c.usualType(x.Type(), y.Type())
	switch {
	case t == nil || t.Kind == Vector && x.Type().Kind != Vector:
	case !t.Base().IsInteger() && (op == Rem || op == And || op == Or || op == Xor):
	default:
		return t
	}
	c.badOperands(op, x, y, pos)
	return nil
}

// assign types x = y.
func (c *checker) assign(x, y Expr, pos Pos) Expr {
	if isClass(x.Type()) && y.Type() == x.Type() {
		return c.assignObject(x, stripped(y), pos)
	}
	if y = c.convert(y, x.Type(), "assignment"); isInvalid(y) {
		return y
	}
	return &Assign{Typed: ast.Of(x.Type(), pos), Op: 0, X: x, Y: y, Common: nil}
}

// isClassDeclared reports whether a type is a class that is being read: this may be used there.
func (c *checker) isClassDeclared(t *Type) bool {
	cl := c.classes[t]
	return cl != nil && cl.state == completing
}
