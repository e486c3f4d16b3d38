package arithmetic

import (
	"math"
	"math/bits"

	"gpupipe/lower"
)

// Canon extends the low bits of v as type t requires.
func Canon(t lower.Type, v uint64) uint64 {
	switch t {
	case lower.Pred:
		return v & 1
	case lower.S8:
		return uint64(int64(int8(v)))
	case lower.U8:
		return uint64(uint8(v))
	case lower.S16:
		return uint64(int64(int16(v)))
	case lower.U16:
		return uint64(uint16(v))
	case lower.S32:
		return uint64(int64(int32(v)))
	case lower.U32:
		return uint64(uint32(v))
	}
	return v
}

// FromBool is the lane value of a condition.
func FromBool(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// ToFloat reads a floating lane value.
func ToFloat(t lower.Type, v uint64) float64 {
	if t == lower.F64 {
		return math.Float64frombits(v)
	}
	return float64(math.Float32frombits(uint32(v)))
}

// FromFloat rounds f to type t and returns its lane value.
func FromFloat(t lower.Type, f float64) uint64 {
	switch t {
	case lower.F64:
		return math.Float64bits(f)
	case lower.F16, lower.BF16:
		return uint64(math.Float32bits(float32(roundFloat(t, "", f))))
	}
	return uint64(math.Float32bits(float32(f)))
}

// LaneBits turns the bits of a constant or of memory into a lane value.
func LaneBits(t lower.Type, u uint64) uint64 {
	if t.IsHalf() {
		return uint64(math.Float32bits(float32(lower.Operand{Type: t, Bits: u}.Float())))
	}
	return Canon(t, u)
}

// Binary evaluates op on two lane values of type t; ok is false where the
// result is not defined (division by zero).
func Binary(op lower.Op, t lower.Type, a, b uint64) (r uint64, ok bool) {
	if t.IsFloat() {
		return binaryFloat(op, t, ToFloat(t, a), ToFloat(t, b))
	}
	signed := t.IsSigned()
	switch op {
	case lower.Add:
		r = a + b
	case lower.Sub:
		r = a - b
	case lower.Mul:
		r = a * b
	case lower.Div, lower.Rem:
		if b == 0 {
			return 0, false
		}
		switch {
		case !signed && op == lower.Div:
			r = a / b
		case !signed:
			r = a % b
		case int64(b) == -1 && op == lower.Div:
			r = -a
		case int64(b) == -1:
			r = 0
		case op == lower.Div:
			r = uint64(int64(a) / int64(b))
		default:
			r = uint64(int64(a) % int64(b))
		}
	case lower.And:
		r = a & b
	case lower.Or:
		r = a | b
	case lower.Xor:
		r = a ^ b
	case lower.Shl, lower.Shr:
		return Shift(op, t, a, ShiftCount(t, b, false)), true
	case lower.Min:
		r = a
		if less(t, b, a) {
			r = b
		}
	case lower.Max:
		r = a
		if less(t, a, b) {
			r = b
		}
	case lower.MulHi:
		r = mulHi(t, a, b)
	case lower.Eq:
		return FromBool(a == b), true
	case lower.Ne:
		return FromBool(a != b), true
	case lower.Lt:
		return FromBool(less(t, a, b)), true
	case lower.Le:
		return FromBool(!less(t, b, a)), true
	case lower.Gt:
		return FromBool(less(t, b, a)), true
	case lower.Ge:
		return FromBool(!less(t, a, b)), true
	default:
		return 0, false
	}
	return Canon(t, r), true
}

func less(t lower.Type, a, b uint64) bool {
	if t.IsSigned() {
		return int64(a) < int64(b)
	}
	return a < b
}

func mulHi(t lower.Type, a, b uint64) uint64 {
	if n := 8 * t.Size(); n < 64 {
		if t.IsSigned() {
			return uint64(int64(a) * int64(b) >> n)
		}
		return a * b >> n
	}
	hi, _ := bits.Mul64(a, b)
	if t.IsSigned() {
		if int64(a) < 0 {
			hi -= b
		}
		if int64(b) < 0 {
			hi -= a
		}
	}
	return hi
}

func binaryFloat(op lower.Op, t lower.Type, a, b float64) (uint64, bool) {
	switch op {
	case lower.Add:
		return FromFloat(t, a+b), true
	case lower.Sub:
		return FromFloat(t, a-b), true
	case lower.Mul:
		return FromFloat(t, a*b), true
	case lower.Div:
		return FromFloat(t, a/b), true
	case lower.Min:
		return FromFloat(t, minNumber(a, b)), true
	case lower.Max:
		return FromFloat(t, -minNumber(-a, -b)), true
	case lower.Eq:
		return FromBool(a == b), true
	case lower.Ne:
		return FromBool(a != b), true
	case lower.Lt:
		return FromBool(a < b), true
	case lower.Le:
		return FromBool(a <= b), true
	case lower.Gt:
		return FromBool(a > b), true
	case lower.Ge:
		return FromBool(a >= b), true
	}
	return 0, false
}

// minNumber is C's fmin: the other operand where one is NaN.
func minNumber(a, b float64) float64 {
	switch {
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	}
	return math.Min(a, b)
}

// Unary evaluates Neg, Not and Abs.
func Unary(op lower.Op, t lower.Type, a uint64) (uint64, bool) {
	if t.IsFloat() {
		f := ToFloat(t, a)
		switch op {
		case lower.Neg:
			return FromFloat(t, -f), true
		case lower.Abs:
			return FromFloat(t, math.Abs(f)), true
		}
		return 0, false
	}
	switch op {
	case lower.Neg:
		return Canon(t, -a), true
	case lower.Not:
		return Canon(t, ^a), true
	case lower.Abs:
		if t.IsSigned() {
			a = uint64(max(int64(a), -int64(a)))
		}
		return Canon(t, a), true
	}
	return 0, false
}

// mathFuncs are the functions that can be evaluated for known arguments.
var mathFuncs = map[string]func(x float64) float64{
	"sqrt": math.Sqrt, "rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },
	"exp": math.Exp, "exp2": math.Exp2, "log": math.Log, "log2": math.Log2, "log10": math.Log10,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan,
	"floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "rint": math.RoundToEven, "round": math.Round,
}

// Call evaluates a math function on known lane values, of which the first has type from.
func Call(fn string, t, from lower.Type, args []uint64) (uint64, bool) {
	if !t.IsFloat() {
		return callInteger(fn, t, from, args)
	}
	base, mode := lower.Mode(fn)
	if base == "sqrt" && mode != "" {
		return Moded(lower.Call, mode, t, args)
	}
	if f, ok := mathFuncs[fn]; ok && len(args) == 1 {
		return FromFloat(t, f(ToFloat(t, args[0]))), true
	}
	if len(args) == 2 {
		x, y := ToFloat(t, args[0]), ToFloat(t, args[1])
		switch fn {
		case "pow", "powr":
			return FromFloat(t, math.Pow(x, y)), true
		case "fmod":
			return FromFloat(t, math.Mod(x, y)), true
		}
	}
	return 0, false
}
