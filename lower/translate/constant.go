package translate

import (
	"math"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/lower"
)

// constant is the value of an expression that is one in the source: a literal,
// its conversion or negation.
func constant(e ast.Expr) (Operand, bool) {
	switch e := e.(type) {
	case *ast.Literal:
		t := lower.IrType(e.T)
		switch {
		case t == 0:
			return Operand{}, false
		case t.IsFloat():
			return lower.ConstFloat(t, e.Value.Float), true
		}
		return lower.ConstInt(t, e.Value.Int), true
	case *ast.Convert:
		if e.Saturate || e.Rounding != "" || e.T.Lanes() != 1 {
			return Operand{}, false
		}
		if c, ok := constant(e.X); ok {
			return foldConvert(c, lower.IrType(e.T))
		}
	case *ast.Unary:
		if e.Op != ctypes.Neg || e.T.Lanes() != 1 {
			return Operand{}, false
		}
		if c, ok := constant(e.X); ok {
			if c.Type.IsFloat() {
				return lower.ConstFloat(c.Type, -c.Float()), true
			}
			return lower.ConstInt(c.Type, -int64(c.Bits)), true
		}
	}
	return Operand{}, false
}

// foldConvert converts a constant by C's rules. It declines a float that does
// not fit the integer type, which C leaves undefined.
func foldConvert(c Operand, t Type) (Operand, bool) {
	switch {
	case t == 0 || c.Kind != OperandConst:
		return Operand{}, false
	case t == c.Type:
		return c, true
	case c.Type.IsFloat() && t.IsFloat():
		return lower.ConstFloat(t, c.Float()), true
	case c.Type.IsFloat() && t == lower.Pred:
		return lower.ConstInt(lower.Pred, lower.B2i(c.Float() != 0)), true
	case c.Type.IsFloat():
		f := math.Trunc(c.Float())
		lo, hi := intRange(t)
		if t == lower.Ptr || math.IsNaN(f) || f < lo || f >= hi {
			return Operand{}, false
		}
		if t == lower.U64 {
			return Operand{Kind: OperandConst, Type: t, Bits: uint64(f)}, true
		}
		return lower.ConstInt(t, int64(f)), true
	case t.IsFloat():
		if c.Type == lower.U64 {
			return lower.ConstFloat(t, float64(c.Bits)), true
		}
		if t == lower.F32 { // once, not by way of double
			return Operand{Kind: OperandConst, Type: t, Bits: uint64(math.Float32bits(float32(int64(c.Bits))))}, true
		}
		return lower.ConstFloat(t, float64(int64(c.Bits))), true
	}
	return lower.ConstInt(t, int64(c.Bits)), true
}

// intRange is the half-open range [lo, hi) of an integer type.
func intRange(t Type) (lo, hi float64) {
	bits := int(8 * t.Size())
	if t.IsSigned() {
		return -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)
	}
	return 0, math.Ldexp(1, bits)
}

// number is the constant n of any type.
func number(t Type, n float64) Operand {
	if t.IsFloat() {
		return lower.ConstFloat(t, n)
	}
	return lower.ConstInt(t, int64(n))
}
