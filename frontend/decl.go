package frontend

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/cxx"
	"gpupipe/frontend/encoding"
	"gpupipe/idg"

	"modernc.org/cc/v4"
)

// declarator is a name with its type, as one declarator of a declaration gives
// it.
type declarator struct {
	name   string
	pos    Pos
	typ    declType // a function's result type
	isFunc bool
	params *cc.ParameterTypeList
}

// maxObjectSize bounds arrays, so that no size overflows: 1 TiB.
const maxObjectSize = 1 << 40

// declarator reads a declarator around the type that the specifiers gave.
func (c *checker) declarator(d *cc.Declarator, t declType) declarator {
	t = c.pointers(d.Pointer, t)
	var fn *cc.DirectDeclarator
	for dd := d.DirectDeclarator; dd != nil; {
		switch dd.Case {
		case cc.DirectDeclaratorIdent:
			r := declarator{name: dd.Token.SrcStr(), pos: c.p.Pos(dd.Token), typ: t, isFunc: fn != nil}
			if fn != nil {
				r.params = fn.ParameterTypeList
			}
			return r
		case cc.DirectDeclaratorDecl:
			if fn != nil && (dd.Declarator.Pointer != nil || dd.Declarator.DirectDeclarator.Case != cc.DirectDeclaratorIdent) {
				c.unsupported(c.p.Pos(dd), "pointers to functions are", "call the function directly")
				return declarator{name: d.Name(), pos: c.p.Pos(d.NameTok()), typ: declType{Type: invalidType}}
			}
			inner := c.declarator(dd.Declarator, t)
			if fn != nil {
				inner.isFunc, inner.params = true, fn.ParameterTypeList
			}
			return inner
		case cc.DirectDeclaratorFuncParam, cc.DirectDeclaratorFuncIdent:
			fn = dd
			dd = dd.DirectDeclarator
		default:
			t = c.arrayOf(dd, dd.AssignmentExpression, t)
			dd = dd.DirectDeclarator
		}
	}
	return declarator{name: d.Name(), pos: c.p.Pos(d), typ: t}
}

// arrayOf makes an array type; size is nil for [].
func (c *checker) arrayOf(n cc.Node, size cc.ExpressionNode, elem declType) declType {
	length := int64(-1)
	if size != nil {
		v, ok := c.arrayLength(size)
		if !ok || elem.Kind == 0 {
			return declType{invalidType, elem.qualifiers}
		}
		if beyondLong(v) {
			c.errorf(c.p.Pos(size), codeDeclare, "an array of %d elements is larger than any memory", uint64(v.Int))
			return declType{invalidType, elem.qualifiers}
		}
		if length = v.Int; length <= 0 {
			c.errorf(c.p.Pos(size), codeDeclare, "an array of %d elements", length)
			return declType{invalidType, elem.qualifiers}
		}
	}
	switch {
	case elem.Kind == 0:
		return elem
	case !elem.IsComplete():
		c.errorf(c.p.Pos(n), codeDeclare, "an array of the incomplete type %v", elem.Type)
		return declType{invalidType, elem.qualifiers}
	case length > 0 && elem.Size() > maxObjectSize/length:
		c.errorf(c.p.Pos(n), codeDeclare, "an array of %d elements of %d bytes is larger than any memory", length, elem.Size())
		return declType{invalidType, elem.qualifiers}
	}
	return declType{ArrayOf(elem.Type, length), elem.qualifiers}
}

// arrayLength evaluates the size in an array's brackets.
func (c *checker) arrayLength(n cc.ExpressionNode) (Value, bool) {
	e := c.constantExpr(n)
	_, ok := e.(*Literal)
	if ref, isVar := variable(e).(*VarRef); isVar && !ok {
		c.unsupported(ref.P, "arrays of variable length are", "").
			WithNote("make %s a macro (-D %s=...) or a const int with a constant value", ref.Obj.Name, ref.Obj.Name)
		return Value{}, false
	}
	return c.integer(e, "the size of an array")
}

