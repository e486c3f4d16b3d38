package resolve

import (
	"errors"
	"strconv"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// binary types an operation on two values.
func (c *checker) binary(op ctypes.Op, x, y ast.Expr, pos diag.Pos) ast.Expr {
	if isInvalid(x, y) {
		return invalidAt(pos)
	}
	xp, yp := x.Type().Kind == ctypes.Pointer, y.Type().Kind == ctypes.Pointer
	switch {
	case op == ctypes.LogAnd || op == ctypes.LogOr:
		return c.logical(op, x, y, pos)
	case op == ctypes.Shl || op == ctypes.Shr:
		return c.shift(op, x, y, pos)
	case op.IsComparison() && (xp || yp):
		return c.comparePointers(op, x, y, pos)
	case op == ctypes.Add && xp:
		return c.pointerAdd(x, y, false, pos)
	case op == ctypes.Add && yp:
		return c.pointerAdd(y, x, false, pos)
	case op == ctypes.Sub && xp && yp:
		return c.pointerDiff(x, y, pos)
	case op == ctypes.Sub && xp:
		return c.pointerAdd(x, y, true, pos)
	}
	x, y, t := c.usual(op, x, y, pos)
	if t == nil || isInvalid(x, y) {
		return invalidAt(pos)
	}
	switch op {
	case ctypes.Rem, ctypes.And, ctypes.Or, ctypes.Xor:
		if !t.Base().IsInteger() {
			e := c.errorf(pos, codeType, "operator %v needs integers, not %v", op, t)
			if op == ctypes.Rem {
				_ = e.WithNote("the remainder of floats is fmod(x, y)")
			}
			return invalidAt(pos)
		}
	}
	result := t
	if op.IsComparison() {
		result = c.comparisonType(t)
	}
	return c.fold(&ast.Binary{Typed: ast.Of(result, pos), Op: op, X: x, Y: y})
}

// fold evaluates an operation on literals.
func (c *checker) fold(b *ast.Binary) ast.Expr {
	x, ok := b.X.(*ast.Literal)
	y, ok2 := b.Y.(*ast.Literal)
	if !ok2 {
		return b
	}
	if (b.Op == ctypes.Div || b.Op == ctypes.Rem) && y.Type().IsInteger() && y.Value.Int == 0 && c.dead == 0 && !ok {
		c.warnf(b.P, codeConstant, "division by zero")
	}
	if !ok {
		return b
	}
	if c.cfg.Dialect == ast.CUDA && ctypes.Overflows(b.Op, x.Value, y.Value) {
		return b
	}
	v, ok, err := ctypes.EvalBinary(b.Op, x.Value, y.Value)
	if errors.Is(err, ctypes.ErrDivisionByZero) && c.dead == 0 {
		c.warnf(b.P, codeConstant, "division by zero")
	}
	if !ok {
		return b
	}
	return ast.LiteralOf(v.Named(b.T), b.P)
}

// logical types && and ||. OpenCL applies them to vectors too, lane by lane.
func (c *checker) logical(op ctypes.Op, x, y ast.Expr, pos diag.Pos) ast.Expr {
	if x.Type().Kind == ctypes.Vector || y.Type().Kind == ctypes.Vector {
		x, y, t := c.usual(op, x, y, pos)
		if t == nil || isInvalid(x, y) {
			return invalidAt(pos)
		}
		return &ast.Binary{Typed: ast.Of(c.comparisonType(t), pos), Op: op, X: x, Y: y}
	}
	what := "operator " + op.String()
	x, y = c.condition(x, what), c.condition(y, what)
	return c.fold(&ast.Binary{Typed: of(ctypes.Scalar(ctypes.Int), pos, x, y), Op: op, X: x, Y: y})
}

// shift types << and >>: the result has the left operand's promoted type, to
// which the count is converted.
func (c *checker) shift(op ctypes.Op, x, y ast.Expr, pos diag.Pos) ast.Expr {
	t := c.shiftType(op, x, y, pos)
	if t == nil {
		return invalidAt(pos)
	}
	defined := c.shiftCount(t, x, y, pos)
	x = c.convert(x, t, "operand")
	if y.Type().Kind == ctypes.Vector && !y.Type().Equal(t) {
		y = &ast.Convert{Typed: ast.Of(t, y.Pos()), X: y} // lane by lane
	} else {
		y = c.convert(y, t, "shift count")
	}
	b := &ast.Binary{Typed: of(t, pos, x, y), Op: op, X: x, Y: y}
	if !defined && c.constants > 0 {
		return b
	}
	return c.fold(b)
}

// shiftCount reports whether a shift by a constant count that is negative or not less than the width of the type t has
// a result: OpenCL C (6.3) takes the count modulo the width, which there is a warning of where a constant is shifted;
// C and C++ do not say. Package unroll warns of the shifts that a kernel executes.
func (c *checker) shiftCount(t *ctypes.Type, x, count ast.Expr, pos diag.Pos) bool {
	lit, ok := count.(*ast.Literal)
	width := 8 * t.Base().Size()
	if !ok || !lit.Type().IsInteger() || lit.Value.Int >= 0 && lit.Value.Int < width {
		return true
	}
	if c.cfg.Dialect != ast.OpenCL {
		return false
	}
	if _, constant := x.(*ast.Literal); constant && c.dead == c.constants {
		n := strconv.FormatInt(lit.Value.Int, 10)
		if lit.Type().IsUnsigned() {
			n = strconv.FormatUint(uint64(lit.Value.Int), 10)
		}
		c.unit.Warnings.Add(diag.Warningf(pos, codeConstant, "%v is shifted by %s bits", t, n).
			WithNote("OpenCL C shifts by the count modulo %d", width))
	}
	return true
}

func (c *checker) shiftType(op ctypes.Op, x, y ast.Expr, pos diag.Pos) *ctypes.Type {
	xt, yt := x.Type(), y.Type()
	if !xt.Base().IsInteger() || !yt.Base().IsInteger() || xt.Kind != ctypes.Vector && yt.Kind == ctypes.Vector ||
		yt.Kind == ctypes.Vector && xt.Len != yt.Len {
		c.badOperands(op, x, y, pos)
		return nil
	}
	return c.promoted(xt)
}

func (c *checker) comparePointers(op ctypes.Op, x, y ast.Expr, pos diag.Pos) ast.Expr {
	t := x.Type()
	switch u := y.Type(); {
	case t.Kind != ctypes.Pointer:
		t = u
	case u.Kind == ctypes.Pointer && c.derives(t.Elem, u.Elem):
		x = c.upcast(x, u.Elem, pos)
	case u.Kind == ctypes.Pointer && c.derives(u.Elem, t.Elem):
		y = c.upcast(y, t.Elem, pos)
	}
	if !(x.Type().Kind == ctypes.Pointer || isZero(x)) || !(y.Type().Kind == ctypes.Pointer || isZero(y)) {
		c.badOperands(op, x, y, pos)
		return invalidAt(pos)
	}
	toPointer := func(e ast.Expr) ast.Expr {
		if e.Type().Kind == ctypes.Pointer {
			return e
		}
		return &ast.Convert{Typed: ast.Of(t, e.Pos()), X: e}
	}
	return &ast.Binary{Typed: ast.Of(ctypes.Scalar(ctypes.Int), pos), Op: op, X: toPointer(x), Y: toPointer(y)}
}

// pointerAdd types pointer plus or minus integer.
func (c *checker) pointerAdd(p, i ast.Expr, sub bool, pos diag.Pos) ast.Expr {
	op := ctypes.Add
	if sub {
		op = ctypes.Sub
	}
	i = c.promote(i)
	if !i.Type().IsInteger() {
		c.badOperands(op, p, i, pos)
		return invalidAt(pos)
	}
	if !c.steppable(p.Type(), pos) {
		return invalidAt(pos)
	}
	return &ast.PtrAdd{Typed: ast.Of(p.Type(), pos), X: p, Index: i, Sub: sub}
}

// steppable reports whether what a pointer leads to has a size to step by, with an error if not. void
// has that of a byte, as in GCC.
func (c *checker) steppable(p *ctypes.Type, pos diag.Pos) bool {
	if c.funcTypes[p.Elem] != nil || !c.isComplete(p.Elem) && p.Elem.Kind != ctypes.Void {
		c.errorf(pos, codeType, "arithmetic on a pointer to the incomplete type %v", p.Elem)
		return false
	}
	return true
}

func (c *checker) pointerDiff(x, y ast.Expr, pos diag.Pos) ast.Expr {
	if !x.Type().Elem.Equal(y.Type().Elem) {
		c.badOperands(ctypes.Sub, x, y, pos)
		return invalidAt(pos)
	}
	if !c.steppable(x.Type(), pos) {
		return invalidAt(pos)
	}
	return &ast.Binary{Typed: ast.Of(ctypes.Scalar(ctypes.Long), pos), Op: ctypes.Sub, X: x, Y: y}
}

// unary types -x, ~x and !x.
func (c *checker) unary(op ctypes.Op, x ast.Expr, pos diag.Pos) ast.Expr {
	if isInvalid(x) {
		return invalidAt(pos)
	}
	t := x.Type()
	result := t
	switch {
	case op == ctypes.Not && t.Kind == ctypes.Vector:
		result = c.comparisonType(t)
	case op == ctypes.Not:
		if x = c.condition(x, "operator !"); isInvalid(x) {
			return x
		}
		result = ctypes.Scalar(ctypes.Int)
	case !t.IsArith() || c.isScoped(t) || op == ctypes.BitNot && !t.Base().IsInteger():
		return c.fail(pos, "operator %v does not take %v", op, t)
	default:
		x = c.promote(x)
		result = x.Type()
	}
	if lit, ok := x.(*ast.Literal); ok {
		if v, ok := ctypes.EvalUnary(op, lit.Value); ok {
			return ast.LiteralOf(v.Named(result), pos)
		}
	}
	return &ast.Unary{Typed: ast.Of(result, pos), Op: op, X: x}
}

func (c *checker) sizeof(t *ctypes.Type, align bool, pos diag.Pos) ast.Expr {
	if t.Kind == 0 {
		return invalidAt(pos)
	}
	if !t.IsComplete() {
		return c.fail(pos, "the incomplete type %v has no size", t)
	}
	if c.holders[t] != nil || t == autoType || t == overloadType || c.funcTypes[t] != nil {
		return c.fail(pos, "%v has no size", t)
	}
	n := t.Size()
	if align {
		n = t.Align()
	}
	return number(ctypes.ULong, n, pos)
}

// conditionalType is the type of ?: for its two sides, or nil.
func (c *checker) conditionalType(x, y ast.Expr) *ctypes.Type {
	a, b := x.Type(), y.Type()
	switch {
	case a.Equal(b) && !a.IsScalar() && a.Kind != ctypes.Pointer,
		same(a, b) && c.cfg.Dialect == ast.CUDA: // C promotes numbers of one type
		return a
	case a.Kind == ctypes.Pointer && isZero(y):
		return a
	case b.Kind == ctypes.Pointer && isZero(x):
		return b
	case a.Kind == ctypes.Pointer && b.Kind == ctypes.Pointer:
		u := *a
		if c.derives(a.Elem, b.Elem) || b.Elem.Kind == ctypes.Void {
			u = *b
		}
		u.Const, u.Volatile = a.Const || b.Const, a.Volatile || b.Volatile
		if a.Space != b.Space {
			u.Space = 0 // either space: generic
		}
		return &u
	case a.Kind == ctypes.Void || b.Kind == ctypes.Void:
		return ctypes.Scalar(ctypes.Void)
	}
	return c.usualType(a, b)
}

// vectorConditional types ?: with a vector condition: each lane selects, by
// the sign bit of its lane of the condition.
func (c *checker) vectorConditional(cond, x, y ast.Expr, t *ctypes.Type, pos diag.Pos) ast.Expr {
	ct := cond.Type()
	if t.IsScalar() {
		t = c.vectorOf(t.Kind, ct.Len)
	}
	if t.Kind != ctypes.Vector || t.Len != ct.Len || !ct.Elem.IsInteger() {
		return c.fail(pos, "a condition of type %v cannot select between %v", ct, t)
	}
	x, y = c.convert(x, t, "?:"), c.convert(y, t, "?:")
	return &ast.Cond{Typed: of(t, pos, x, y), C: cond, X: x, Y: y}
}
