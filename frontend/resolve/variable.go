package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Variables: those of functions, those of the file, and static members.

// objectSpace is where an object lives.
func (c *checker) objectSpace(t qtype, specs *syntax.Specifiers, local bool) ctypes.Space {
	switch {
	case t.space != 0:
		return t.space
	case attribute(specs.Attrs, "device") != nil || attribute(specs.Attrs, "managed") != nil:
		if !local && (specs.Constexpr || t.isConst) && specs.Constexpr {
			return idg.SpaceConstant
		}
		return idg.SpaceGlobal
	case !local && (c.cfg.Dialect == ast.OpenCL || t.isConst || specs.Constexpr):
		return idg.SpaceConstant
	case !local:
		return idg.SpaceGlobal
	case specs.Static && (t.isConst || specs.Constexpr):
		return idg.SpaceConstant
	case specs.Static:
		return idg.SpaceGlobal
	}
	return idg.SpacePrivate
}

// declaredVar is the type of a variable; of __shared__ int *p, the pointer is shared and not what it leads to.
func (c *checker) declaredVar(specs *syntax.Specifiers, v *syntax.Var) qtype {
	specs, d := ofInitialiser(specs, &v.Init), v.Decl
	t := c.specified(specs)
	space := t.space
	moved := c.cfg.Dialect == ast.CUDA && space != 0 && specs.Quals.Space != "" && syntax.Has[*syntax.PointerOp](d) &&
		!syntax.Has[*syntax.RefOp](d)
	if moved {
		t.space = 0
	}
	t = c.declared(d.Ops, t, d.Pos)
	if moved && t.space == 0 {
		t.space = space
	}
	if specs.Constexpr && t.ref == noRef {
		t.isConst = true
	}
	return t
}

// ofInitialiser has decltype of the initialiser in place of decltype(auto).
func ofInitialiser(specs *syntax.Specifiers, init *syntax.Init) *syntax.Specifiers {
	if a, ok := specs.Type.(*syntax.Auto); !ok || !a.Decltype || init.Expr == nil {
		return specs
	}
	exact := *specs
	exact.Type = &syntax.Decltype{Pos: specs.Pos, X: init.Expr}
	return &exact
}

// global reads a variable of the file or a static member.
func (c *checker) global(s *symbol, specs *syntax.Specifiers, v *syntax.Var) {
	obj := s.obj
	t := c.declaredVar(specs, v)
	var init ast.Expr
	if hasAutoQ(t) || c.holders[t.Type] != nil {
		if !v.Init.IsSet() {
			c.errorf(v.Decl.Pos, codeDeclare, "auto %s needs an initialiser", s.name)
			return
		}
		init, t = c.autoValue(v, t)
	}
	obj.Type = t.Type
	if t.Kind == 0 {
		obj.Type = invalidType
		return
	}
	if s.class != nil && specs.Static && !specs.Inline && !t.isConst && v.Init.IsSet() {
		c.errorf(v.Decl.Pos, codeDeclare, "static member %s is not constant and has a value in its class", s.name).
			WithNote("declare it constexpr or inline, or define it outside of the class")
	}
	obj.Space = c.objectSpace(t, specs, false)
	obj.Const = t.isConst || obj.Space == idg.SpaceConstant
	obj.Volatile = t.isVolatile
	c.overwritten[obj] = c.cfg.Dialect == ast.CUDA && t.space == idg.SpaceConstant && !t.isConst
	if t.ref != noRef {
		c.globalReference(s, t, v, init)
		return
	}
	obj.Type = c.declaredType(t.Type)
	if c.refusesOpaque(obj.Type) {
		c.opaque(v.Decl.Pos, innermost(obj.Type))
		obj.Type = invalidType
		return
	}
	if specs.Extern && obj.Space == idg.SpaceLocal && obj.Type.Kind == ctypes.Array && obj.Type.Len < 0 {
		obj.Dynamic = true
		obj.Type = ctypes.ArrayOf(obj.Type.Elem, 0)
		return
	}
	switch {
	case init != nil:
	case v.Init.IsSet():
		init = c.initialiser(&v.Init, obj, t)
	case isClass(innermost(obj.Type)) && c.cfg.Dialect == ast.CUDA && obj.Space != idg.SpaceLocal && !specs.Extern:
		init = c.defaultInit(obj.Type, v.Decl.Pos)
	}
	if specs.Extern && obj.Type.Kind == ctypes.Array && obj.Type.Len < 0 { // another file says how many there are
		obj.Type = ctypes.ArrayOf(obj.Type.Elem, 0)
	}
	if !obj.Dynamic && obj.Type.Kind != 0 && !c.isComplete(obj.Type) {
		c.errorf(v.Decl.Pos, codeDeclare, "%s has the incomplete type %v", s.name, obj.Type)
		obj.Type = invalidType
	}
	c.constantValue(obj, init, t)
	init = c.staticInit(init, s.name, v.Decl.Pos)
	if init != nil && isInvalid(init) { // nothing more is said of it
		obj.Type = invalidType
		return
	}
	obj.Init = init
}

