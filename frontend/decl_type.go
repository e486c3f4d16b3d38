package frontend

import (
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/encoding"
	"gpupipe/idg"

	"modernc.org/cc/v4"
)

// qualifiers are those of a declared object or of what a pointer points to.
type qualifiers struct {
	space      Space // 0 = none given
	isConst    bool
	isVolatile bool
	isRestrict bool
	isRef      bool // a pointer that stands for a CUDA reference
	isWritten  bool // an image that is write_only or read_write
}

// declType is a type with the qualifiers of the object that has it.
type declType struct {
	*Type
	qualifiers
}

// invalidType is the type of everything that could not be typed.
var invalidType = &Type{}

// specifiers are the declaration specifiers beside the type.
type specifiers struct {
	isTypedef bool
	isExtern  bool
	isStatic  bool
	isAuto    bool // CUDA's auto: the initialiser's type
}

// spaceOfCount decodes the prelude's count of address space qualifiers.
var spaceOfCount = map[int]Space{
	encoding.QualGlobal: idg.SpaceGlobal, encoding.QualLocal: idg.SpaceLocal, encoding.QualConstant: idg.SpaceConstant, encoding.QualPrivate: idg.SpacePrivate,
	encoding.QualReadOnly: idg.SpaceImage, encoding.QualWriteOnly: idg.SpaceImage, encoding.QualReadWrite: idg.SpaceImage,
}

// specAcc gathers specifiers and qualifiers in whatever order they stand.
type specAcc struct {
	qualifiers
	typ     *Type
	fromDef qualifiers // of a typedef's type
	words   map[cc.TypeSpecifierCase]int
	marks   int // _Nonnull qualifiers, package encoding
	isAuto  bool
}

func (a *specAcc) qualifier(q *cc.TypeQualifier) {
	if q == nil {
		return
	}
	switch q.Case {
	case cc.TypeQualifierConst:
		a.isConst = true
	case cc.TypeQualifierVolatile:
		a.isVolatile = true
	case cc.TypeQualifierRestrict:
		a.isRestrict = true
	case cc.TypeQualifierNonnull:
		a.marks++
	}
}

// finishQualifiers decodes the marks.
func (c *checker) finishQualifiers(a *specAcc, n cc.Node) qualifiers {
	q := a.qualifiers
	if a.marks >= encoding.QualPipe && c.cfg.Dialect == OpenCL {
		c.unsupported(c.p.Pos(n), "pipes are", "use a __global buffer")
		a.marks, a.typ = 0, invalidType
	}
	if a.marks >= encoding.QualReference {
		q.isRef = true
		a.marks -= encoding.QualReference
	}
	if a.marks == encoding.QualWriteOnly || a.marks == encoding.QualReadWrite {
		q.isWritten = true
	}
	if a.marks > 0 {
		s, ok := spaceOfCount[a.marks]
		if !ok {
			c.errorf(c.p.Pos(n), codeSpace, "more than one address space in one declaration")
		}
		q.space = s
	}
	if q.space == 0 {
		q.space = a.fromDef.space
	}
	q.isConst = q.isConst || a.fromDef.isConst
	q.isVolatile = q.isVolatile || a.fromDef.isVolatile
	return q
}

// declSpecifiers reads the specifiers of a declaration.
func (c *checker) declSpecifiers(ds *cc.DeclarationSpecifiers) (declType, specifiers) {
	var a specAcc
	var sp specifiers
	for d := ds; d != nil; d = d.DeclarationSpecifiers {
		switch d.Case {
		case cc.DeclarationSpecifiersStorage:
			switch d.StorageClassSpecifier.Case {
			case cc.StorageClassSpecifierTypedef:
				sp.isTypedef = true
			case cc.StorageClassSpecifierExtern:
				sp.isExtern = true
			case cc.StorageClassSpecifierStatic:
				sp.isStatic = true
			}
		case cc.DeclarationSpecifiersTypeSpec:
			c.typeSpecifier(&a, d.TypeSpecifier)
		case cc.DeclarationSpecifiersTypeQual:
			a.qualifier(d.TypeQualifier)
		}
	}
	sp.isAuto = a.isAuto
	if ds == nil {
		return declType{Type: Scalar(Int)}, sp
	}
	return c.finishSpecifiers(&a, ds), sp
}

