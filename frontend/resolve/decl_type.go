package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Types as declarations write them: specifiers, then the operators of a declarator.

// autoType stands for a type that an initialiser says.
var autoType = &ctypes.Type{Kind: ctypes.Opaque, Name: "auto"}

// spacesByName are the address spaces of the qualifiers.
var spacesByName = map[string]ctypes.Space{
	"global": idg.SpaceGlobal, "local": idg.SpaceLocal, "constant": idg.SpaceConstant, "private": idg.SpacePrivate,
	"generic": 0,
}

// specified is the type of specifiers, with the qualifiers.
func (c *checker) specified(s *syntax.Specifiers) qtype {
	t := c.typeSpec(s.Type, s.Pos)
	for _, mark := range s.Unknown {
		c.undeclared(mark.Pos, mark.Ident, "name")
	}
	return c.qualified(t, s.Quals, s.Pos)
}

// qualified adds qualifiers to a type; those of a reference do nothing.
func (c *checker) qualified(t qtype, q syntax.Quals, pos diag.Pos) qtype {
	if t.Kind == 0 {
		return t
	}
	if t.ref == noRef {
		t.isConst = t.isConst || q.Const
		t.isVolatile = t.isVolatile || q.Volatile
		t.isRestrict = t.isRestrict || q.Restrict
	}
	if q.Space != "" {
		s := spacesByName[q.Space]
		if t.space != 0 && t.space != s {
			c.errorf(pos, codeSpace, "more than one address space in one declaration")
		}
		t.space = s
	}
	if q.Access != "" {
		t.isWritten = q.Access != "read_only"
		if t.Kind != ctypes.Opaque {
			return t
		}
		t.space = idg.SpaceImage
	}
	if t.Type.IsImage() {
		u := *t.Type
		u.Const = !t.isWritten // an image without a qualifier is read_only
		t.Type = &u
	}
	return t
}

// typeSpec is the type of a type specifier.
func (c *checker) typeSpec(s syntax.TypeSpec, pos diag.Pos) qtype {
	switch s := s.(type) {
	case nil:
		return plain(ctypes.Scalar(ctypes.Int)) // C90's implicit int
	case *syntax.Builtin:
		return plain(c.builtinType(s))
	case *syntax.NamedType:
		return c.typeNamed(s)
	case *syntax.Auto:
		if s.Concept != nil && c.find(withoutArgs(s.Concept), false, "type") == nil {
			return invalid
		}
		return plain(autoType)
	case *syntax.Decltype:
		return c.decltype(s)
	case *syntax.Class:
		return plain(c.classSpecifier(s))
	case *syntax.Enum:
		return plain(c.enumSpecifier(s))
	}
	c.unsupported(pos, "this type is", "")
	return invalid
}

// wordKinds maps one keyword to its signed and unsigned kind, most specific
// first ("long" before "int", "char" before "signed").
var wordKinds = []struct {
	word             string
	signed, unsigned ctypes.Kind
}{
	{"void", ctypes.Void, ctypes.Void},
	{"bool", ctypes.Bool, ctypes.Bool},
	{"_Bool", ctypes.Bool, ctypes.Bool},
	{"half", ctypes.Half, ctypes.Half},
	{"_Float16", ctypes.Half, ctypes.Half},
	{"float", ctypes.Float, ctypes.Float},
	{"double", ctypes.Double, ctypes.Double},
	{"char", ctypes.Char, ctypes.UChar},
	{"short", ctypes.Short, ctypes.UShort},
	{"long", ctypes.Long, ctypes.ULong},
	{"int", ctypes.Int, ctypes.UInt},
	{"signed", ctypes.Int, ctypes.UInt},
	{"unsigned", ctypes.Int, ctypes.UInt},
}

func (c *checker) builtinType(s *syntax.Builtin) *ctypes.Type {
	count := func(words ...string) (n int) {
		for _, w := range s.Words {
			if slices.Contains(words, w) {
				n++
			}
		}
		return n
	}
	unsigned := count("unsigned") > 0
	switch {
	case count("wchar_t") > 0:
		return wideChar
	case count("char16_t") > 0:
		return char16
	case count("char32_t") > 0:
		return char32
	case c.cfg.Dialect == ast.CUDA && count("signed", "__signed__") > 0 && count("char") > 0:
		return signedChar
	case c.cfg.Dialect == ast.CUDA && count("long") > 1 && unsigned:
		return uLongLong
	case c.cfg.Dialect == ast.CUDA && count("long") > 1:
		return longLong
	case count("long") > 0 && count("double") > 0:
		return ctypes.Scalar(ctypes.Double)
	}
	for _, w := range wordKinds {
		if count(w.word) > 0 {
			if unsigned {
				return ctypes.Scalar(w.unsigned)
			}
			return ctypes.Scalar(w.signed)
		}
	}
	c.unsupported(s.Pos, "this arithmetic type is", "use one of char, short, int, long, half, float and double")
	return invalidType
}

