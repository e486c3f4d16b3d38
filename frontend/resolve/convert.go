package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// convert makes an expression a value of type t as an assignment does, or
// reports that it cannot. what names the target in the message.
func (c *checker) convert(e ast.Expr, t *ctypes.Type, what string) ast.Expr {
	if list, ok := e.(*braceList); ok && t.Kind != 0 {
		return c.fromBraces(list, plain(t))
	}
	if set, ok := e.(*overloads); ok {
		if p := c.functionAddress(set, t, e.Pos()); p != nil {
			return p
		}
		return c.stray(set)
	}
	if p := c.closureAddress(e, t); p != nil {
		return p
	}
	given := e
	e = c.rvalue(e)
	from := e.Type()
	switch {
	case isInvalid(e) || t.Kind == 0:
		return invalidAt(e.Pos())
	case c.memberPointers[from] != nil && c.ofDerived(e, t, false) != nil:
		return c.ofDerived(e, t, false)
	case from != t && c.noMemberOf(e, t) != nil:
		return c.noMemberOf(e, t)
	case from.Equal(t):
		if (c.isEnum(t) || c.isScoped(from)) && !same(from, t) {
			return c.fail(e.Pos(), "%s: a value of type %v is needed, this is %v", what, t, from)
		}
		return c.copied(given)
	case c.derives(from, t):
		return c.copied(c.baseOf(given, t))
	case isClass(t) || isClass(from):
		if own := c.userConversion(given, t); own != nil {
			return own
		}
	case c.isEnum(t) || c.isScoped(from):
	case from.IsScalar() && t.IsScalar():
		return c.convertScalar(e, t, false)
	case from.IsScalar() && t.Kind == ctypes.Vector:
		return c.splat(e, t, false)
	case from.IsInteger() && t.Kind == ctypes.Opaque && (t.Name == typeSampler || t.Name == typeEvent && isZero(e)):
		return &ast.Convert{Typed: ast.Of(t, e.Pos()), X: e}
	case t.Kind == ctypes.Pointer && c.isNull(e):
		return &ast.Convert{Typed: ast.Of(t, e.Pos()), X: e}
	case from.Kind == ctypes.Pointer && t.Kind == ctypes.Pointer && c.derives(from.Elem, t.Elem):
		return c.convertPointer(c.upcast(e, t.Elem, e.Pos()), t, what)
	case from.Kind == ctypes.Pointer && t.Kind == ctypes.Pointer && c.becomesPointer(e, t):
		return c.convertPointer(e, t, what)
	case from.Kind == ctypes.Pointer && t.Kind == ctypes.Bool:
		return &ast.Convert{Typed: ast.Of(t, e.Pos()), X: e}
	case from.Kind == ctypes.Vector && t.Kind == ctypes.Vector && from.Len == t.Len && c.cfg.Dialect == ast.OpenCL:
		c.errorf(e.Pos(), codeType, "%s: %v does not become %v by itself", what, from, t).
			WithNote("write convert_%v(...) for the values or as_%v(...) for the bits", t, t)
		return invalidAt(e.Pos())
	}
	return c.fail(e.Pos(), "%s: a value of type %v is needed, this is %v", what, t, from)
}

// retyped gives a value the very type that is wanted where both are one type of C: the name of a scalar counts.
func (c *checker) retyped(e ast.Expr, t *ctypes.Type) ast.Expr {
	from := e.Type()
	if from == t || !t.IsScalar() || from.Name == t.Name {
		return e
	}
	if lit, ok := e.(*ast.Literal); ok {
		return &ast.Literal{Typed: ast.Of(t, e.Pos()), Value: ctypes.Value{Type: t, Int: lit.Value.Int,
			Float: lit.Value.Float}}
	}
	return &ast.Convert{Typed: ast.Of(t, e.Pos()), X: e}
}

// convertScalar converts between scalars, folding literals.
func (c *checker) convertScalar(e ast.Expr, t *ctypes.Type, explicit bool) ast.Expr {
	if lit, ok := e.(*ast.Literal); ok {
		return &ast.Literal{Typed: ast.Of(t, e.Pos()), Value: ctypes.Convert(lit.Value, t)}
	}
	if e = truthAsInt(e); e.Type() == t {
		return e
	}
	return &ast.Convert{Typed: of(t, e.Pos(), e), X: e, Explicit: explicit}
}

// splat widens a scalar to a vector, first converting it to the lanes' type.
func (c *checker) splat(e ast.Expr, t *ctypes.Type, explicit bool) ast.Expr {
	if !e.Type().Equal(t.Elem) {
		e = c.convertScalar(e, t.Elem, explicit)
	}
	return &ast.Convert{Typed: of(t, e.Pos(), e), X: e, Explicit: explicit}
}

