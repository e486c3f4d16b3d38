package ctypes

import (
	"fmt"
	"strconv"
	"strings"

	"gpupipe/idg"
)

// Space is the address space that an object lives in or a pointer points to.
type Space = idg.Space

// Kind is what a Type is.
type Kind uint8

// The kinds. Scalars run from Bool to Double, in order of conversion rank
// within the integers. The zero value is invalid.
const (
	Void Kind = iota + 1
	Bool
	Char // signed 8 bit
	UChar
	Short
	UShort
	Int
	UInt
	Long // 64 bit
	ULong
	Half   // IEEE binary16
	BFloat // CUDA's __nv_bfloat16: the exponents of float and 8 significant bits
	Float
	Double
	Vector  // Len lanes of the scalar Elem; 3-lane vectors occupy 4 unless Packed
	Pointer // to Elem in Space
	Array   // Len elements of Elem
	Struct  // Fields at their offsets
	Union   // Fields all at offset 0
	Opaque  // image, sampler, event: named by Name; Const is a read_only image
)

// Type is an immutable C type. Scalars are shared: compare with Equal.
//
// A pointer of CUDA's has Space 0 wherever the language leaves the space open:
// in device functions, local variables and struct members. Such a pointer is
// generic; what it points to is found when the function is inlined. Kernel
// parameters point to global memory, the address of an object to its own space.
// OpenCL pointers always have the space that was declared, private by default.
type Type struct {
	Kind     Kind
	Elem     *Type   // Vector, Pointer, Array
	Len      int64   // lanes or elements
	Space    Space   // Pointer: the pointee's address space, 0 = generic (CUDA)
	Fields   []Field // Struct, Union
	Name     string  // Struct, Union, Opaque
	Const    bool    // Pointer: the pointee is const; Opaque: a read_only image
	Restrict bool    // Pointer
	Volatile bool    // Pointer: the pointee is volatile
	Packed   bool    // Vector: three lanes take the room of three (CUDA)
	OfMember bool    // Opaque: functions whose pointers are two words, as those to members (Itanium C++ ABI, 2.3)
	size     int64   // Struct, Union
	filled   int64   // Struct: without padding behind the last member
	align    int64   // Struct, Union; Vector: 0 = its size
}

// Field is a member of a struct or union.
type Field struct {
	Name   string
	Type   *Type
	Offset int64 // bytes
	Align  int64 // which is asked for, in bytes; 0 where nothing is
	Behind int64 // padding in front of it that alignment does not ask for, in bytes
	// Volatile: each access in the source is executed.
	Volatile bool
	// Shares: the padding at its end is used by what follows, as that of a base that is no POD (Itanium C++ ABI, 2.4).
	Shares bool
	// Overlaps: an object without data that lies at Behind, where others may lie, too.
	Overlaps bool
}

// End is where what follows a member may begin, in bytes.
func (f *Field) End() int64 {
	if f.Shares {
		return f.Offset + f.Type.filled
	}
	return f.Offset + f.Type.Size()
}

// Filled is the size of a struct without the padding at its end.
func (t *Type) Filled() int64 { return t.filled }

// HasTail reports whether there is padding at the end of a struct.
func (t *Type) HasTail() bool { return t.Kind == Struct && t.filled < t.size }

// The names of CUDA's opaque types that are images.
const (
	Texture = "cudaTextureObject_t"
	Surface = "cudaSurfaceObject_t"
)

var scalars = func() (t [Double + 1]*Type) {
	for k := Void; k <= Double; k++ {
		t[k] = &Type{Kind: k}
	}
	return t
}()

// Scalar returns the type of a scalar kind or Void.
func Scalar(k Kind) *Type { return scalars[k] }

// SignedOf returns the signed integer kind of 1, 2, 4 or 8 bytes.
func SignedOf(bytes int64) Kind {
	switch bytes {
	case 1:
		return Char
	case 2:
		return Short
	case 8:
		return Long
	}
	return Int
}

// UnsignedOf returns the unsigned integer kind of 1, 2, 4 or 8 bytes: each follows its signed one.
func UnsignedOf(bytes int64) Kind { return SignedOf(bytes) + 1 }

// VectorOf returns the vector of n lanes (2, 3, 4, 8 or 16) of a scalar kind.
func VectorOf(k Kind, n int64) *Type { return &Type{Kind: Vector, Elem: scalars[k], Len: n} }

// CUDAVectorElements are the element types of CUDA's vector types, which have 1 to 4 components, by the
// names that make theirs: char4.
var CUDAVectorElements = []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong",
	"ulonglong", "float", "double"}