// staticInit is an initialiser that is known before the program runs, if there is one.
func (c *checker) staticInit(init ast.Expr, name string, pos diag.Pos) ast.Expr {
	if init == nil || isInvalid(init) || isStatic(init) {
		return init
	}
	value := c.evaluated(init)
	if !isStatic(value) {
		c.errorf(pos, codeConstant, "the initialiser of %s must be a constant", name)
	}
	return value
}

// globalReference is a reference of the file: a name for what it refers to.
func (c *checker) globalReference(s *symbol, t qtype, v *syntax.Var, init ast.Expr) {
	if init == nil && v.Init.IsSet() {
		init = c.initValue(&v.Init)
	}
	if init == nil || isInvalid(init) || !ast.IsLvalue(stripped(init)) {
		if lit, ok := c.evaluatedOrNil(init).(*ast.Literal); ok && t.isConst {
			s.obj.Type, s.obj.Const = lit.T, true
			value := lit.Value
			s.obj.Constant, s.obj.Init = &value, lit
			return
		}
		c.unsupported(s.pos, "a reference without an object to refer to is", "")
		s.obj.Type = invalidType
		return
	}
	s.kind, s.expr = symBinding, stripped(init)
}

func (c *checker) evaluatedOrNil(e ast.Expr) ast.Expr {
	if e == nil || isInvalid(e) {
		return nil
	}
	return c.evaluated(e)
}

// refusesOpaque reports whether a variable cannot have a type that stands for something beside the memory.
func (c *checker) refusesOpaque(t *ctypes.Type) bool {
	in := innermost(t)
	if in.Kind != ctypes.Opaque || c.funcTypes[in] != nil {
		return false
	}
	if c.cfg.Dialect == ast.CUDA {
		return !in.IsImage()
	}
	return in.Name != typeSampler && in.Name != typeEvent
}

// autoValue is the initialiser of an object declared auto, and the type that the object has for it.
func (c *checker) autoValue(v *syntax.Var, t qtype) (ast.Expr, qtype) {
	if c.holders[t.Type] != nil {
		var e ast.Expr
		if v.Init.IsSet() {
			e = c.initialised(&v.Init, t, "initialisation")
		} else {
			e = c.construct(t, nil, v.Decl.Pos)
		}
		return e, qtype{e.Type(), t.qualifiers}
	}
	var e ast.Expr
	if v.Init.List != nil && len(v.Init.List.Elems) == 1 && !v.Init.Assign {
		e = c.argument(v.Init.List.Elems[0].X)
	} else {
		e = c.initValue(&v.Init)
	}
	if list, ok := e.(*braceList); ok {
		of := c.listTypeOf(list)
		if of.Kind == 0 {
			c.errorf(v.Init.Pos, codeType, "the type of a list in braces is not known")
			return invalidAt(v.Init.Pos), invalid
		}
		return c.fromBraces(list, of), qtype{of.Type, t.qualifiers}
	}
	if op, ok := e.(*typeOperand); ok {
		return c.fail(v.Init.Pos, "%s is a type, not a value", c.spellQual(op.t)), invalid
	}
	if set, ok := e.(*overloads); ok {
		return set, qtype{overloadType, t.qualifiers}
	}
	out := c.deduceAuto(t, e)
	if out.Kind == 0 {
		return invalidAt(v.Init.Pos), invalid
	}
	if out.ref == noRef {
		if isClass(out.Type) {
			e = c.constructClass(out.Type, []ast.Expr{e}, false, e.Pos())
		} else if _, bits := e.(*bitField); bits {
			e = c.convert(e, out.Type, "initialisation")
		} else {
			e = c.rvalue(e)
		}
	}
	return e, out
}