func (c *checker) abstractDeclarator(d *cc.AbstractDeclarator, t declType) declType {
	if d == nil {
		return t
	}
	t = c.pointers(d.Pointer, t)
	for dd := d.DirectAbstractDeclarator; dd != nil; dd = dd.DirectAbstractDeclarator {
		switch dd.Case {
		case cc.DirectAbstractDeclaratorDecl:
			return c.abstractDeclarator(dd.AbstractDeclarator, t)
		case cc.DirectAbstractDeclaratorFunc:
			c.unsupported(c.p.Pos(dd), "function types are", "")
			return declType{Type: invalidType}
		default:
			t = c.arrayOf(dd, dd.AssignmentExpression, t)
		}
	}
	return t
}

// declaration reads a declaration. Inside a function, out receives the
// statements that it gives rise to; nil means file scope.
func (c *checker) declaration(d *cc.Declaration, out *[]Stmt) {
	switch d.Case {
	case cc.DeclarationAssert:
		return
	case cc.DeclarationAuto:
		c.unsupported(c.p.Pos(d), "__auto_type is", "write the type")
		return
	}
	base, sp := c.declSpecifiers(d.DeclarationSpecifiers)
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		id := l.InitDeclarator
		if id.Declarator.Name() == "__func__" {
			continue // cc declares it in every function
		}
		attrs := encoding.AttributesOf(d.DeclarationSpecifiers, id.AttributeSpecifierList)
		if sp.isTypedef && c.cfg.Dialect == CUDA && pointsToFunction(id.Declarator) {
			c.declare(&symbol{kind: symType, name: id.Declarator.Name(), typ: declType{Type: callableType}})
			continue
		}
		dr := c.declarator(id.Declarator, base)
		if d := id.Declarator; c.cfg.Dialect == CUDA && d.Pointer != nil && base.space != 0 && !dr.typ.isRef && !sp.isTypedef && dr.typ.space == 0 {
			// __shared__ int *p is a pointer in shared memory, not one to it.
			own := base
			own.space = 0
			dr = c.declarator(d, own)
			dr.typ.space = base.space
		}
		switch {
		case sp.isTypedef:
			c.typedef(dr, id.Declarator, attrs)
		case dr.isFunc:
			c.prototype(dr, attrs)
		default:
			c.variable(dr, sp, attrs, id, out)
		}
	}
}

func (c *checker) typedef(dr declarator, n *cc.Declarator, attrs []*cc.AttributeValue) {
	t := dr.typ
	if a := encoding.AttributeNamed(attrs, "ext_vector_type"); a != nil {
		t.Type = c.extVector(a, t.Type)
	}
	switch {
	case c.p.StandsIn(n):
		c.declare(&symbol{kind: symType, name: dr.name, missing: true})
		return
	case dr.isFunc:
		c.unsupported(dr.pos, "typedefs of functions are", "")
		t = declType{Type: invalidType}
	case c.p.FromPrelude(n):
		t.Type = c.preludeType(dr.name, t.Type)
	case (t.Kind == Struct || t.Kind == Union) && t.Name == "":
		t.Name = dr.name // an anonymous struct goes by its typedef's name
	}
	c.declare(&symbol{kind: symType, name: dr.name, typ: t})
}

// extVector is the vector type of clang's ext_vector_type(n).
func (c *checker) extVector(a *cc.AttributeValue, elem *Type) *Type {
	if a.ArgumentExpressionList == nil || elem.Kind == 0 {
		return invalidType
	}
	n, ok := c.constantInt(a.ArgumentExpressionList.AssignmentExpression, "a vector's length")
	switch {
	case !ok:
	case elem.IsScalar() && (n == 2 || n == 3 || n == 4 || n == 8 || n == 16):
		return c.vectorOf(elem.Kind, n)
	default:
		c.errorf(c.p.Pos(a), codeDeclare, "there is no vector of %d components of type %v", n, elem)
	}
	return invalidType
}

