package resolve

import (
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// CUDA's functions of half and bfloat16 (CUDA Math API, Half Precision Intrinsics, Bfloat16 Precision Intrinsics).

// halfOperators are the operations that half functions stand for: __hadd is +.
var halfOperators = map[string]ctypes.Op{
	"add": ctypes.Add, "sub": ctypes.Sub, "mul": ctypes.Mul, "div": ctypes.Div, "gt": ctypes.Gt, "lt": ctypes.Lt,
	"ge": ctypes.Ge, "le": ctypes.Le, "eq": ctypes.Eq, "ne": ctypes.Ne,
}

// halfMath are the math functions of half: hexp, h2exp.
var halfMath = []string{"exp", "exp2", "exp10", "log", "log2", "log10", "sqrt", "rsqrt", "sin", "cos", "floor", "ceil",
	"rint", "trunc", "tanh"}

// halfCall types a function on half or half2; false means that the name is none
// of them or that no argument has such a type.
func (c *checker) halfCall(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	if e, ok := c.halfConversion(name, args, pos); ok {
		return e, true
	}
	if e, ok := c.halfAtomic(name, args, pos); ok {
		return e, true
	}
	if len(args) == 0 || isInvalid(args...) || !args[0].Type().Base().IsHalf() {
		return nil, false
	}
	t := args[0].Type()
	as := func(n int) bool {
		if len(args) != n {
			return false
		}
		for i := range args {
			args[i] = c.convert(args[i], t, name)
		}
		return !isInvalid(args...)
	}
	fn, suffix, ok := halfFunction(name)
	if !ok {
		return nil, false
	}
	e := c.halfOperation(name, fn, suffix, args, as, pos)
	return e, e != nil
}

// halfOperation types a function on half by what it does and its suffix, nil of one that is not known.
func (c *checker) halfOperation(name, fn, suffix string, args []ast.Expr, as func(int) bool, pos diag.Pos) ast.Expr {
	t := args[0].Type()
	math := func(fn string, args ...ast.Expr) ast.Expr { return builtin(builtins.Math, fn, t, pos, args...) }
	op, isOperator := halfOperators[strings.TrimPrefix(fn, "b")]
	switch {
	case isOperator && op.IsComparison() && strings.HasPrefix(fn, "b") && isHalfPair(t) && as(2):
		return c.bothLanes(op, args[0], args[1], pos) // __hbeq2
	case isOperator && fn[0] != 'b' && suffix == "rn" && as(2):
		return math(fn+"_rte", args...)
	case isOperator && fn[0] != 'b' && as(2):
		return c.limited(name, suffix, c.binary(op, args[0], args[1], pos), pos)
	case slices.Contains(halfMath, fn) && as(1):
		return math(fn, args[0])
	case fn == "fma" && as(3):
		return c.limited(name, suffix, math("fma", args...), pos)
	case (fn == "max" || fn == "min") && suffix == "nan" && as(2):
		return math("f"+fn+"_nan", args...)
	case (fn == "max" || fn == "min") && as(2):
		return math("f"+fn, args...)
	case fn == "isnan" && as(1):
		return c.isNaN(args[0], pos)
	case fn == "neg" && as(1):
		return c.unary(ctypes.Neg, args[0], pos)
	case fn == "abs" && as(1):
		return math("fabs", args[0])
	case fn == "rcp" && as(1):
		return c.binary(ctypes.Div, c.convert(number(ctypes.Int, 1, pos), t, name), args[0], pos)
	}
	return nil
}

// limited is what a function of this suffix gives: between 0 and 1, 0 of a NaN; or at least 0, NaN of one.
func (c *checker) limited(name, suffix string, e ast.Expr, pos diag.Pos) ast.Expr {
	if suffix == "" || isInvalid(e) {
		return e
	}
	bound := func(n int64) ast.Expr { return c.convert(number(ctypes.Int, n, pos), e.Type(), name) }
	if suffix == "relu" {
		return builtin(builtins.Math, "fmax_nan", e.Type(), pos, e, bound(0))
	}
	e = builtin(builtins.Math, "fmax", e.Type(), pos, e, bound(0))
	return builtin(builtins.Math, "fmin", e.Type(), pos, e, bound(1))
}

// isNaN compares a number with itself: 1 in the lanes of a pair that are NaN, true of one number.
func (c *checker) isNaN(x ast.Expr, pos diag.Pos) ast.Expr {
	decl, ref := ownVariable("number", c.rvalue(x), pos)
	e := c.binary(ctypes.Ne, ref, ref, pos)
	return &ast.StmtExpr{Typed: ast.Of(e.Type(), pos), Stmts: []ast.Stmt{decl}, X: e}
}

// halfSuffixes are those that functions on half may have.
var halfSuffixes = map[string][]string{"sat": {"add", "sub", "mul", "fma"}, "rn": {"add", "sub", "mul"},
	"relu": {"fma"}, "nan": {"max", "min"}}

// halfFunction is what a function on half does: fma and sat for __hfma2_sat; ok is false where the name is none of
// theirs.
func halfFunction(name string) (fn, suffix string, ok bool) {
	fn, inner := strings.CutPrefix(name, "__h")
	if !inner {
		fn, ok = strings.CutPrefix(name, "h")
		fn = strings.TrimPrefix(fn, "2")
		return fn, "", ok && (slices.Contains(halfMath, fn) || fn == "rcp")
	}
	fn, suffix, _ = strings.Cut(fn, "_")
	fn = strings.TrimPrefix(strings.TrimSuffix(fn, "2"), "2")
	_, operator := halfOperators[strings.TrimPrefix(fn, "b")]
	known := operator || slices.Contains([]string{"fma", "max", "min", "neg", "abs", "isnan"}, fn)
	return fn, suffix, known && (suffix == "" || slices.Contains(halfSuffixes[suffix], fn))
}

// isHalfName reports whether a name is that of a function on half.
func isHalfName(name string) bool {
	_, _, ok := halfFunction(name)
	return ok
}

// isHalfPair reports whether t is half2 or __nv_bfloat162.
func isHalfPair(t *ctypes.Type) bool {
	return t.Kind == ctypes.Vector && t.Elem.IsHalf() && t.Len == 2
}

// bothLanes compares two pairs of halves by an operator: true where both lanes compare so (CUDA Math API, Half2
// Comparison Functions, __hbeq2).
func (c *checker) bothLanes(op ctypes.Op, x, y ast.Expr, pos diag.Pos) ast.Expr {
	x, y = c.rvalue(x), c.convert(y, x.Type(), "operand")
	if isInvalid(x, y) {
		return invalidAt(pos)
	}
	var stmts []ast.Stmt
	lane := func(e ast.Expr, name string) func(i int) ast.Expr {
		decl, ref := ownVariable(name, e, pos)
		stmts = append(stmts, decl)
		return func(i int) ast.Expr {
			return &ast.Swizzle{Typed: ast.Of(ref.T.Elem, pos), X: ref, Lanes: []int{i}}
		}
	}
	left, right := lane(x, "left"), lane(y, "right")
	both := c.convert(c.binary(ctypes.And, c.binary(op, left(0), right(0), pos), c.binary(op, left(1), right(1), pos),
		pos), ctypes.Scalar(ctypes.Bool), "a comparison")
	return &ast.StmtExpr{Typed: ast.Of(both.Type(), pos), Stmts: stmts, X: both}
}

// wordsOfDouble types the functions that make a double of two words, or take one of them, which is a register.
func (c *checker) wordsOfDouble(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	words, lane := c.vectorOf(ctypes.UInt, 2), 0
	switch name {
	case "__hiloint2double":
		if !c.takes(name, 2, args, pos) {
			return invalidAt(pos), true
		}
		word := ctypes.Scalar(ctypes.UInt)
		v := c.makeVector([]ast.Expr{c.convert(args[1], word, name), c.convert(args[0], word, name)}, words, false, pos)
		return &ast.Bitcast{Typed: of(ctypes.Scalar(ctypes.Double), pos, v), X: v}, true
	case "__double2hiint":
		lane = 1
	case "__double2loint":
	default:
		return nil, false
	}
	if !c.takes(name, 1, args, pos) {
		return invalidAt(pos), true
	}
	x := c.convert(args[0], ctypes.Scalar(ctypes.Double), name)
	word := &ast.Swizzle{Typed: of(words.Elem, pos, x), X: &ast.Bitcast{Typed: ast.Of(words, pos), X: x},
		Lanes: []int{lane}}
	return c.convert(word, ctypes.Scalar(ctypes.Int), name), true
}

// halfAtomic types atomicAdd of a half2, which is one operation on its word (nvcc 11.8: ATOM.ADD.F16x2).
func (c *checker) halfAtomic(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	if name != "atomicAdd" || len(args) != 2 || args[0].Type().Kind != ctypes.Pointer {
		return nil, false
	}
	half2, word := args[0].Type().Elem, ctypes.Scalar(ctypes.UInt)
	if !isHalfPair(half2) {
		return nil, false
	}
	p := c.castValue(args[0], ctypes.PointerTo(word, args[0].Type().Space), pos)
	x := c.convert(args[1], half2, name)
	old := builtin(builtins.Atomic, "atomic_add", word, pos, p, &ast.Bitcast{Typed: of(word, pos, x), X: x})
	return &ast.Bitcast{Typed: of(half2, pos, old), X: old}, true
}

// halfConversion types the conversions that make or take half2.
func (c *checker) halfConversion(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	half := ctypes.Scalar(ctypes.Half)
	if strings.Contains(name, "bfloat16") {
		half = bfloat16
	}
	name = strings.ReplaceAll(name, "nv_bfloat16", "half")
	name = strings.ReplaceAll(strings.ReplaceAll(name, "bfloat162", "half2"), "bfloat16", "half")
	half2, float2 := c.vectorOf(half.Kind, 2), c.vectorOf(ctypes.Float, 2)
	lane := func(i int, t *ctypes.Type) (ast.Expr, bool) {
		if !c.takes(name, 1, args, pos) || args[0].Type().Kind != ctypes.Vector {
			return invalidAt(pos), true
		}
		return c.convert(&ast.Swizzle{Typed: ast.Of(args[0].Type().Elem, pos), X: args[0], Lanes: []int{i}}, t, name),
			true
	}
	vector := func(n int, from, to *ctypes.Type) (ast.Expr, bool) {
		if !c.takes(name, n, args, pos) {
			return invalidAt(pos), true
		}
		x := c.convert(args[0], from, name)
		if isInvalid(x) || from.Equal(to) {
			return x, true
		}
		return &ast.Convert{Typed: ast.Of(to, pos), X: x, Explicit: true}, true
	}
	switch name {
	case "__ushort_as_half", "__half_as_ushort", "__short_as_half", "__half_as_short":
		from, to, found := strings.Cut(strings.TrimPrefix(name, "__"), "_as_")
		x, t := c.namedType(from), half
		if from == "half" {
			x, t = half, c.namedType(to)
		}
		if !found || !c.takes(name, 1, args, pos) {
			return invalidAt(pos), true
		}
		e := c.convert(args[0], x, name)
		return &ast.Bitcast{Typed: of(t, pos, e), X: e}, true
	case "__low2float":
		return lane(0, ctypes.Scalar(ctypes.Float))
	case "__high2float":
		return lane(1, ctypes.Scalar(ctypes.Float))
	case "__low2half":
		return lane(0, half)
	case "__high2half":
		return lane(1, half)
	case "__half22float2":
		return vector(1, half2, float2)
	case "__float22half2_rn":
		return vector(1, float2, half2)
	case "__half2half2", "__float2half2_rn":
		if !c.takes(name, 1, args, pos) {
			return invalidAt(pos), true
		}
		return c.splat(c.convert(args[0], half, name), half2, true), true
	case "__halves2half2", "__floats2half2_rn", "make_half2":
		if !c.takes(name, 2, args, pos) {
			return invalidAt(pos), true
		}
		return c.makeVector(args, half2, false, pos), true
	}
	from, to, rounding, bits, ok := builtins.CUDAConversion(name)
	if !ok || bits || from != ctypes.Half && to != ctypes.Half || !c.takes(name, 1, args, pos) {
		return nil, false
	}
	x, t := ctypes.Scalar(from), ctypes.Scalar(to)
	if from == ctypes.Half {
		x = half
	}
	if to == ctypes.Half {
		t = half
	}
	e := c.convert(args[0], x, name)
	if rounding == "" || rounding == "rte" && x.IsFloat() && t.IsFloat() || isInvalid(e) {
		return c.convertScalar(e, t, true), true
	}
	return &ast.Convert{Typed: of(t, pos, e), X: e, Explicit: true, Rounding: rounding}, true
}
