package scalar

import (
	"math"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/unroll/arithmetic"
)

// fold evaluates an operation of which all operands are constants.
func fold(in *ir.Instr) (bits uint64, ok bool) {
	if len(in.Args) == 0 || in.Op == lower.Mov || len(in.Results) != 1 {
		return 0, false
	}
	for _, a := range in.Args {
		if !a.IsConst() {
			return 0, false
		}
	}
	args := make([]uint64, len(in.Args))
	for i, a := range in.Args {
		args[i] = arithmetic.LaneBits(a.Type, a.Bits)
	}
	if in.Op == lower.Bitcast {
		return foldBitcast(in.Type, in.Args[0].Bits), true
	}
	r, ok := Evaluate(in, args)
	if t := ir.ResultType(in); ok && t.IsHalf() {
		r = lower.ConstFloat(t, arithmetic.ToFloat(t, r)).Bits
	}
	return r, ok
}

// Evaluate is what an operation gives for operands as package arithmetic has them.
func Evaluate(in *ir.Instr, args []uint64) (uint64, bool) {
	t := in.Type
	if in.Moded() {
		return arithmetic.Moded(in.Op, in.Fn, t, args)
	}
	switch op := in.Op; op {
	case lower.Shl, lower.Shr:
		return arithmetic.Shift(op, t, args[0], arithmetic.ShiftCount(t, args[1], in.Fn == "clamp")), true
	case lower.Neg, lower.Not, lower.Abs:
		return arithmetic.Unary(op, t, args[0])
	case lower.Fma:
		if t.IsFloat() {
			return arithmetic.Fma(t, args), true
		}
		return arithmetic.Canon(t, args[0]*args[1]+args[2]), true
	case lower.Select:
		if args[0] != 0 {
			return args[1], true
		}
		return args[2], true
	case lower.Convert:
		if in.From.IsFloat() && t.IsInteger() && !fits(arithmetic.ToFloat(in.From, args[0]), t) && in.Fn == "" {
			return 0, false // C does not define it
		}
		return arithmetic.Convert(t, in.From, in.Fn, args[0]), true
	case lower.Bitcast:
		return arithmetic.Canon(t, args[0]), !t.IsFloat() && !in.From.IsFloat()
	case lower.PtrAdd, lower.PtrDiff, lower.Index:
		return 0, false
	case lower.Call:
		return arithmetic.Call(in.Fn, t, in.Args[0].Type, args)
	default:
		if len(args) != 2 {
			return 0, false
		}
		return arithmetic.Binary(op, t, args[0], args[1])
	}
}

// fits reports whether the whole part of a number is one of an integer type.
func fits(x float64, t ir.Type) bool {
	bits := int(8 * t.Size())
	lo, hi := 0.0, math.Ldexp(1, bits)
	if t.IsSigned() {
		lo, hi = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)
	}
	return math.Trunc(x) >= lo && math.Trunc(x) < hi
}

// foldBitcast keeps the bits of a constant. Integers are extended from their own width.
func foldBitcast(t ir.Type, bits uint64) uint64 {
	if t.IsFloat() && t != lower.F64 {
		return bits & (1<<(8*t.Size()) - 1)
	}
	return arithmetic.Canon(t, bits)
}

// isAllOnes reports whether a value is the constant of which all bits are set.
func isAllOnes(v *ir.Value) bool {
	return ir.IsInt(v, -1) || v.IsConst() && v.Type == lower.Pred && v.Bits == 1
}

// float is the number that a constant of a floating type stands for.
func float(v *ir.Value) (float64, bool) {
	if !v.IsConst() || !v.Type.IsFloat() {
		return 0, false
	}
	return v.Operand().Float(), true
}

// isFloat reports whether a value is the floating constant x, of the same sign.
func isFloat(v *ir.Value, x float64) bool {
	y, ok := float(v)
	return ok && x == y && math.Signbit(x) == math.Signbit(y)
}

// width is the number of bits of a type.
func width(t ir.Type) int64 {
	if t == lower.Pred {
		return 1
	}
	return 8 * t.Size()
}

// power is k of a constant 2^k, which is not the sign of its type.
func power(v *ir.Value) (k int64, ok bool) {
	if !v.IsConst() || !v.Type.IsInteger() || v.Type.IsSigned() && v.Int() <= 0 || v.Bits == 0 ||
		v.Bits&(v.Bits-1) != 0 {
		return 0, false
	}
	for b := v.Bits; b > 1; b >>= 1 {
		k++
	}
	return k, true
}
