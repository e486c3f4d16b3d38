package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
)

// convert makes an expression a value of type t as an assignment does, or
// reports that it cannot. what names the target in the message.
func (c *checker) convert(e Expr, t *Type, what string) Expr {
	if list, ok := e.(*braceList); ok && t.Kind != 0 {
		return c.fromBraces(list, plain(t), what)
	}
	if set, ok := e.(*overloads); ok {
		return c.stray(set)
	}
	given := e
	e = c.rvalue(e)
	from := e.Type()
	switch {
	case isInvalid(e) || t.Kind == 0:
		return invalidAt(e.Pos())
	case from.Equal(t):
		if (c.isEnum(t) || c.isScoped(from)) && !same(from, t) {
			return c.fail(e.Pos(), "%s: a value of type %v is needed, this is %v", what, t, from)
		}
		return c.copied(given)
	case c.derives(from, t):
		return c.rvalue(c.asBase(given, t))
	case isClass(t) || isClass(from):
		if own := c.userConversion(given, t); own != nil {
			return own
		}
	case c.isEnum(t) || c.isScoped(from):
	case from.IsScalar() && t.IsScalar():
		return c.convertScalar(e, t, false)
	case from.IsScalar() && t.Kind == Vector:
		return c.splat(e, t, false)
	case from.IsInteger() && t.Kind == Opaque && (t.Name == typeSampler || t.Name == typeEvent && isZero(e)):
		return &Convert{Typed: ast.Of(t, e.Pos()), X: e}
	case t.Kind == Pointer && isZero(e):
		return &Convert{Typed: ast.Of(t, e.Pos()), X: e}
	case from.Kind == Pointer && t.Kind == Pointer && c.derives(from.Elem, t.Elem):
		return c.convertPointer(c.addressOf(c.asBase(c.deref(e, e.Pos()), t.Elem), e.Pos()), t, what)
	case from.Kind == Pointer && t.Kind == Pointer && c.becomesPointer(e, t):
		return c.convertPointer(e, t, what)
	case from.Kind == Pointer && t.Kind == Bool:
		return &Convert{Typed: ast.Of(t, e.Pos()), X: e}
	case from.Kind == Vector && t.Kind == Vector && from.Len == t.Len && c.cfg.Dialect == OpenCL:
		c.errorf(e.Pos(), codeType, "%s: %v does not become %v by itself", what, from, t).
			WithNote("write convert_%v(...) for the values or as_%v(...) for the bits", t, t)
		return invalidAt(e.Pos())
	}
	return c.fail(e.Pos(), "%s: a value of type %v is needed, this is %v", what, t, from)
}

// retyped gives a value the very type that is wanted where both are one type of C: the name of a scalar counts.
func (c *checker) retyped(e Expr, t *Type) Expr {
	from := e.Type()
	if from == t || !t.IsScalar() || from.Name == t.Name {
		return e
	}
	if lit, ok := e.(*Literal); ok {
		return &Literal{Typed: ast.Of(t, e.Pos()), Value: Value{Type: t, Int: lit.Value.Int, Float: lit.Value.Float}}
	}
	return &Convert{Typed: ast.Of(t, e.Pos()), X: e}
}

// convertScalar converts between scalars, folding literals.
func (c *checker) convertScalar(e Expr, t *Type, explicit bool) Expr {
	if lit, ok := e.(*Literal); ok {
		return &Literal{Typed: ast.Of(t, e.Pos()), Value: ctypes.Convert(lit.Value, t)}
	}
	return &Convert{Typed: ast.Of(t, e.Pos()), X: e, Explicit: explicit}
}

// splat widens a scalar to a vector, first converting it to the lanes' type.
func (c *checker) splat(e Expr, t *Type, explicit bool) Expr {
	if !e.Type().Equal(t.Elem) {
		e = c.convertScalar(e, t.Elem, explicit)
	}
	return &Convert{Typed: ast.Of(t, e.Pos()), X: e, Explicit: explicit}
}