// typeNamed is the type of a name.
func (c *checker) typeNamed(s *syntax.NamedType) qtype {
	if s.Tag != "" && len(s.Name.Parts) == 1 && !s.Name.Parts[0].HasArgs {
		return plain(c.elaborated(s))
	}
	what := "type"
	f := c.find(s.Name, s.Tag != "", what)
	if f == nil {
		return invalid
	}
	switch f.sym.kind {
	case symType:
		return f.sym.typ
	case symTemplate:
		if f.sym.tmpl.class != nil {
			return qtype{Type: c.placeholder(f.sym.tmpl)} // its arguments are deduced
		}
		c.errorf(s.Name.Pos, codeType, "%s needs template arguments", f.name)
		return invalid
	}
	c.errorf(s.Name.Pos, codeType, "%s is not a type", f.name)
	return invalid
}

// decltype is the type of an expression.
func (c *checker) decltype(s *syntax.Decltype) qtype {
	if s.Underlying {
		t := c.typeID(s.Type)
		if t.Kind != 0 && !c.isEnum(t.Type) {
			c.errorf(s.Pos, codeType, "%v is not an enumeration", t.Type)
			return invalid
		}
		return plain(ctypes.Scalar(c.underlying(t.Type)))
	}
	if s.Type != nil {
		return c.typeID(s.Type)
	}
	e := c.unevaluated(s.X)
	if isInvalid(e) {
		return invalid
	}
	if set, ok := e.(*overloads); ok {
		return c.typeOfName(set, s.X)
	}
	if s.Of {
		return plain(c.rvalue(e).Type())
	}
	t := c.typeOf(e)
	if t.ref == noRef && isPart(e) { // of a prvalue, an xvalue ([expr.ref])
		t.ref = rvalue
	}
	if id, ok := s.X.(*syntax.Ident); ok { // the type that the name was declared with
		if sym := c.lookupQuietly(id.Name); sym != nil && (sym.kind == symObject || sym.kind == symField) {
			t.ref = sym.ref
			t.isConst = t.isConst && (sym.kind == symObject || sym.typ.isConst)
		} else {
			t.ref = noRef
		}
	} else if _, ok := s.X.(*syntax.MemberExpr); ok {
		t.ref = noRef
		if f := c.memberIn(e); f != nil {
			t = f.typ
		}
	} else if t.ref == noRef {
		t.isConst = false
	}
	return t
}

// typeOfName is what decltype says of the name of a function, or of its address.
func (c *checker) typeOfName(set *overloads, x syntax.Expr) qtype {
	t := c.functionTypeOf(set)
	if t.Type == nil {
		c.errorf(x.ExprPos(), codeType, "the type of %s is not clear", set.name)
		return invalid
	}
	if u, ok := syntax.Bare(x).(*syntax.Unary); ok && u.Op == "&" {
		return plain(ctypes.PointerTo(t.Type, 0))
	}
	if _, ok := x.(*syntax.Paren); ok {
		t.ref = lvalue
	}
	return t
}

// typeID is the type of a cast, of sizeof or of a template argument.
func (c *checker) typeID(t *syntax.TypeID) qtype {
	return c.declared(t.Decl.Ops, c.specified(t.Specs), t.Specs.Pos)
}

// declared applies the operators of a declarator to a type, from the outermost of the declarator in.
func (c *checker) declared(ops []syntax.DeclOp, t qtype, pos diag.Pos) qtype {
	for i := len(ops) - 1; i >= 0; i-- {
		if t.Kind == 0 {
			if op, ok := ops[i].(*syntax.ArrayOp); ok && op.Size != nil {
				c.arrayLength(op.Size) // names in it are told of as well
			}
			t = invalid
			continue
		}
		switch op := ops[i].(type) {
		case *syntax.PointerOp:
			t = c.pointerOp(op, t, pos)
		case *syntax.MemberPtrOp:
			t = c.memberPointerOp(op, t, pos)
		case *syntax.RefOp:
			if t.Kind == ctypes.Void {
				c.errorf(pos, codeType, "a reference to void")
				t = invalid
				continue
			}
			if t.ref != lvalue { // references to references collapse
				if t.ref = rvalue; !op.Rvalue {
					t.ref = lvalue
				}
			}
		case *syntax.ArrayOp:
			t = c.arrayOf(op, t, pos)
		case *syntax.FuncOp:
			t = c.functionType(op, t)
		}
	}
	return t
}

