package lower

import (
	"math"

	"gpupipe/frontend/ctypes"
)

// ConstInt is the constant v of an integer, Pred or Ptr type, wrapped to it.
func ConstInt(t Type, v int64) Operand {
	return Operand{Kind: OperandConst, Type: t, Bits: WrapBits(t, uint64(v))}
}

// ConstFloat is the constant f of a floating type, rounded to it.
func ConstFloat(t Type, f float64) Operand {
	o := Operand{Kind: OperandConst, Type: t}
	switch t {
	case F16:
		o.Bits = uint64(HalfBits(f))
	case BF16:
		o.Bits = uint64(BFloatBits(f))
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
		return HalfFloat(uint16(o.Bits))
	case BF16:
		return BFloatFloat(uint16(o.Bits))
	case F32:
		return float64(math.Float32frombits(uint32(o.Bits)))
	}
	return math.Float64frombits(o.Bits)
}

// Zero is the constant 0, false or null of any type.
func Zero(t Type) Operand { return Operand{Kind: OperandConst, Type: t} }

// WrapBits keeps the low bits of v that t holds, extended to 64 by its sign where it is an integer.
func WrapBits(t Type, v uint64) uint64 {
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
	case U16, F16, BF16:
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
	ctypes.Int: S32, ctypes.UInt: U32, ctypes.Long: S64, ctypes.ULong: U64, ctypes.Half: F16, ctypes.BFloat: BF16,
	ctypes.Float: F32, ctypes.Double: F64}

// IrType is the register type of a scalar or pointer, or of a vector's lanes,
// and 0 for everything else.
func IrType(t *ctypes.Type) Type {
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

func B2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