// becomesPointer reports whether a pointer becomes one of another type by itself: in C any does.
func (c *checker) becomesPointer(e Expr, t *Type) bool {
	if c.cfg.Dialect != CUDA || c.pointerSequence(e.Type(), t).rank != rankNone || e.Type() == nullType {
		return true
	}
	if d, ok := e.(*Decay); ok { // char *s = "text", which compilers warn of
		ref, ok := d.X.(*VarRef)
		return ok && ref.Obj.Name == stringName && same(d.T.Elem, t.Elem)
	}
	return false
}

// asPointer gives what has been checked to be one the very pointer type that a variable has.
func (c *checker) asPointer(e Expr, t *Type, what string) Expr {
	if isInvalid(e) || e.Type().Kind != Pointer || t.Kind != Pointer {
		return c.convert(e, t, what)
	}
	if e.Type().Equal(t) {
		return e
	}
	return c.convertPointer(e, t, what)
}

// convertPointer converts a pointer to another pointer type. Only address
// spaces that exclude each other are an error: private is also what OpenCL C
// 1.2 calls a pointer without a space, which 2.0 made generic.
func (c *checker) convertPointer(e Expr, t *Type, what string) Expr {
	from := e.Type()
	switch {
	case from.Space == t.Space || from.Space == 0 || t.Space == 0:
	case c.cfg.Dialect == CUDA:
	case t.Space == idg.SpacePrivate:
		c.warnf(e.Pos(), codeSpace, "%s: a pointer to __%v goes to one without an address space (generic since OpenCL C 2.0)", what, from.Space)
	default:
		c.errorf(e.Pos(), codeSpace, "%s: a pointer to __%v is needed, this points to __%v", what, t.Space, from.Space)
		return invalidAt(e.Pos())
	}
	return &Convert{Typed: ast.Of(t, e.Pos()), X: e}
}

func isZero(e Expr) bool {
	switch x := e.(type) {
	case *Literal:
		return x.Type().IsInteger() && x.Value.Int == 0
	case *Convert: // (void *)0
		return isZero(x.X)
	}
	return false
}

// promote applies the integer promotions to a value.
func (c *checker) promote(e Expr) Expr {
	e = c.rvalue(e)
	if t := c.promoted(e.Type()); t != e.Type() {
		return c.convertScalar(e, t, false)
	}
	return e
}

// usual applies the usual arithmetic conversions to two values.
func (c *checker) usual(op Op, x, y Expr, pos Pos) (Expr, Expr, *Type) {
	t := c.usualType(x.Type(), y.Type())
	if t == nil {
		c.badOperands(op, x, y, pos)
		return x, y, nil
	}
	return c.convert(x, t, "operand"), c.convert(y, t, "operand"), t
}

func (c *checker) badOperands(op Op, x, y Expr, pos Pos) {
	e := c.errorf(pos, codeType, "operator %v does not take %v and %v", op, x.Type(), y.Type())
	if x.Type().Kind == Vector && y.Type().Kind == Vector && x.Type().Len == y.Type().Len {
		_ = e.WithNote("convert one side with convert_%v or convert_%v", x.Type(), y.Type())
	}
}

// condition types the controlling expression of a statement or of ?:, which is
// a number or a pointer.
func (c *checker) condition(e Expr, what string) Expr {
	e = c.rvalue(e)
	switch t := e.Type(); {
	case t.Kind == 0 || t.IsScalar() || t.Kind == Pointer:
		return e
	case t.Kind == Vector:
		c.errorf(e.Pos(), codeType, "the condition of %s is a vector", what).WithNote("reduce it with any(...) or all(...)")
	default:
		c.errorf(e.Pos(), codeType, "the condition of %s is a %v", what, t)
	}
	return invalidAt(e.Pos())
}

// comparisonType is the type of a comparison of two values of type t: int, or
// the signed integer vector of the same size.
func (c *checker) comparisonType(t *Type) *Type {
	if t.Kind != Vector {
		return Scalar(Int)
	}
	return c.vectorOf(ctypes.SignedOf(t.Elem.Size()), t.Len)
}
