package resolve

import (
	"fmt"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
)

// A type of C++ is a ctypes.Type with the qualifiers of the object that has it, or of what a reference refers to.
// Types that compute alike and are different types carry a name: an enumeration is its integer with a name, and so are
// long long and signed char. A class is the Struct or Union that its class made, one for each class.

// reference is what kind of reference a type is.
type reference uint8

const (
	noRef  reference = iota
	lvalue           // T &
	rvalue           // T &&
)

// qualifiers are those of a declared object or of what a pointer points to.
type qualifiers struct {
	space      ctypes.Space // 0 = none given
	isConst    bool
	isVolatile bool
	isRestrict bool
	ref        reference
	isWritten  bool // an image that is write_only or read_write
}

// qtype is a type with its qualifiers. Those of a reference are of what it refers to.
type qtype struct {
	*ctypes.Type
	qualifiers
}

// invalidType is the type of everything that could not be typed.
var invalidType = &ctypes.Type{}

var invalid = qtype{Type: invalidType}

func plain(t *ctypes.Type) qtype { return qtype{Type: t} }

// value is the type without its reference.
func (t qtype) value() qtype {
	t.ref = noRef
	return t
}

// Named scalars that are types of their own.
var (
	longLong   = &ctypes.Type{Kind: ctypes.Long, Name: "long long"}
	uLongLong  = &ctypes.Type{Kind: ctypes.ULong, Name: "unsigned long long"}
	signedChar = &ctypes.Type{Kind: ctypes.Char, Name: "signed char"}
	bfloat16   = ctypes.Scalar(ctypes.BFloat)
	wideChar   = &ctypes.Type{Kind: ctypes.Int, Name: "wchar_t"}
	char16     = &ctypes.Type{Kind: ctypes.UShort, Name: "char16_t"}
	char32     = &ctypes.Type{Kind: ctypes.UInt, Name: "char32_t"}
	nullType   = &ctypes.Type{Kind: ctypes.Pointer, Elem: ctypes.Scalar(ctypes.Void), Name: "std::nullptr_t"}
)

// same reports whether two types are one in C++: qualifiers below the top count, and so do the names of scalars.
func same(a, b *ctypes.Type) bool {
	if a == b {
		return true
	}
	if a.Kind != b.Kind || a.Len != b.Len || a.Name != b.Name {
		return false
	}
	switch a.Kind {
	case ctypes.Struct, ctypes.Union:
		return false
	case ctypes.Pointer:
		return a.Const == b.Const && a.Volatile == b.Volatile && same(a.Elem, b.Elem)
	case ctypes.Vector, ctypes.Array:
		return same(a.Elem, b.Elem)
	}
	return a.Name == "" // enumerations of one name are types of their own
}

// sameQual is same with the qualifiers at the top.
func sameQual(a, b qtype) bool {
	return a.isConst == b.isConst && a.isVolatile == b.isVolatile && a.ref == b.ref && same(a.Type, b.Type)
}

// isEnum reports whether no number becomes a value of t by itself: an enumeration, or a pointer to a member.
func (c *checker) isEnum(t *ctypes.Type) bool { return c.enums[t] != nil || c.memberPointers[t] != nil }

// isClass reports whether t is a class.
func isClass(t *ctypes.Type) bool { return t.IsClass() }

// key names a type for the memory of instances: equal for equal types only.
func (c *checker) key(t qtype) string {
	var b strings.Builder
	c.writeKey(&b, t.Type)
	if t.isConst {
		b.WriteString(" const")
	}
	if t.isVolatile {
		b.WriteString(" volatile")
	}
	b.WriteString([]string{"", "&", "&&"}[t.ref])
	return b.String()
}

func (c *checker) writeKey(b *strings.Builder, t *ctypes.Type) {
	switch t.Kind {
	case ctypes.Pointer:
		c.writeKey(b, t.Elem)
		if t.Const {
			b.WriteString(" const")
		}
		if t.Volatile {
			b.WriteString(" volatile")
		}
		b.WriteString("*" + t.Name)
		if t.Space != 0 && c.cfg.Dialect == ast.OpenCL {
			b.WriteString(t.Space.String())
		}
	case ctypes.Array:
		c.writeKey(b, t.Elem)
		b.WriteString("[" + strconv.FormatInt(t.Len, 10) + "]")
	case ctypes.Vector:
		c.writeKey(b, t.Elem)
		b.WriteString("." + strconv.FormatInt(t.Len, 10))
	case ctypes.Struct, ctypes.Union:
		fmt.Fprintf(b, "%p", t)
	default:
		if c.enums[t] != nil || c.unique[t] {
			fmt.Fprintf(b, "%p", t)
			return
		}
		fmt.Fprintf(b, "%d%s", t.Kind, t.Name)
	}
}

// scalarNames spell scalars as C++ does.
var scalarNames = map[ctypes.Kind]string{
	ctypes.UChar: "unsigned char", ctypes.UShort: "unsigned short", ctypes.UInt: "unsigned int",
	ctypes.ULong: "unsigned long",
}