// CUDAVectorOf returns a vector type of CUDA's: three lanes are not padded, and
// no vector is aligned to more than 16 bytes (CUDA C Programming Guide, table
// "Alignment Requirements of Built-in Vector Types").
func CUDAVectorOf(k Kind, n int64) *Type {
	t := VectorOf(k, n)
	if n == 3 {
		t.Packed, t.align = true, t.Elem.Size()
	} else {
		t.align = min(16, t.Size())
	}
	return t
}

// PointerTo returns a pointer to elem in the given space.
func PointerTo(elem *Type, s Space) *Type { return &Type{Kind: Pointer, Elem: elem, Space: s} }

// ArrayOf returns an array of n elements.
func ArrayOf(elem *Type, n int64) *Type { return &Type{Kind: Array, Elem: elem, Len: n} }

var scalarSizes = [...]int64{Void: 1, Bool: 1, Char: 1, UChar: 1, Short: 2, UShort: 2, Int: 4, UInt: 4, Long: 8,
	ULong: 8, Half: 2, BFloat: 2, Float: 4, Double: 8}

// ToMember reports whether t is a pointer to member functions.
func (t *Type) ToMember() bool { return t.Kind == Pointer && t.Elem.OfMember }

// Size is the type's size in bytes.
func (t *Type) Size() int64 {
	switch t.Kind {
	case Vector:
		if t.Len == 3 && !t.Packed {
			return 4 * t.Elem.Size()
		}
		return t.Len * t.Elem.Size()
	case Pointer, Opaque:
		if t.ToMember() {
			return 16
		}
		return 8
	case Array:
		return t.Len * t.Elem.Size()
	case Struct, Union:
		return t.size
	}
	return scalarSizes[t.Kind]
}

// Align is the type's alignment in bytes.
func (t *Type) Align() int64 {
	switch t.Kind {
	case Array:
		return t.Elem.Align()
	case Struct, Union:
		return max(1, t.align)
	case Vector:
		if t.align > 0 {
			return t.align
		}
	case Pointer:
		return 8
	}
	return t.Size()
}

// NewStruct lays out a struct or union (C rules, natural alignment).
func NewStruct(k Kind, name string, fields []Field) *Type {
	t := &Type{Kind: k, Name: name}
	t.LayOut(fields, 0, 1)
	return t
}

// Extend gives a struct a size of at least so many bytes, as C++ does for addresses of their own ([class] 4).
func (t *Type) Extend(size int64) { t.size = max(t.size, (size+t.align-1)/t.align*t.align) }

// LayOut completes a struct or union with its fields. pack is the alignment that members have
// at most, 1 of a packed one, 0 = their own; minAlign raises the alignment of the whole (the aligned attribute).
func (t *Type) LayOut(fields []Field, pack, minAlign int64) {
	t.Fields, t.size, t.align = fields, 0, max(1, minAlign)
	whole := int64(0)
	for i := range t.Fields {
		f := &t.Fields[i]
		a := f.Type.Align()
		if pack > 0 {
			a = min(a, pack)
		}
		a = max(a, f.Align)
		t.align = max(t.align, a)
		if t.Kind == Union {
			t.size = max(t.size, f.Type.Size())
			continue
		}
		if f.Overlaps {
			f.Offset, whole = f.Behind, max(whole, f.Behind+f.Type.Size())
			continue
		}
		f.Offset = (t.size + f.Behind + a - 1) / a * a
		t.size = f.End()
		if f.Shares { // its own padding stays in the object
			whole = max(whole, f.Offset+f.Type.Size())
		}
	}
	t.filled, t.size = t.size, max(t.size, whole)
	t.size = (t.size + t.align - 1) / t.align * t.align
}

// IsComplete reports whether objects of type t have a size: false for void, a
// struct that was only named and an array of unknown length.
func (t *Type) IsComplete() bool {
	switch t.Kind {
	case Void, 0:
		return false
	case Struct, Union:
		return t.align > 0
	case Array:
		return t.Len >= 0 && t.Elem.IsComplete()
	}
	return true
}

// IsClass reports whether t is a struct or union: a class of C++.
func (t *Type) IsClass() bool { return t.Kind == Struct || t.Kind == Union }

// IsArith reports whether t is a number, bool or a vector.
func (t *Type) IsArith() bool { return t.IsScalar() || t.Kind == Vector }