// qualifierList reads the specifiers of a struct member or type name.
func (c *checker) qualifierList(l *cc.SpecifierQualifierList) declType {
	var a specAcc
	for d := l; d != nil; d = d.SpecifierQualifierList {
		switch d.Case {
		case cc.SpecifierQualifierListTypeSpec:
			c.typeSpecifier(&a, d.TypeSpecifier)
		case cc.SpecifierQualifierListTypeQual:
			a.qualifier(d.TypeQualifier)
		}
	}
	return c.finishSpecifiers(&a, l)
}

func (c *checker) typeSpecifier(a *specAcc, s *cc.TypeSpecifier) {
	switch s.Case {
	case cc.TypeSpecifierTypeName:
		name := s.Token.SrcStr()
		sym := c.lookup(name)
		if sym == nil || sym.kind != symType || sym.missing {
			a.typ = invalidType
			c.undeclared(c.p.Pos(s.Token), name, "type")
			return
		}
		c.use(sym)
		a.typ, a.fromDef = sym.typ.Type, sym.typ.qualifiers
		a.isAuto = a.isAuto || name == encoding.TypeAuto
	case cc.TypeSpecifierStructOrUnion:
		a.typ = c.structSpecifier(s.StructOrUnionSpecifier)
	case cc.TypeSpecifierEnum:
		a.typ = c.enumSpecifier(s.EnumSpecifier)
	case cc.TypeSpecifierTypeofExpr:
		a.typ = c.rvalue(c.expr(s.ExpressionList)).Type()
	case cc.TypeSpecifierTypeofType:
		t := c.typeName(s.TypeName)
		a.typ, a.fromDef = t.Type, t.qualifiers
	default:
		if a.words == nil {
			a.words = map[cc.TypeSpecifierCase]int{}
		}
		a.words[s.Case]++
	}
}

// wordKinds maps one keyword to its signed and unsigned kind, most specific
// first ("long" before "int", "char" before "signed").
var wordKinds = []struct {
	word             cc.TypeSpecifierCase
	signed, unsigned Kind
}{
	{cc.TypeSpecifierVoid, Void, Void},
	{cc.TypeSpecifierBool, Bool, Bool},
	{cc.TypeSpecifierFloat16, Half, Half},
	{cc.TypeSpecifierFloat, Float, Float},
	{cc.TypeSpecifierDouble, Double, Double},
	{cc.TypeSpecifierChar, Char, UChar},
	{cc.TypeSpecifierShort, Short, UShort},
	{cc.TypeSpecifierLong, Long, ULong},
	{cc.TypeSpecifierInt, Int, UInt},
	{cc.TypeSpecifierSigned, Int, UInt},
	{cc.TypeSpecifierUnsigned, Int, UInt},
}

func (c *checker) finishSpecifiers(a *specAcc, n cc.Node) declType {
	t := a.typ
	if t == nil {
		t = invalidType
		for _, w := range wordKinds {
			if a.words[w.word] > 0 {
				t = Scalar(w.signed)
				if a.words[cc.TypeSpecifierUnsigned] > 0 {
					t = Scalar(w.unsigned)
				}
				break
			}
		}
		switch {
		case t.Kind == 0 && len(a.words) > 0:
			c.unsupported(c.p.Pos(n), "this arithmetic type is", "use one of char, short, int, long, half, float and double")
		case t.Kind == 0:
			t = Scalar(Int) // C90's implicit int
		}
	}
	a.typ = t
	q := c.finishQualifiers(a, n)
	if a.typ.IsImage() {
		u := *a.typ
		u.Const = !q.isWritten // an image without a qualifier is read_only
		a.typ = &u
	}
	return declType{a.typ, q}
}

// typeName reads the type of a cast, of sizeof or of a compound literal.
func (c *checker) typeName(n *cc.TypeName) declType {
	return c.abstractDeclarator(n.AbstractDeclarator, c.qualifierList(n.SpecifierQualifierList))
}