// variable declares an object.
func (c *checker) variable(dr declarator, sp specifiers, attrs []*cc.AttributeValue, id *cc.InitDeclarator, out *[]Stmt) {
	t := dr.typ
	var value Expr // of the initialiser, where the type depends on it
	if sp.isAuto {
		value, t = c.autoValue(dr, id.Initializer)
	}
	obj := &Object{Name: dr.name, Pos: dr.pos, Type: t.Type, Space: c.objectSpace(t, sp, attrs, out != nil)}
	obj.Const = t.isConst || obj.Space == idg.SpaceConstant
	obj.Volatile = t.isVolatile
	sym := &symbol{kind: symObject, name: dr.name, obj: obj, builtin: c.p.FromPrelude(id.Declarator)}
	if t.isRef {
		c.reference(sym, id.Initializer, value, out)
		return
	}
	obj.Type = c.declaredType(t.Type)
	if opaque := innermost(obj.Type); opaque.Kind == Opaque && !sym.builtin && !(c.cfg.Dialect == CUDA && out == nil && obj.Type.IsImage()) && !(c.cfg.Dialect == OpenCL && (opaque.Name == encoding.TypeSampler || opaque.Name == encoding.TypeEvent)) {
		c.opaque(dr.pos, opaque)
		obj.Type = invalidType
	}
	dynamic := sp.isExtern && obj.Space == idg.SpaceLocal && obj.Type.Kind == Array && obj.Type.Len < 0
	if dynamic {
		obj.Dynamic = true
		u := *obj.Type
		u.Len = 0
		obj.Type = &u
	}
	if out != nil && c.scope.names[dr.name] != nil {
		c.errorf(dr.pos, codeDeclare, "%s is declared twice in one block", dr.name)
	}
	if c.lambda != nil && c.lambda.shared != nil && obj.Space == idg.SpaceLocal {
		if known := c.lambda.shared[id]; known != nil {
			obj, sym.obj = known, known
		}
		c.lambda.shared[id] = obj
	}
	// The scope of a name starts before its own initialiser.
	c.declare(sym)
	var init Expr
	switch {
	case value != nil:
		init = value
	case id.Initializer == nil && out != nil && !sp.isStatic && !sp.isExtern && obj.Space == idg.SpacePrivate && dr.name != cxx.This:
		init = c.constructed(obj.Type, dr.pos)
	case id.Initializer != nil:
		if obj.Space == idg.SpaceLocal && c.cfg.Dialect == OpenCL {
			c.errorf(dr.pos, codeDeclare, "__local %s cannot be initialised", dr.name).WithNote("assign it in the kernel")
		}
		init = c.initializer(id.Initializer, obj)
	}
	if !sym.builtin && !dynamic && obj.Type.Kind != 0 && !obj.Type.IsComplete() {
		c.errorf(dr.pos, codeDeclare, "%s has the incomplete type %v", dr.name, obj.Type)
		obj.Type = invalidType
	}
	if lit, ok := init.(*Literal); ok && obj.Const && !t.isVolatile && obj.Type.IsScalar() {
		v := lit.Value
		obj.Constant = &v
	}
	if list, ok := init.(*InitList); ok && obj.Const && list.T.Name == encoding.TypeAlignedSize {
		c.sizes[obj] = list
	}
	switch {
	case sym.builtin:
	case out == nil || obj.Space == idg.SpaceConstant || sp.isStatic || sp.isExtern && !dynamic:
		// Static storage: it belongs to the program, wherever it is declared.
		if obj.Space == idg.SpaceLocal && out != nil {
			*out = append(*out, &Decl{Positioned: ast.At(dr.pos), Obj: obj, Init: init})
			return
		}
		if init != nil && !isInvalid(init) && !isStatic(init) {
			c.errorf(dr.pos, codeConstant, "the initialiser of %s must be a constant", dr.name)
		}
		if obj.Type.Kind != 0 && (init == nil || !isInvalid(init)) {
			obj.Init = init
			c.unit.Globals = append(c.unit.Globals, obj)
		}
	default:
		*out = append(*out, &Decl{Positioned: ast.At(dr.pos), Obj: obj, Init: init})
	}
}

// innermost is what an array is made of in the end, and t itself otherwise.
func innermost(t *Type) *Type {
	for t.Kind == Array {
		t = t.Elem
	}
	return t
}