// spell is a type as the user writes it.
func (c *checker) spell(t *ctypes.Type) string {
	if c.cfg.Dialect == ast.OpenCL {
		return t.String()
	}
	switch t.Kind {
	case ctypes.Pointer:
		if t.Name != "" {
			return t.Name
		}
		s := c.spell(t.Elem) + " *"
		if t.Const {
			return "const " + s
		}
		return s
	case ctypes.Array:
		dims, elem := "", t
		for ; elem.Kind == ctypes.Array; elem = elem.Elem {
			dims += fmt.Sprintf("[%d]", elem.Len)
		}
		return c.spell(elem) + dims
	case ctypes.Struct, ctypes.Union:
		return t.Name
	}
	if t.Name != "" {
		return t.Name
	}
	if s := scalarNames[t.Kind]; s != "" {
		return s
	}
	return t.String()
}

// spellQual is spell with the qualifiers and the reference.
func (c *checker) spellQual(t qtype) string {
	s := c.spell(t.Type)
	if t.isConst {
		if t.Kind == ctypes.Pointer {
			s += " const"
		} else {
			s = "const " + s
		}
	}
	return s + []string{"", " &", " &&"}[t.ref]
}

// pointerTo makes a pointer to a qualified type.
func (c *checker) pointerTo(t qtype, restrict bool) *ctypes.Type {
	if t.Kind == 0 {
		return invalidType
	}
	p := ctypes.PointerTo(t.Type, t.space)
	p.Const, p.Volatile, p.Restrict = t.isConst, t.isVolatile, restrict
	return p
}

// pointee is what a pointer leads to, with its qualifiers.
func pointee(p *ctypes.Type) qtype {
	return qtype{p.Elem, qualifiers{space: p.Space, isConst: p.Const, isVolatile: p.Volatile}}
}

// represented is the type of the variable that stands for an object of a type: a reference is a pointer.
func (c *checker) represented(t qtype) *ctypes.Type {
	if t.Kind == 0 {
		return invalidType
	}
	if t.ref == noRef {
		return c.declaredType(t.Type)
	}
	p := ctypes.PointerTo(t.Type, t.space)
	p.Const, p.Volatile = t.isConst, t.isVolatile
	if p.Space == 0 {
		p.Space = c.homeOf(t.Type)
	}
	return p
}

// homeOf is where objects of a type live: lambdas are variables of functions. 0 where the type does not say.
func (c *checker) homeOf(t *ctypes.Type) ctypes.Space {
	if cl := c.classes[t]; cl != nil && cl.closure != nil {
		return idg.SpacePrivate
	}
	return 0
}

// vectorOf makes a vector type of the dialect's.
func (c *checker) vectorOf(k ctypes.Kind, n int64) *ctypes.Type {
	if c.cfg.Dialect == ast.CUDA {
		return ctypes.CUDAVectorOf(k, n)
	}
	return ctypes.VectorOf(k, n)
}

// withLanes gives a scalar type the lanes of another type.
func (c *checker) withLanes(k ctypes.Kind, like *ctypes.Type) *ctypes.Type {
	if like.Kind == ctypes.Vector {
		return c.vectorOf(k, like.Len)
	}
	return ctypes.Scalar(k)
}

// kindsByName are the names that vector types and conversion functions are made of.
var kindsByName = map[string]ctypes.Kind{
	"bool": ctypes.Bool, "char": ctypes.Char, "uchar": ctypes.UChar, "short": ctypes.Short, "ushort": ctypes.UShort,
	"int": ctypes.Int, "uint": ctypes.UInt,
	"long": ctypes.Long, "ulong": ctypes.ULong, "longlong": ctypes.Long, "ulonglong": ctypes.ULong,
	"half": ctypes.Half, "__half": ctypes.Half, "float": ctypes.Float, "double": ctypes.Double,
}

// namedType is the scalar or vector type of the language called name ("uint", "float4"), or nil.
func (c *checker) namedType(name string) *ctypes.Type {
	base := strings.TrimRight(name, "0123456789")
	k, ok := kindsByName[base]
	if !ok {
		return nil
	}
	if base == name {
		return ctypes.Scalar(k)
	}
	n, err := strconv.Atoi(name[len(base):])
	if err != nil {
		return nil
	}
	switch n {
	case 2, 3, 4:
		return c.vectorOf(k, int64(n))
	case 1:
		if c.cfg.Dialect == ast.CUDA {
			return c.vectorOf(k, 1)
		}
	case 8, 16:
		if c.cfg.Dialect == ast.OpenCL {
			return c.vectorOf(k, int64(n))
		}
	}
	return nil
}

// fillSpaces gives every pointer without a space the space s, at all levels.
// Types are immutable: it returns a new one where something changes.
func fillSpaces(t *ctypes.Type, s ctypes.Space) *ctypes.Type {
	switch t.Kind {
	case ctypes.Pointer, ctypes.Array:
		elem := fillSpaces(t.Elem, s)
		if elem == t.Elem && (t.Kind == ctypes.Array || t.Space != 0) {
			return t
		}
		u := *t
		u.Elem = elem
		if t.Kind == ctypes.Pointer && u.Space == 0 {
			u.Space = s
		}
		return &u
	}
	return t
}

// declaredType completes the type of a variable, member or parameter: in
// OpenCL C 1.2 a pointer without a space points to private memory.
func (c *checker) declaredType(t *ctypes.Type) *ctypes.Type {
	if c.cfg.Dialect == ast.OpenCL {
		return fillSpaces(t, idg.SpacePrivate)
	}
	return t
}
