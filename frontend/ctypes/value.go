package ctypes

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// Constant evaluation follows C exactly for every type: integers wrap at their
// own width, floats are rounded to their own precision after each operation,
// conversions truncate. A Value's integer is kept sign-extended for signed
// types and zero-extended for unsigned types of up to 32 bits; a ulong's bits
// are those of the int64.

// Value is a compile-time constant: an integer (Int, two's complement for
// unsigned types as well) or a floating number (Float).
type Value struct {
	Type  *Type // scalar
	Int   int64
	Float float64
}

// String prints a value with its type as a suffix: 3, 3u, 3ul, 1.5f, 1.5,
// (uchar)3.
func (v Value) String() string {
	suffix, prefix := "", ""
	switch v.Type.Kind {
	case Int, Double:
	case UInt:
		suffix = "u"
	case Long:
		suffix = "l"
	case ULong:
		suffix = "ul"
	case Float:
		suffix = "f"
	case Half:
		suffix = "h"
	default:
		prefix = "(" + v.Type.String() + ")"
	}
	if !v.Type.IsFloat() {
		if v.Type.Kind == ULong {
			return prefix + strconv.FormatUint(uint64(v.Int), 10) + suffix
		}
		return prefix + strconv.FormatInt(v.Int, 10) + suffix
	}
	bits := 64
	if v.Type.Kind != Double {
		bits = 32
	}
	s := strconv.FormatFloat(v.Float, 'g', -1, bits)
	if !strings.ContainsAny(s, ".eIN") {
		s += ".0"
	}
	return s + suffix
}

// ErrDivisionByZero is the one way in which an operation on constants fails.
var ErrDivisionByZero = errors.New("division by zero")

// IntValue returns an integer constant, wrapped to the type's width.
func IntValue(k Kind, v int64) Value {
	return Value{Type: Scalar(k), Int: Wrap(k, v)}
}

// FloatValue returns a floating constant, rounded to the type's precision.
func FloatValue(k Kind, v float64) Value {
	return Value{Type: Scalar(k), Float: round(k, v)}
}

// BoolValue is the int 0 or 1 that C's comparisons give.
func BoolValue(b bool) Value {
	if b {
		return IntValue(Int, 1)
	}
	return IntValue(Int, 0)
}

// IsTrue reports whether the value is not zero.
func (v Value) IsTrue() bool {
	if v.Type.IsFloat() {
		return v.Float != 0
	}
	return v.Int != 0
}

// Wrap reduces v to the width of an integer kind.
func Wrap(k Kind, v int64) int64 {
	switch k {
	case Bool:
		if v != 0 {
			return 1
		}
		return 0
	case Char:
		return int64(int8(v))
	case UChar:
		return int64(uint8(v))
	case Short:
		return int64(int16(v))
	case UShort:
		return int64(uint16(v))
	case Int:
		return int64(int32(v))
	case UInt:
		return int64(uint32(v))
	}
	return v
}

// RoundBFloat rounds v to bfloat16, once, to nearest even: 8 significant bits of exponents from -126 on.
func RoundBFloat(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	_, e := math.Frexp(v)
	e = max(e-8, -133)
	r := math.Ldexp(math.RoundToEven(math.Ldexp(v, -e)), e)
	if math.Abs(r) > 0x1.fep127 {
		return math.Inf(int(math.Copysign(1, v)))
	}
	return r
}

// round rounds v to the precision of a floating kind.
func round(k Kind, v float64) float64 {
	switch k {
	case Float:
		return float64(float32(v))
	case Half:
		return roundHalf(v)
	case BFloat:
		return RoundBFloat(v)
	}
	return v
}

// roundHalf rounds to the nearest IEEE binary16 value, ties to even: 11
// significant bits, exponents down to -14 (denormals in steps of 2^-24),
// infinity from 65520.
func roundHalf(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	if math.Abs(v) >= 65520 {
		return math.Inf(int(math.Copysign(1, v)))
	}
	_, e := math.Frexp(v) // |v| = f * 2^e, f in [1/2, 1)
	step := math.Ldexp(1, max(e-11, -24))
	return math.RoundToEven(v/step) * step
}

// Named is a value computed as a type of the language with the type that it stands for: long long is not long.
func (v Value) Named(t *Type) Value {
	if v.Type != nil && v.Type.Kind == t.Kind {
		v.Type = t
	}
	return v
}

// Convert converts a constant to a scalar type as a C cast does.
// Out-of-range conversions of floats to integers, undefined in C, saturate as
// GPUs do; NaN gives 0.
func Convert(v Value, to *Type) Value {
	switch {
	case to.Kind == Bool:
		b := BoolValue(v.IsTrue())
		return Value{Type: to, Int: b.Int}
	case to.IsInteger() && v.Type.IsFloat():
		return Value{Type: to, Int: floatToInt(to.Kind, v.Float)}
	case to.IsInteger():
		return Value{Type: to, Int: Wrap(to.Kind, v.Int)}
	case v.Type.IsFloat():
		return Value{Type: to, Float: round(to.Kind, v.Float)}
	case v.Type.Kind == ULong:
		// A uint64 beyond 2^53 is rounded once, straight to the target.
		if to.Kind == Float {
			return Value{Type: to, Float: float64(float32(uint64(v.Int)))}
		}
		return Value{Type: to, Float: round(to.Kind, float64(uint64(v.Int)))}
	case to.Kind == Float:
		return Value{Type: to, Float: float64(float32(v.Int))}
	}
	return Value{Type: to, Float: round(to.Kind, float64(v.Int))}
}

