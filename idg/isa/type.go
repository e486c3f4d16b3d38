package isa

// Type is the type of an operand or a result. The zero value is none, or one that the table
// does not know.
type Type uint8

// The types.
const (
	Pred Type = iota + 1
	Bool
	S8
	U8
	S16
	U16
	F16
	BF16
	S32
	U32
	B32
	F32
	S64
	U64
	B64
	F64
	Ptr
)

var typeNames = [...]string{
	Pred: "pred", Bool: "bool", S8: "s8", U8: "u8", S16: "s16", U16: "u16", F16: "f16", BF16: "bf16",
	S32: "s32", U32: "u32", B32: "b32", F32: "f32", S64: "s64", U64: "u64", B64: "b64", F64: "f64", Ptr: "ptr",
}

func (t Type) String() string { return typeNames[t] }

var typesByName = indexOf[Type](typeNames[:])

// TypeNamed reads a type; 0: it is none.
func TypeNamed(name string) Type { return typesByName[name] }

// Words is how many 32-bit registers a scalar takes.
func (t Type) Words() int64 {
	switch {
	case t == Pred || t == Bool:
		return 0
	case t.Wide():
		return 2
	}
	return 1
}

// Float reports whether the type has floating-point numbers.
func (t Type) Float() bool { return t == F16 || t == BF16 || t == F32 || t == F64 }

// Wide reports whether the type has 64 bits.
func (t Type) Wide() bool { return t >= S64 }

// indexOf finds names in a table, of which the element 0 is none.
func indexOf[T ~uint8](names []string) map[string]T {
	index := make(map[string]T, len(names))
	for i, n := range names {
		if n != "" {
			index[n] = T(i)
		}
	}
	return index
}