// becomesPointer reports whether a pointer becomes one of another type by itself: in C any does.
func (c *checker) becomesPointer(e ast.Expr, t *ctypes.Type) bool {
	if c.cfg.Dialect != ast.CUDA || c.pointerSequence(e.Type(), t).rank != rankNone || e.Type() == nullType {
		return true
	}
	if d, ok := e.(*ast.Decay); ok { // char *s = "text", which compilers warn of
		ref, ok := d.X.(*ast.VarRef)
		return ok && ref.Obj.Name == stringName && same(d.T.Elem, t.Elem)
	}
	return false
}

// asPointer gives what has been checked to be one the very pointer type that a variable has.
func (c *checker) asPointer(e ast.Expr, t *ctypes.Type, what string) ast.Expr {
	if isInvalid(e) || t.Kind != ctypes.Pointer {
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
func (c *checker) convertPointer(e ast.Expr, t *ctypes.Type, what string) ast.Expr {
	from := e.Type()
	switch {
	case from.Space == t.Space || from.Space == 0 || t.Space == 0:
	case c.cfg.Dialect == ast.CUDA:
	case t.Space == idg.SpacePrivate:
		c.warnf(e.Pos(), codeSpace,
			"%s: a pointer to __%v goes to one without an address space (generic since OpenCL C 2.0)", what, from.Space)
	default:
		c.errorf(e.Pos(), codeSpace, "%s: a pointer to __%v is needed, this points to __%v", what, t.Space, from.Space)
		return invalidAt(e.Pos())
	}
	return &ast.Convert{Typed: ast.Of(t, e.Pos()), X: e}
}

// isNull reports whether an expression is a null pointer constant: in C a pointer may be one, too.
func (c *checker) isNull(e ast.Expr) bool {
	t := e.Type()
	return isZero(e) && (c.cfg.Dialect != ast.CUDA || t.Kind != ctypes.Pointer || t == nullType)
}

func isZero(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Literal:
		return x.Type().IsInteger() && x.Value.Int == 0
	case *ast.Convert: // (void *)0
		return isZero(x.X)
	}
	return false
}

// promote applies the integer promotions to a value.
func (c *checker) promote(e ast.Expr) ast.Expr {
	e = c.rvalue(e)
	if t := c.promoted(e.Type()); t != e.Type() {
		return c.convertScalar(e, t, false)
	}
	return e
}

// usual applies the usual arithmetic conversions to two values.
func (c *checker) usual(op ctypes.Op, x, y ast.Expr, pos diag.Pos) (ast.Expr, ast.Expr, *ctypes.Type) {
	t := c.usualType(x.Type(), y.Type())
	if t == nil {
		c.badOperands(op, x, y, pos)
		return x, y, nil
	}
	return c.convert(x, t, "operand"), c.convert(y, t, "operand"), t
}

func (c *checker) badOperands(op ctypes.Op, x, y ast.Expr, pos diag.Pos) {
	e := c.errorf(pos, codeType, "operator %v does not take %v and %v", op, x.Type(), y.Type())
	if x.Type().Kind == ctypes.Vector && y.Type().Kind == ctypes.Vector && x.Type().Len == y.Type().Len {
		_ = e.WithNote("convert one side with convert_%v or convert_%v", x.Type(), y.Type())
	}
}

// condition types the controlling expression of a statement or of ?:, which is
// a number or a pointer.
func (c *checker) condition(e ast.Expr, what string) ast.Expr {
	e = c.rvalue(e)
	switch t := e.Type(); {
	case c.enums[t] != nil && c.enums[t].scoped:
		c.errorf(e.Pos(), codeType, "the condition of %s is a %v", what, t)
	case t.Kind == 0 || t.IsScalar() || t.Kind == ctypes.Pointer:
		return truthAsInt(e)
	case t.Kind == ctypes.Vector:
		c.errorf(e.Pos(), codeType, "the condition of %s is a vector",
			what).WithNote("reduce it with any(...) or all(...)")
	default:
		c.errorf(e.Pos(), codeType, "the condition of %s is a %v", what, t)
	}
	return invalidAt(e.Pos())
}

// comparisonType is the type of a comparison of two values of type t: int, or
// the signed integer vector of the same size.
func (c *checker) comparisonType(t *ctypes.Type) *ctypes.Type {
	if t.Kind != ctypes.Vector {
		return ctypes.Scalar(ctypes.Int)
	}
	return c.vectorOf(ctypes.SignedOf(t.Elem.Size()), t.Len)
}