func (c *checker) pointerOp(op *syntax.PointerOp, t qtype, pos diag.Pos) qtype {
	if t.ref != noRef {
		c.errorf(pos, codeType, "a pointer to a reference")
		return invalid
	}
	if c.funcTypes[t.Type] != nil && c.cfg.Dialect == ast.OpenCL {
		c.unsupported(pos, "pointers to functions are", "call the function directly")
		return invalid
	}
	if t.Kind == ctypes.Opaque && c.cfg.Dialect == ast.OpenCL && t.Name != typeEvent {
		c.unsupported(pos, "pointers to "+t.Name+" are", "pass the object itself")
		return invalid
	}
	q := c.qualified(plain(ctypes.Scalar(ctypes.Int)), op.Quals, pos).qualifiers
	return qtype{c.pointerTo(t, q.isRestrict), q}
}

// maxObjectSize bounds arrays, so that no size overflows: 1 TiB.
const maxObjectSize = 1 << 40

// arrayOf makes an array type; the size is nil for [].
func (c *checker) arrayOf(op *syntax.ArrayOp, elem qtype, pos diag.Pos) qtype {
	length := int64(-1)
	broken := qtype{invalidType, elem.qualifiers}
	if op.Size != nil {
		v, ok := c.arrayLength(op.Size)
		if !ok || elem.Kind == 0 {
			return broken
		}
		if beyondLong(v) {
			c.errorf(op.Size.ExprPos(), codeDeclare, "an array of %d elements is larger than any memory", uint64(v.Int))
			return broken
		}
		if length = v.Int; length <= 0 {
			c.errorf(op.Size.ExprPos(), codeDeclare, "an array of %d elements", length)
			return broken
		}
	}
	switch {
	case elem.Kind == 0:
		return elem
	case elem.Type == autoType || elem.ref != noRef:
		c.errorf(pos, codeDeclare, "an array of auto or of references")
		return broken
	case !c.isComplete(elem.Type):
		c.errorf(op.Pos, codeDeclare, "an array of the incomplete type %v", elem.Type)
		return broken
	case length > 0 && elem.Size() > maxObjectSize/length:
		c.errorf(op.Pos, codeDeclare, "an array of %d elements of %d bytes is larger than any memory", length,
			elem.Size())
		return broken
	}
	return qtype{ctypes.ArrayOf(elem.Type, length), elem.qualifiers}
}

// arrayLength evaluates the size in an array's brackets.
func (c *checker) arrayLength(n syntax.Expr) (ctypes.Value, bool) {
	e := c.constantExpr(n)
	_, ok := e.(*ast.Literal)
	if ref, isVar := variable(e).(*ast.VarRef); isVar && !ok {
		c.unsupported(ref.P, "arrays of variable length are", "").
			WithNote("make %s a macro (-D %s=...) or a const int with a constant value", ref.Obj.Name, ref.Obj.Name)
		return ctypes.Value{}, false
	}
	v, ok := c.integer(e, "the size of an array")
	c.computed(n, v)
	return v, ok
}

// isComplete reports whether objects of a type have a size; a class is completed for that.
func (c *checker) isComplete(t *ctypes.Type) bool {
	in := innermost(t)
	if cl := c.classes[in]; cl != nil {
		c.complete(cl)
	}
	return t.IsComplete()
}

// innermost is what an array is made of in the end, and t itself otherwise.
func innermost(t *ctypes.Type) *ctypes.Type {
	for t.Kind == ctypes.Array {
		t = t.Elem
	}
	return t
}

// funcType is the type of a function.
type funcType struct {
	result  qtype
	params  []qtype
	class   *ctypes.Type // that of a member which is called for an object; else nil
	isConst bool         // and so is the object
}

