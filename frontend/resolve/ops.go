package resolve

import (
	"errors"
	"fmt"
	"strconv"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// binary types an operation on two values.
func (c *checker) binary(op Op, x, y Expr, pos Pos) Expr {
	if isInvalid(x, y) {
		return invalidAt(pos)
	}
	xp, yp := x.Type().Kind == Pointer, y.Type().Kind == Pointer
	switch {
	case op == LogAnd || op == LogOr:
		return c.logical(op, x, y, pos)
	case op == Shl || op == Shr:
		return c.shift(op, x, y, pos)
	case op.IsComparison() && (xp || yp):
		return c.comparePointers(op, x, y, pos)
	case op == Add && xp:
		return c.pointerAdd(x, y, false, pos)
	case op == Add && yp:
		return c.pointerAdd(y, x, false, pos)
	case op == Sub && xp && yp:
		return c.pointerDiff(x, y, pos)
	case op == Sub && xp:
		return c.pointerAdd(x, y, true, pos)
	}
	x, y, t := c.usual(op, x, y, pos)
	if t == nil || isInvalid(x, y) {
		return invalidAt(pos)
	}
	switch op {
	case Rem, And, Or, Xor:
		if !t.Base().IsInteger() {
			e := c.errorf(pos, codeType, "operator %v needs integers, not %v", op, t)
			if op == Rem {
				_ = e.WithNote("the remainder of floats is fmod(x, y)")
			}
			return invalidAt(pos)
		}
	}
	result := t
	if op.IsComparison() {
		result = c.comparisonType(t)
	}
	return c.fold(&Binary{Typed: ast.Of(result, pos), Op: op, X: x, Y: y})
}

// fold evaluates an operation on literals.
func (c *checker) fold(b *Binary) Expr {
	x, ok := b.X.(*Literal)
	y, ok2 := b.Y.(*Literal)
	if !ok2 {
		return b
	}
	if (b.Op == Div || b.Op == Rem) && y.Type().IsInteger() && y.Value.Int == 0 && c.dead == 0 && !ok {
		c.warnf(b.P, codeConstant, "division by zero")
	}
	if !ok {
		return b
	}
	if c.cfg.Dialect == CUDA && overflows(b.Op, x.Value, y.Value) {
		return b
	}
	v, ok, err := ctypes.EvalBinary(b.Op, x.Value, y.Value)
	if errors.Is(err, ctypes.ErrDivisionByZero) && c.dead == 0 {
		c.warnf(b.P, codeConstant, "division by zero")
	}
	if !ok {
		return b
	}
	return &Literal{Typed: ast.Of(v.Type, b.P), Value: v}
}

// logical types && and ||. OpenCL applies them to vectors too, lane by lane.
func (c *checker) logical(op Op, x, y Expr, pos Pos) Expr {
	if x.Type().Kind == Vector || y.Type().Kind == Vector {
		x, y, t := c.usual(op, x, y, pos)
		if t == nil || isInvalid(x, y) {
			return invalidAt(pos)
		}
		return &Binary{Typed: ast.Of(c.comparisonType(t), pos), Op: op, X: x, Y: y}
	}
	what := "operator " + op.String()
	x, y = c.condition(x, what), c.condition(y, what)
	if isInvalid(x, y) {
		return invalidAt(pos)
	}
	return c.fold(&Binary{Typed: ast.Of(Scalar(Int), pos), Op: op, X: x, Y: y})
}

// shift types << and >>: the result has the left operand's promoted type, to
// which the count is converted.
func (c *checker) shift(op Op, x, y Expr, pos Pos) Expr {
	t := c.shiftType(op, x, y, pos)
	if t == nil {
		return invalidAt(pos)
	}
	defined := c.shiftCount(t, y, pos)
	x = c.convert(x, t, "operand")
	if y.Type().Kind == Vector && !y.Type().Equal(t) {
		y = &Convert{Typed: ast.Of(t, y.Pos()), X: y} // lane by lane
	} else {
		y = c.convert(y, t, "shift count")
	}
	if isInvalid(x, y) {
		return invalidAt(pos)
	}
	b := &Binary{Typed: ast.Of(t, pos), Op: op, X: x, Y: y}
	if !defined && c.constants > 0 {
		return b
	}
	return c.fold(b)
}

// shiftCount warns of a constant count that is negative or not less than the width of the type t, and
// reports whether the result is defined: OpenCL C (6.3) takes the count modulo the width, C and C++ do not say.
func (c *checker) shiftCount(t *Type, count Expr, pos Pos) bool {
	lit, ok := count.(*Literal)
	width := 8 * t.Base().Size()
	if !ok || !lit.Type().IsInteger() || lit.Value.Int >= 0 && lit.Value.Int < width {
		return true
	}
	defined := c.cfg.Dialect == OpenCL
	if c.dead == c.constants && (defined || c.constants == 0) {
		note := "the result is undefined"
		if defined {
			note = fmt.Sprintf("OpenCL C shifts by the count modulo %d", width)
		}
		n := strconv.FormatInt(lit.Value.Int, 10)
		if lit.Type().IsUnsigned() {
			n = strconv.FormatUint(uint64(lit.Value.Int), 10)
		}
		c.unit.Warnings.Add(diag.Warningf(pos, codeConstant, "%v is shifted by %s bits", t, n).WithNote("%s", note))
	}
	return defined
}

func (c *checker) shiftType(op Op, x, y Expr, pos Pos) *Type {
	xt, yt := x.Type(), y.Type()
	if !xt.Base().IsInteger() || !yt.Base().IsInteger() || xt.Kind != Vector && yt.Kind == Vector || yt.Kind == Vector && xt.Len != yt.Len {
		c.badOperands(op, x, y, pos)
		return nil
	}
	return c.promoted(xt)
}

func (c *checker) comparePointers(op Op, x, y Expr, pos Pos) Expr {
	t := x.Type()
	if t.Kind != Pointer {
		t = y.Type()
	}
	if !(x.Type().Kind == Pointer || isZero(x)) || !(y.Type().Kind == Pointer || isZero(y)) {
		c.badOperands(op, x, y, pos)
		return invalidAt(pos)
	}
	toPointer := func(e Expr) Expr {
		if e.Type().Kind == Pointer {
			return e
		}
		return &Convert{Typed: ast.Of(t, e.Pos()), X: e}
	}
	return &Binary{Typed: ast.Of(Scalar(Int), pos), Op: op, X: toPointer(x), Y: toPointer(y)}
}

// pointerAdd types pointer plus or minus integer.
func (c *checker) pointerAdd(p, i Expr, sub bool, pos Pos) Expr {
	op := Add
	if sub {
		op = Sub
	}
	i = c.promote(i)
	if !i.Type().IsInteger() {
		c.badOperands(op, p, i, pos)
		return invalidAt(pos)
	}
	if !c.steppable(p.Type(), pos) {
		return invalidAt(pos)
	}
	return &PtrAdd{Typed: ast.Of(p.Type(), pos), X: p, Index: i, Sub: sub}
}

// steppable reports whether what a pointer leads to has a size to step by, with an error if not. void
// has that of a byte, as in GCC.
func (c *checker) steppable(p *Type, pos Pos) bool {
	if !c.isComplete(p.Elem) && p.Elem.Kind != Void {
		c.errorf(pos, codeType, "arithmetic on a pointer to the incomplete type %v", p.Elem)
		return false
	}
	return true
}

func (c *checker) pointerDiff(x, y Expr, pos Pos) Expr {
	if !x.Type().Elem.Equal(y.Type().Elem) {
		c.badOperands(Sub, x, y, pos)
		return invalidAt(pos)
	}
	if !c.steppable(x.Type(), pos) {
		return invalidAt(pos)
	}
	return &Binary{Typed: ast.Of(Scalar(Long), pos), Op: Sub, X: x, Y: y}
}

// unary types -x, ~x and !x.
func (c *checker) unary(op Op, x Expr, pos Pos) Expr {
	if isInvalid(x) {
		return invalidAt(pos)
	}
	t := x.Type()
	result := t
	switch {
	case op == Not && t.Kind == Vector:
		result = c.comparisonType(t)
	case op == Not:
		if x = c.condition(x, "operator !"); isInvalid(x) {
			return x
		}
		result = Scalar(Int)
	case !t.IsArith() || op == BitNot && !t.Base().IsInteger():
		return c.fail(pos, "operator %v does not take %v", op, t)
	default:
		x = c.promote(x)
		result = x.Type()
	}
	if lit, ok := x.(*Literal); ok {
		if v, ok := ctypes.EvalUnary(op, lit.Value); ok {
			return &Literal{Typed: ast.Of(v.Type, pos), Value: v}
		}
	}
	return &Unary{Typed: ast.Of(result, pos), Op: op, X: x}
}

func (c *checker) sizeof(t *Type, align bool, pos Pos) Expr {
	if t.Kind == 0 {
		return invalidAt(pos)
	}
	if !t.IsComplete() {
		return c.fail(pos, "the incomplete type %v has no size", t)
	}
	n := t.Size()
	if align {
		n = t.Align()
	}
	return &Literal{Typed: ast.Of(Scalar(ULong), pos), Value: ctypes.IntValue(ULong, n)}
}

// conditionalType is the type of ?: for its two sides, or nil.
func (c *checker) conditionalType(x, y Expr) *Type {
	a, b := x.Type(), y.Type()
	switch {
	case a.Equal(b) && !a.IsScalar() && a.Kind != Pointer, c.isScoped(a) && same(a, b):
		return a
	case a.Kind == Pointer && isZero(y):
		return a
	case b.Kind == Pointer && isZero(x):
		return b
	case a.Kind == Pointer && b.Kind == Pointer:
		u := *a
		u.Const, u.Volatile = a.Const || b.Const, a.Volatile || b.Volatile
		if a.Space != b.Space {
			u.Space = 0 // either space: generic
		}
		return &u
	case a.Kind == Void || b.Kind == Void:
		return Scalar(Void)
	}
	return c.usualType(a, b)
}

// vectorConditional types ?: with a vector condition: each lane selects, by
// the sign bit of its lane of the condition.
func (c *checker) vectorConditional(cond, x, y Expr, t *Type, pos Pos) Expr {
	ct := cond.Type()
	if t.IsScalar() {
		t = c.vectorOf(t.Kind, ct.Len)
	}
	if t.Kind != Vector || t.Len != ct.Len || !ct.Elem.IsInteger() {
		return c.fail(pos, "a condition of type %v cannot select between %v", ct, t)
	}
	x, y = c.convert(x, t, "?:"), c.convert(y, t, "?:")
	if isInvalid(x, y) {
		return invalidAt(pos)
	}
	return &Cond{Typed: ast.Of(t, pos), C: cond, X: x, Y: y}
}