// initialiser types the initialiser of an object and completes the length of an array declared with []. It returns nil
// where there is nothing to assign.
func (c *checker) initialiser(in *syntax.Init, obj *ast.Object, t qtype) ast.Expr {
	if obj.Type.Kind == 0 {
		return nil
	}
	if obj.Type.Kind != ctypes.Array {
		t.Type = obj.Type
		return c.initialised(in, t, "initialisation of "+obj.Name)
	}
	if in.Expr != nil {
		if !isString(in.Expr) {
			if !isInvalid(c.expr(in.Expr)) {
				c.errorf(in.Expr.ExprPos(), codeType, "array %s is initialised by a single value",
					obj.Name).WithNote("write { ... }")
			}
			return nil
		}
		e, n := c.stringInit(in.Expr, obj.Type, in.Expr.ExprPos())
		if isInvalid(e) {
			return nil
		}
		if obj.Type.Len < 0 {
			obj.Type = ctypes.ArrayOf(obj.Type.Elem, n)
		}
		return e
	}
	list := in.List
	if list == nil { // C++20
		if len(*in.Parens) == 0 {
			return &ast.InitList{Typed: ast.Of(obj.Type, in.Pos)}
		}
		list = &syntax.List{Pos: in.Pos}
		for _, x := range *in.Parens {
			list.Elems = append(list.Elems, syntax.Elem{X: x})
		}
	}
	e, length := c.braced(c.braces(list), obj.Type)
	if obj.Type.Len < 0 {
		if length == 0 {
			if !isInvalid(e) {
				c.errorf(obj.Pos, codeDeclare, "an array of 0 elements")
			}
			obj.Type = invalidType
			return nil
		}
		obj.Type = ctypes.ArrayOf(obj.Type.Elem, length)
		if l, ok := e.(*ast.InitList); ok {
			l.T = obj.Type
		}
	}
	return e
}

// constantValue notes what the compiler knows of a constant object.
func (c *checker) constantValue(obj *ast.Object, init ast.Expr, t qtype) {
	if init == nil || isInvalid(init) || !obj.Const || t.isVolatile {
		return
	}
	if obj.Type.IsScalar() {
		if c.cfg.Dialect == ast.CUDA && t.isConst {
			init = c.evaluated(init)
		}
		if lit, ok := init.(*ast.Literal); ok {
			v := lit.Value
			v.Type = obj.Type
			obj.Constant = &v
		}
		return
	}
	if c.isMutable(obj.Type) {
		c.mutable = append(c.mutable, obj)
		return
	}
	c.values[obj] = init
}

// isMutable reports whether a constant object of a type has a member that may change.
func (c *checker) isMutable(t *ctypes.Type) bool {
	cl := c.classes[innermost(t)]
	return cl != nil && slices.ContainsFunc(cl.fields, func(f *field) bool {
		return f.mutable || f.typ.ref == noRef && c.isMutable(f.typ.Type)
	}) || cl != nil && slices.ContainsFunc(cl.bases, func(b base) bool { return c.isMutable(b.class.typ) })
}

// readGlobals puts the file's variables into the unit, in order: those that a kernel has needed, and in C all.
func (c *checker) readGlobals() {
	var all []*ast.Object
	seen := map[*ast.Object]bool{}
	for _, sym := range c.globals {
		if sym.resolve != nil {
			if c.cfg.Dialect != ast.OpenCL {
				continue
			}
			c.errs = &sym.errs
			c.use(sym)
		}
		if len(sym.errs) == 0 && sym.kind == symObject && sym.obj.Type.Kind != 0 && !seen[sym.obj] {
			seen[sym.obj] = true
			all = append(all, sym.obj)
		}
	}
	c.unit.Globals = append(all, c.unit.Globals...)
}
