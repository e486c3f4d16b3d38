package arithmetic_test

// The oracle evaluates the IR's integer operations with Go's own typed arithmetic: slow, obvious, and independent of
// package arithmetic. In and out: lane values, as package arithmetic has them.

import (
	"math/big"
	"unsafe"

	"gpupipe/lower"
)

// integer is one of Go's integer types, which wrap around as the IR's do.
type integer interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64
}

// oracleBinary evaluates a binary integer operation. ok is false for a division by zero.
func oracleBinary(op lower.Op, t lower.Type, a, b uint64) (r uint64, ok bool) {
	switch t {
	case lower.Pred:
		r, ok = typedBinary(op, uint8(a), uint8(b), b)
		return r & 1, ok
	case lower.S8:
		return typedBinary(op, int8(a), int8(b), b)
	case lower.U8:
		return typedBinary(op, uint8(a), uint8(b), b)
	case lower.S16:
		return typedBinary(op, int16(a), int16(b), b)
	case lower.U16:
		return typedBinary(op, uint16(a), uint16(b), b)
	case lower.S32:
		return typedBinary(op, int32(a), int32(b), b)
	case lower.U32:
		return typedBinary(op, uint32(a), uint32(b), b)
	case lower.S64:
		return typedBinary(op, int64(a), int64(b), b)
	case lower.U64:
		return typedBinary(op, a, b, b)
	}
	return 0, false
}

// typedBinary evaluates op in T; shift is the second operand of a shift, which
// counts modulo T's width.
func typedBinary[T integer](op lower.Op, a, b T, shift uint64) (uint64, bool) {
	width := uint64(8 * unsafe.Sizeof(a))
	truth := func(c bool) (uint64, bool) {
		if c {
			return 1, true
		}
		return 0, true
	}
	var r T
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
		if r = a / b; op == lower.Rem {
			r = a % b
		}
	case lower.And:
		r = a & b
	case lower.Or:
		r = a | b
	case lower.Xor:
		r = a ^ b
	case lower.Shl:
		r = a << (shift % width)
	case lower.Shr:
		r = a >> (shift % width)
	case lower.Min:
		r = min(a, b)
	case lower.Max:
		r = max(a, b)
	case lower.MulHi:
		wide := new(big.Int).Mul(bigOf(a), bigOf(b))
		wide.Rsh(wide, uint(width))
		wide.And(wide, new(big.Int).SetUint64(1<<64-1)) // two's complement
		r = T(wide.Uint64())
	case lower.Eq:
		return truth(a == b)
	case lower.Ne:
		return truth(a != b)
	case lower.Lt:
		return truth(a < b)
	case lower.Le:
		return truth(a <= b)
	case lower.Gt:
		return truth(a > b)
	case lower.Ge:
		return truth(a >= b)
	default:
		return 0, false
	}
	return uint64(r), true
}

func bigOf[T integer](a T) *big.Int {
	if a < 0 {
		return big.NewInt(int64(a))
	}
	return new(big.Int).SetUint64(uint64(a))
}

// oracleUnary evaluates Neg, Not and Abs of integers.
func oracleUnary(op lower.Op, t lower.Type, a uint64) (uint64, bool) {
	switch op {
	case lower.Neg:
		return oracleBinary(lower.Sub, t, 0, a)
	case lower.Not:
		return oracleBinary(lower.Xor, t, a, 1<<64-1)
	case lower.Abs:
		if t.IsSigned() && int64(a) < 0 {
			return oracleBinary(lower.Sub, t, 0, a)
		}
		return a, true
	}
	return 0, false
}

// oracleConvert changes the integer type of a value.
func oracleConvert(to lower.Type, a uint64) uint64 {
	if to == lower.Pred {
		if a != 0 {
			return 1
		}
		return 0
	}
	r, _ := oracleBinary(lower.Or, to, a, 0)
	return r
}
