package lower

import (
	"math"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
)

// ConstInt is the constant v of an integer, Pred or Ptr type, wrapped to it.
func ConstInt(t Type, v int64) Operand {
	return Operand{Kind: OperandConst, Type: t, Bits: wrapBits(t, uint64(v))}
}

// ConstFloat is the constant f of a floating type, rounded to it.
func ConstFloat(t Type, f float64) Operand {
	o := Operand{Kind: OperandConst, Type: t}
	switch t {
	case F16:
		o.Bits = uint64(halfBits(f))
	case F32:
		o.Bits = uint64(math.Float32bits(float32(f)))
	default:
		o.Bits = math.Float64bits(f)
	}
	return o
}

// Float is the number that a constant of a floating type stands for.
func (o Operand) Float() float64 {
	switch o.Type {
	case F16:
		return halfFloat(uint16(o.Bits))
	case F32:
		return float64(math.Float32frombits(uint32(o.Bits)))
	}
	return math.Float64frombits(o.Bits)
}

// number is the constant n of any type.
func number(t Type, n float64) Operand {
	if t.IsFloat() {
		return ConstFloat(t, n)
	}
	return ConstInt(t, int64(n))
}

// zero is the constant 0, false or null of any type.
func zero(t Type) Operand { return Operand{Kind: OperandConst, Type: t} }

// wrapBits keeps the low bits of v that t holds, extended to 64 by its sign where it is an integer.
func wrapBits(t Type, v uint64) uint64 {
	switch t {
	case Pred:
		if v != 0 {
			return 1
		}
		return 0
	case S8:
		return uint64(int64(int8(v)))
	case U8:
		return uint64(uint8(v))
	case S16:
		return uint64(int64(int16(v)))
	case U16, F16:
		return uint64(uint16(v))
	case S32:
		return uint64(int64(int32(v)))
	case U32, F32:
		return uint64(uint32(v))
	}
	return v
}

// scalarTypes maps C's scalars to register types.
var scalarTypes = [...]Type{ctypes.Bool: Pred, ctypes.Char: S8, ctypes.UChar: U8, ctypes.Short: S16, ctypes.UShort: U16,
	ctypes.Int: S32, ctypes.UInt: U32, ctypes.Long: S64, ctypes.ULong: U64, ctypes.Half: F16, ctypes.Float: F32,
	ctypes.Double: F64}

// irType is the register type of a scalar or pointer, or of a vector's lanes,
// and 0 for everything else.
func irType(t *ctypes.Type) Type {
	t = t.Base()
	switch {
	case t.Kind == ctypes.Pointer, t.IsImage():
		return Ptr
	case t.Kind == ctypes.Opaque: // the bits of a sampler, an event
		return U32
	}
	if int(t.Kind) < len(scalarTypes) {
		return scalarTypes[t.Kind]
	}
	return 0
}

// constant is the value of an expression that is one in the source: a literal,
// its conversion or negation.
func constant(e ast.Expr) (Operand, bool) {
	switch e := e.(type) {
	case *ast.Literal:
		t := irType(e.T)
		switch {
		case t == 0:
			return Operand{}, false
		case t.IsFloat():
			return ConstFloat(t, e.Value.Float), true
		}
		return ConstInt(t, e.Value.Int), true
	case *ast.Convert:
		if e.Saturate || e.Rounding != "" || e.T.Lanes() != 1 {
			return Operand{}, false
		}
		if c, ok := constant(e.X); ok {
			return foldConvert(c, irType(e.T))
		}
	case *ast.Unary:
		if e.Op != ctypes.Neg || e.T.Lanes() != 1 {
			return Operand{}, false
		}
		if c, ok := constant(e.X); ok {
			if c.Type.IsFloat() {
				return ConstFloat(c.Type, -c.Float()), true
			}
			return ConstInt(c.Type, -int64(c.Bits)), true
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
		return ConstFloat(t, c.Float()), true
	case c.Type.IsFloat() && t == Pred:
		return ConstInt(Pred, b2i(c.Float() != 0)), true
	case c.Type.IsFloat():
		f := math.Trunc(c.Float())
		lo, hi := intRange(t)
		if t == Ptr || math.IsNaN(f) || f < lo || f >= hi {
			return Operand{}, false
		}
		if t == U64 {
			return Operand{Kind: OperandConst, Type: t, Bits: uint64(f)}, true
		}
		return ConstInt(t, int64(f)), true
	case t.IsFloat():
		if c.Type == U64 {
			return ConstFloat(t, float64(c.Bits)), true
		}
		if t == F32 { // once, not by way of double
			return Operand{Kind: OperandConst, Type: t, Bits: uint64(math.Float32bits(float32(int64(c.Bits))))}, true
		}
		return ConstFloat(t, float64(int64(c.Bits))), true
	}
	return ConstInt(t, int64(c.Bits)), true
}

// intRange is the half-open range [lo, hi) of an integer type.
func intRange(t Type) (lo, hi float64) {
	bits := int(8 * t.Size())
	if t.IsSigned() {
		return -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)
	}
	return 0, math.Ldexp(1, bits)
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