// isStatic reports whether an initialiser is known before the program runs.
func isStatic(e Expr) bool {
	switch x := e.(type) {
	case *Literal, *Decay:
		return true
	case *AddrOf:
		return ast.RootObject(x.X) != nil
	case *BuiltinCall:
		if x.Builtin.Class != Math {
			return false
		}
	case *InitList, *VectorLit, *Convert, *Bitcast, *Unary, *Binary, *Cond, *Swizzle, *PtrAdd:
	default:
		return false
	}
	for _, o := range ast.Operands(e) {
		if !isStatic(o) {
			return false
		}
	}
	return true
}

// objectSpace is where an object lives.
func (c *checker) objectSpace(t declType, sp specifiers, attrs []*cc.AttributeValue, local bool) Space {
	switch {
	case t.space != 0:
		return t.space
	case encoding.AttributeNamed(attrs, encoding.AttrDevice) != nil || encoding.AttributeNamed(attrs, encoding.AttrManaged) != nil:
		return idg.SpaceGlobal
	case !local && (c.cfg.Dialect == OpenCL || t.isConst):
		return idg.SpaceConstant
	case !local:
		return idg.SpaceGlobal
	case sp.isStatic && t.isConst:
		return idg.SpaceConstant
	case sp.isStatic:
		return idg.SpaceGlobal
	}
	return idg.SpacePrivate
}

// autoValue is the initialiser of an object declared auto, and the type that
// the object has for it.
func (c *checker) autoValue(dr declarator, in *cc.Initializer) (Expr, declType) {
	t := dr.typ
	if in == nil || in.Case != cc.InitializerExpr {
		c.errorf(dr.pos, codeDeclare, "auto %s needs an initialiser", dr.name)
		return nil, declType{invalidType, t.qualifiers}
	}
	value := c.expr(in.AssignmentExpression)
	if t.isRef {
		p := *PointerTo(value.Type(), 0)
		p.Const = t.Const
		if value.Type().Kind == 0 {
			p = *invalidType
		}
		return value, declType{&p, t.qualifiers}
	}
	value = c.rvalue(value)
	return value, declType{value.Type(), t.qualifiers}
}

// reference declares a CUDA reference: an alias is a pointer that every use
// dereferences; a reference to a constant scalar is a copy of it.
func (c *checker) reference(sym *symbol, in *cc.Initializer, value Expr, out *[]Stmt) {
	obj := sym.obj
	if out == nil || in == nil || in.Case != cc.InitializerExpr {
		c.unsupported(obj.Pos, "a reference without an object to refer to is", "")
		obj.Type = invalidType
		c.declare(sym)
		return
	}
	if value == nil {
		value = c.expr(in.AssignmentExpression)
	}
	obj.Space, obj.Const = idg.SpacePrivate, true
	var init Expr
	if byValueReference(obj.Type) {
		obj.Type = obj.Type.Elem
		init = c.convert(value, obj.Type, "the reference "+obj.Name)
	} else {
		sym.ref = true
		init = c.convert(c.addressOf(value, obj.Pos), obj.Type, "the reference "+obj.Name)
	}
	c.declare(sym)
	*out = append(*out, &Decl{Positioned: ast.At(obj.Pos), Obj: obj, Init: init})
}

// byValueReference reports whether a reference, given as its pointer type, can
// be replaced by a copy: it cannot be written through and is cheap to copy.
//
// A struct is copied member by member, which costs nothing when the function is
// inlined, unless it holds arrays.
func byValueReference(p *Type) bool {
	if p.Kind != Pointer {
		return false
	}
	return isGroup(p.Elem) || p.Const && (p.Elem.IsArith() || p.Elem.Kind == Pointer || p.Elem.IsImage() || flatStruct(p.Elem))
}

// maxCopied bounds the size in bytes of structs that are passed as copies.
const maxCopied = 128

// flatStruct reports whether t is a small struct without arrays.
func flatStruct(t *Type) bool {
	if t.Kind != Struct || t.Size() > maxCopied {
		return false
	}
	for _, f := range t.Fields {
		if f.Type.Kind == Array || f.Type.Kind == Union || f.Type.Kind == Struct && !flatStruct(f.Type) {
			return false
		}
	}
	return true
}