// intLimits holds the smallest and largest value of each integer kind but
// ulong, as floats.
var intLimits = [...][2]float64{
	Char: {math.MinInt8, math.MaxInt8}, UChar: {0, math.MaxUint8},
	Short: {math.MinInt16, math.MaxInt16}, UShort: {0, math.MaxUint16},
	Int: {math.MinInt32, math.MaxInt32}, UInt: {0, math.MaxUint32},
}

// InRange reports whether C defines the conversion of a number to an integer kind.
func InRange(f float64, k Kind) bool {
	f = math.Trunc(f)
	switch k {
	case Long:
		return f >= -1<<63 && f < 1<<63
	case ULong:
		return f >= 0 && f < 1<<64
	}
	return f >= intLimits[k][0] && f <= intLimits[k][1]
}

func floatToInt(k Kind, f float64) int64 {
	if math.IsNaN(f) {
		return 0
	}
	f = math.Trunc(f)
	switch k {
	case Long:
		if f >= 1<<63 {
			return math.MaxInt64
		}
		if f < -1<<63 {
			return math.MinInt64
		}
		return int64(f)
	case ULong:
		switch {
		case f <= 0:
			return 0
		case f >= 1<<64:
			return -1
		}
		return int64(uint64(f))
	}
	return int64(min(max(f, intLimits[k][0]), intLimits[k][1]))
}

// EvalUnary applies Neg, BitNot or Not to a constant of promoted type.
func EvalUnary(op Op, v Value) (Value, bool) {
	switch {
	case op == Not:
		return BoolValue(!v.IsTrue()), true
	case op == Neg && v.Type.IsFloat():
		return Value{Type: v.Type, Float: -v.Float}, true
	case op == Neg:
		return IntValue(v.Type.Kind, -v.Int), true
	case op == BitNot && v.Type.IsInteger():
		return IntValue(v.Type.Kind, ^v.Int), true
	}
	return Value{}, false
}

// EvalBinary applies an operator to two constants of the same type (the usual
// arithmetic conversions are done; a shift's count has the left operand's
// type). The error is ErrDivisionByZero; ok is false where the operator does
// not apply to the type.
func EvalBinary(op Op, x, y Value) (v Value, ok bool, err error) {
	switch op {
	case LogAnd:
		return BoolValue(x.IsTrue() && y.IsTrue()), true, nil
	case LogOr:
		return BoolValue(x.IsTrue() || y.IsTrue()), true, nil
	}
	switch {
	case x.Type.IsFloat():
		v, ok = evalFloat(op, x, y)
		return v, ok, nil
	case (op == Div || op == Rem) && y.Int == 0:
		return Value{}, false, ErrDivisionByZero
	case op.IsComparison():
		return BoolValue(compareInts(op, x, y)), true, nil
	}
	r, ok := evalInt(op, x, y)
	return IntValue(x.Type.Kind, r), ok, nil
}

func evalFloat(op Op, x, y Value) (Value, bool) {
	a, b := x.Float, y.Float
	var r float64
	switch op {
	case Add:
		r = a + b
	case Sub:
		r = a - b
	case Mul:
		r = a * b
	case Div:
		r = a / b
	case Eq:
		return BoolValue(a == b), true
	case Ne:
		return BoolValue(a != b), true
	case Lt:
		return BoolValue(a < b), true
	case Le:
		return BoolValue(a <= b), true
	case Gt:
		return BoolValue(a > b), true
	case Ge:
		return BoolValue(a >= b), true
	default:
		return Value{}, false
	}
	// Rounding the double result again is exact for +, -, * and / of floats:
	// a double has more than 2*24+2 bits (Figueroa, "When is double rounding
	// innocuous?", 1995).
	return Value{Type: x.Type, Float: round(x.Type.Kind, r)}, true
}

func compareInts(op Op, x, y Value) bool {
	less, equal := x.Int < y.Int, x.Int == y.Int
	if x.Type.Kind == ULong {
		less = uint64(x.Int) < uint64(y.Int)
	}
	switch op {
	case Eq:
		return equal
	case Ne:
		return !equal
	case Lt:
		return less
	case Le:
		return less || equal
	case Gt:
		return !less && !equal
	}
	return !less
}

// evalInt computes on two integers of one kind; the caller wraps the result
// and has excluded a zero divisor.
func evalInt(op Op, x, y Value) (int64, bool) {
	a, b := x.Int, y.Int
	unsigned := x.Type.IsUnsigned()
	switch op {
	case Add:
		return a + b, true
	case Sub:
		return a - b, true
	case Mul:
		return a * b, true
	case Div:
		if unsigned {
			return int64(uint64(a) / uint64(b)), true
		}
		return a / b, true // Go defines MinInt64 / -1 as MinInt64
	case Rem:
		if unsigned {
			return int64(uint64(a) % uint64(b)), true
		}
		return a % b, true
	case And:
		return a & b, true
	case Or:
		return a | b, true
	case Xor:
		return a ^ b, true
	case Shl, Shr:
		// OpenCL C 6.3.j: the count is taken modulo the width.
		n := uint(b) & uint(x.Type.Size()*8-1)
		switch {
		case op == Shl:
			return a << n, true
		case unsigned:
			return int64(uint64(a) >> n), true
		}
		return a >> n, true
	}
	return 0, false
}
