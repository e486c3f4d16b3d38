package lower

// Type is the scalar type of a register or an operation. Vectors and structs
// are lowered to one register for each component.
type Type uint8

// The types. The zero value is invalid ("no type": void results).
const (
	Pred Type = iota + 1 // a condition
	S8
	U8
	S16
	U16
	S32
	U32
	S64
	U64
	F16
	BF16
	F32
	F64
	Ptr // an address: 64 bits
)

var typeNames = [...]string{Pred: "pred", S8: "s8", U8: "u8", S16: "s16", U16: "u16", S32: "s32", U32: "u32",
	S64: "s64", U64: "u64", F16: "f16", BF16: "bf16", F32: "f32", F64: "f64", Ptr: "ptr"}

func (t Type) String() string {
	if t != 0 && int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "invalid"
}

// Size is the number of bytes of a value in memory.
func (t Type) Size() int64 {
	switch t {
	case Pred, S8, U8:
		return 1
	case S16, U16, F16, BF16:
		return 2
	case S32, U32, F32:
		return 4
	case S64, U64, F64, Ptr:
		return 8
	}
	return 0
}

// IsInteger reports whether t is an integer type (not Pred, not Ptr).
func (t Type) IsInteger() bool { return t >= S8 && t <= U64 }

// IsSigned reports whether t is a signed integer type.
func (t Type) IsSigned() bool { return t == S8 || t == S16 || t == S32 || t == S64 }

// IsFloat reports whether t is a floating type.
func (t Type) IsFloat() bool { return t >= F16 && t <= F64 }

// IsHalf reports whether t is a floating type of 16 bits.
func (t Type) IsHalf() bool { return t == F16 || t == BF16 }

// Unsigned is the unsigned integer of a type's size.
func (t Type) Unsigned() Type {
	return [...]Type{1: U8, 2: U16, 4: U32, 8: U64}[t.Size()]
}

// Signed is the signed integer of a type's size.
func (t Type) Signed() Type { return t.Unsigned() - 1 }