// IsImage reports whether t is one of OpenCL's image types, or a texture or
// surface of CUDA's.
func (t *Type) IsImage() bool {
	return t.Kind == Opaque && (strings.HasPrefix(t.Name, "image") || t.Name == Texture || t.Name == Surface)
}

// IsScalar reports whether t is a number or bool.
func (t *Type) IsScalar() bool { return t.Kind >= Bool && t.Kind <= Double }

// IsInteger reports whether t is bool or an integer scalar.
func (t *Type) IsInteger() bool { return t.Kind >= Bool && t.Kind <= ULong }

// IsFloat reports whether t is a floating scalar.
func (t *Type) IsFloat() bool { return t.Kind >= Half && t.Kind <= Double }

// IsHalf reports whether t is a floating scalar of 16 bits.
func (t *Type) IsHalf() bool { return t.Kind == Half || t.Kind == BFloat }

// IsUnsigned reports whether t is an unsigned integer scalar or bool.
func (t *Type) IsUnsigned() bool {
	switch t.Kind {
	case Bool, UChar, UShort, UInt, ULong:
		return true
	}
	return false
}

// Base is the scalar type of a vector, and t itself otherwise.
func (t *Type) Base() *Type {
	if t.Kind == Vector {
		return t.Elem
	}
	return t
}

// Lanes is the number of components: Len of a vector, else 1.
func (t *Type) Lanes() int {
	if t.Kind == Vector {
		return int(t.Len)
	}
	return 1
}

// Equal reports whether two types are the same, qualifiers aside. As in C,
// two struct declarations are two types, however alike.
func (t *Type) Equal(u *Type) bool {
	if t == u {
		return true
	}
	switch {
	case t.Kind != u.Kind || t.Len != u.Len || t.Space != u.Space:
		return false
	case t.Kind == Struct || t.Kind == Union:
		return false
	case t.Kind == Opaque:
		return t.Name == u.Name
	}
	return t.Elem == nil || t.Elem.Equal(u.Elem)
}

var kindNames = [...]string{Void: "void", Bool: "bool", Char: "char", UChar: "uchar", Short: "short", UShort: "ushort",
	Int: "int", UInt: "uint", Long: "long", ULong: "ulong", Half: "half", BFloat: "__nv_bfloat16", Float: "float",
	Double: "double"}

// String prints the type in OpenCL's words: "__global float4 *".
func (t *Type) String() string {
	switch t.Kind {
	case Vector:
		return fmt.Sprintf("%v%d", t.Elem, t.Len)
	case Pointer:
		var b strings.Builder
		if t.Space != 0 {
			fmt.Fprintf(&b, "__%v ", t.Space)
		}
		if t.Const {
			b.WriteString("const ")
		}
		return b.String() + t.Elem.String() + " *"
	case Array:
		dims, elem := "", t
		for ; elem.Kind == Array; elem = elem.Elem {
			dims += fmt.Sprintf("[%d]", elem.Len)
		}
		return elem.String() + dims
	case Struct:
		return "struct " + t.Name
	case Union:
		return "union " + t.Name
	case Opaque:
		return t.Name
	}
	if t.Kind != 0 && int(t.Kind) < len(kindNames) {
		return kindNames[t.Kind]
	}
	return "invalid type"
}

// Element is the type of element i of an array or of field i of a struct.
func (t *Type) Element(i int64) *Type {
	if t.Kind == Array {
		return t.Elem
	}
	return t.Fields[i].Type
}

// LaneName names a lane as a member: .x, .y, .z, .w in short vectors, .s0 to .sf in long ones.
func LaneName(i, lanes int) string {
	if lanes <= 4 {
		return "." + "xyzw"[i:i+1]
	}
	return fmt.Sprintf(".s%x", i)
}

// Part is the type of a lane, member or element by its path, such as ".x" or ".pos[2].y"; nil if there is none.
func (t *Type) Part(path string) *Type {
	if path == "" {
		return t
	}
	switch t.Kind {
	case Vector:
		for i := range t.Lanes() {
			if path == LaneName(i, t.Lanes()) {
				return t.Elem
			}
		}
	case Struct:
		for _, f := range t.Fields {
			if rest, ok := strings.CutPrefix(path, "."+f.Name); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				return f.Type.Part(rest)
			}
		}
	case Array:
		index, rest, _ := strings.Cut(path, "]")
		if n, err := strconv.ParseInt(strings.TrimPrefix(index, "["), 10, 64); err == nil && 0 <= n && n < t.Len {
			return t.Elem.Part(rest)
		}
	}
	return nil
}