// pointers applies a declarator's stars.
func (c *checker) pointers(p *cc.Pointer, t declType) declType {
	for ; p != nil; p = p.Pointer {
		var a specAcc
		for q := p.TypeQualifiers; q != nil; q = q.TypeQualifiers {
			a.qualifier(q.TypeQualifier)
		}
		switch p.Case {
		case cc.PointerBlock:
			c.unsupported(c.p.Pos(p.Token), "blocks (^) are", "write an ordinary function")
			return declType{Type: invalidType}
		case cc.PointerTypeQual:
			// the star with qualifiers, like PointerPtr
		}
		q := c.finishQualifiers(&a, p)
		if t.Kind == Opaque && c.cfg.Dialect == OpenCL && t.Name != encoding.TypeEvent {
			c.unsupported(c.p.Pos(p.Token), "pointers to "+t.Name+" are", "pass the object itself")
			return declType{Type: invalidType}
		}
		t = declType{c.pointerTo(t, q.isRestrict), q}
	}
	return t
}

// pointerTo makes a pointer to a qualified type.
func (c *checker) pointerTo(t declType, restrict bool) *Type {
	if t.Kind == 0 {
		return invalidType
	}
	p := PointerTo(t.Type, t.space)
	p.Const, p.Volatile, p.Restrict = t.isConst, t.isVolatile, restrict
	return p
}

// vectorOf makes a vector type of the dialect's.
func (c *checker) vectorOf(k Kind, n int64) *Type {
	if c.cfg.Dialect == CUDA {
		return ctypes.CUDAVectorOf(k, n)
	}
	return VectorOf(k, n)
}

// withLanes gives a scalar type the lanes of another type.
func (c *checker) withLanes(k Kind, like *Type) *Type {
	if like.Kind == Vector {
		return c.vectorOf(k, like.Len)
	}
	return Scalar(k)
}

// kindsByName are the names that vector types and conversion functions are
// made of.
var kindsByName = map[string]Kind{
	"bool": Bool, "char": Char, "uchar": UChar, "short": Short, "ushort": UShort, "int": Int, "uint": UInt,
	"long": Long, "ulong": ULong, "longlong": Long, "ulonglong": ULong,
	"half": Half, "__half": Half, "float": Float, "double": Double,
}

// namedType is the scalar or vector type of the language called name ("uint",
// "float4"), or nil.
func (c *checker) namedType(name string) *Type {
	base := strings.TrimRight(name, "0123456789")
	k, ok := kindsByName[base]
	if !ok {
		return nil
	}
	if base == name {
		return Scalar(k)
	}
	n, err := strconv.Atoi(name[len(base):])
	if err != nil {
		return nil
	}
	switch n {
	case 2, 3, 4:
		return c.vectorOf(k, int64(n))
	case 1:
		if c.cfg.Dialect == CUDA {
			return c.vectorOf(k, 1)
		}
	case 8, 16:
		if c.cfg.Dialect == OpenCL {
			return c.vectorOf(k, int64(n))
		}
	}
	return nil
}

// preludeType is what a typedef of the prelude stands for, given the type that
// the prelude wrote.
func (c *checker) preludeType(name string, written *Type) *Type {
	if name == "dim3" {
		return c.vectorOf(UInt, 3)
	}
	if t := c.namedType(name); t != nil {
		return t
	}
	if name == "__nv_bfloat162" || name == "nv_bfloat162" {
		return c.vectorOf(Half, 2)
	}
	opaque := encoding.OpenCLOpaque
	if c.cfg.Dialect == CUDA {
		opaque = encoding.CUDAOpaque
	}
	if slices.Contains(opaque, name) {
		return &Type{Kind: Opaque, Name: name}
	}
	return written
}

// fillSpaces gives every pointer without a space the space s, at all levels.
// Types are immutable: it returns a new one where something changes.
func fillSpaces(t *Type, s Space) *Type {
	switch t.Kind {
	case Pointer, Array:
		elem := fillSpaces(t.Elem, s)
		if elem == t.Elem && (t.Kind == Array || t.Space != 0) {
			return t
		}
		u := *t
		u.Elem = elem
		if t.Kind == Pointer && u.Space == 0 {
			u.Space = s
		}
		return &u
	}
	return t
}

// declaredType completes the type of a variable, member or parameter: in
// OpenCL C 1.2 a pointer without a space points to private memory.
func (c *checker) declaredType(t *Type) *Type {
	if c.cfg.Dialect == OpenCL {
		return fillSpaces(t, idg.SpacePrivate)
	}
	return t
}