// functionType makes the type of a function.
func (c *checker) functionType(op *syntax.FuncOp, result qtype) qtype {
	f := &funcType{result: result, isConst: op.Const}
	if op.Result != nil {
		f.result = c.typeID(op.Result)
	}
	for _, p := range op.Params {
		one := func() {
			if t := c.parameterType(p); t.Kind != ctypes.Void || len(op.Params) > 1 {
				f.params = append(f.params, t.topless())
			}
		}
		if p.Decl.Pack {
			c.expand(p, one)
			continue
		}
		one()
	}
	return plain(c.typeOfFunctions(f))
}

// parameterType is the type of a parameter: arrays and functions are pointers, and qualifiers at the top do not count.
func (c *checker) parameterType(p *syntax.Param) qtype {
	return c.adjusted(c.declared(p.Decl.Ops, c.specified(p.Specs), p.Specs.Pos))
}

// adjusted is what a parameter's type becomes.
func (c *checker) adjusted(t qtype) qtype {
	switch {
	case t.ref != noRef:
	case t.Kind == ctypes.Array: // a pointer, which may be __restrict
		elem := qtype{t.Elem, t.qualifiers}
		elem.isRestrict = false
		return plain(c.pointerTo(elem, t.isRestrict))
	case c.funcTypes[t.Type] != nil:
		return plain(ctypes.PointerTo(t.Type, 0))
	}
	return t
}

// hasAuto reports whether a type is to be deduced from an initialiser.
func hasAuto(t *ctypes.Type) bool {
	for t.Elem != nil {
		t = t.Elem
	}
	return t == autoType
}

// deduceAuto is a declared type with that of the initialiser in place of auto.
func (c *checker) deduceAuto(t qtype, init ast.Expr) qtype {
	if isInvalid(init) {
		return invalid
	}
	from := c.typeOf(init)
	if _, bits := init.(*bitField); bits { // the declared type, not the promoted one
		return c.deduceAuto(t, &ast.VarRef{Typed: ast.Of(init.Type(), init.Pos()), Obj: &ast.Object{Type: init.Type()}})
	}
	if t.ref == noRef {
		v := c.rvalue(init).Type()
		from = plain(v)
	}
	out := t
	out.Type = c.replaceAuto(t.Type, from.Type)
	if out.Type == nil {
		c.errorf(init.Pos(), codeType, "%v is not what the declaration with auto asks for", from.Type)
		return invalid
	}
	if t.Type == autoType && t.ref != noRef {
		out.isConst, out.isVolatile = t.isConst || from.isConst, t.isVolatile || from.isVolatile
		if t.ref == rvalue && !t.isConst && from.ref == lvalue {
			out.ref = lvalue
		}
		if out.space == 0 {
			out.space = from.space
		}
	}
	return out
}

// replaceAuto puts what a value's type has there in place of auto; nil where the shapes differ.
func (c *checker) replaceAuto(t, from *ctypes.Type) *ctypes.Type {
	switch {
	case t == autoType:
		return from
	case t.Kind == ctypes.Pointer && from.Kind == ctypes.Pointer:
		elem := c.replaceAuto(t.Elem, from.Elem)
		if elem == nil {
			return nil
		}
		u := *t
		u.Elem, u.Const, u.Volatile = elem, t.Const || from.Const, t.Volatile || from.Volatile
		if u.Space == 0 {
			u.Space = from.Space
		}
		return &u
	}
	return nil
}

// beyondLong reports whether an integer is none that int64 has.
func beyondLong(v ctypes.Value) bool { return v.Int < 0 && v.Type.IsUnsigned() }

// usualType is the common type of the usual arithmetic conversions, with the names of scalars.
func (c *checker) usualType(a, b *ctypes.Type) *ctypes.Type {
	if c.isScoped(a) || c.isScoped(b) {
		return nil
	}
	t := ctypes.Usual(a, b)
	if t == nil || t.Kind == ctypes.Vector {
		return t
	}
	switch {
	case t.Kind == ctypes.Long && (a == longLong || b == longLong):
		return longLong
	case t.Kind == ctypes.ULong && (a == uLongLong || b == uLongLong || a == longLong || b == longLong):
		return uLongLong
	}
	return t
}

// promoted is the type after the integer promotions.
func (c *checker) promoted(t *ctypes.Type) *ctypes.Type {
	if p := ctypes.Promoted(t); p != t || c.enums[t] == nil || c.isScoped(t) {
		return p
	}
	return ctypes.Scalar(t.Kind)
}
