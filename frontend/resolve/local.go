package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Variables of functions.

// localVars declares the variables of a declaration in a function.
func (c *checker) localVars(d *syntax.Vars, out *[]ast.Stmt) {
	c.enterTags(d.Specs, c.scope)
	if len(d.Decls) == 0 {
		t := c.specified(d.Specs)
		if n, ok := d.Specs.Type.(*syntax.Class); ok && n.Define && n.Name == nil && t.Kind == ctypes.Union {
			c.anonymousUnion(d.Specs, t, out)
		}
	}
	var first *ctypes.Type // of those that are declared auto without a declarator
	for _, v := range d.Decls {
		if len(v.Names) > 0 {
			c.structuredBinding(d.Specs, v, out)
			continue
		}
		if v.Decl.Name == nil {
			continue
		}
		name := v.Decl.Name.Parts[0].Ident
		switch {
		case d.Specs.Typedef:
			sym := &symbol{kind: symType, name: name, pos: v.Decl.Pos, in: c.scope, typ: invalid}
			c.typedef(sym, d.Specs, v.Decl)
			c.scope.declare(sym)
		case isFunctionDeclarator(v):
			c.localPrototype(d.Specs, v)
		default:
			c.localVar(d.Specs, v, name, out)
			sym := c.scope.names[name]
			if _, auto := d.Specs.Type.(*syntax.Auto); !auto || len(v.Decl.Ops) > 0 || sym == nil || sym.obj == nil {
				continue
			}
			if t := sym.obj.Type; first == nil {
				first = t
			} else if t.Kind != 0 && !same(first, t) {
				c.errorf(v.Decl.Pos, codeType, "auto is %v, and %v for %s", first, t, name)
			}
		}
	}
}

// anonymousUnion declares the members of an anonymous union as names of the block ([class.union.anon]).
func (c *checker) anonymousUnion(specs *syntax.Specifiers, t qtype, out *[]ast.Stmt) {
	cl, pos := c.classes[t.Type], specs.Pos
	c.complete(cl)
	c.blame(cl.errs)
	obj := &ast.Object{Name: "union", Pos: pos, Type: t.Type, Space: c.objectSpace(t, specs, true)}
	if specs.Static || obj.Space == idg.SpaceConstant {
		c.unsupported(pos, "a static anonymous union is", "give it a name")
		return
	}
	*out = append(*out, &ast.Decl{Positioned: ast.At(pos), Obj: obj, Init: c.defaultInit(t.Type, pos)})
	for _, field := range cl.scope.order {
		if field.kind != symField {
			continue
		}
		c.declaredOnce(field.name, field.pos)
		sym := &symbol{kind: symBinding, name: field.name, pos: field.pos, in: c.scope, owner: c.fn,
			expr: c.fieldOf(ast.RefTo(obj, pos), field, pos)}
		if obj.Space == idg.SpaceLocal {
			sym.owner = nil
		}
		c.scope.declare(sym)
	}
}

// localPrototype declares a function inside of another.
func (c *checker) localPrototype(specs *syntax.Specifiers, v *syntax.Var) {
	f := c.newFunction(&syntax.Function{Specs: specs, Decl: v.Decl}, nil, c.scope.namespace())
	if sym := c.lookup(f.name); sym == nil || sym.kind != symFunction {
		c.addFunction(c.scope.namespace(), f)
	}
}

// localVar declares one variable.
func (c *checker) localVar(specs *syntax.Specifiers, v *syntax.Var, name string, out *[]ast.Stmt) {
	pos := v.Decl.Pos
	t := c.declaredVar(specs, v)
	var value ast.Expr
	if hasAutoQ(t) || c.holders[t.Type] != nil {
		if !v.Init.IsSet() && c.holders[t.Type] == nil {
			c.errorf(pos, codeDeclare, "auto %s needs an initialiser", name)
			t = invalid
		} else {
			value, t = c.autoValue(v, t)
		}
	}
	obj := &ast.Object{Name: name, Pos: pos, Type: t.Type, Space: c.objectSpace(t, specs, true)}
	obj.Const = t.isConst || obj.Space == idg.SpaceConstant
	obj.Volatile = t.isVolatile
	sym := &symbol{kind: symObject, name: name, pos: pos, in: c.scope, obj: obj, owner: c.fn}
	c.declaredOnce(name, pos)
	if set, ok := value.(*overloads); ok {
		c.scope.declare(&symbol{kind: symBinding, name: name, pos: pos, expr: set})
		return
	}
	if t.Kind == ctypes.Pointer && c.funcTypes[t.Elem] != nil && v.Init.IsSet() && !c.mayChange(name) {
		if set, ok := c.initValue(&v.Init).(*overloads); ok {
			if one := c.chosen(set, t.Elem); one != nil && c.functionTypeOf(one).Type == t.Elem {
				c.scope.declare(&symbol{kind: symBinding, name: name, pos: pos, expr: one})
				return
			}
		}
	}
	if t.ref != noRef {
		c.localReference(sym, t, v, value, out)
		return
	}
	obj.Type = c.declaredType(t.Type)
	if t.Kind != 0 && (c.refusesOpaque(obj.Type) || c.cfg.Dialect == ast.CUDA && innermost(obj.Type).IsImage()) {
		c.opaque(pos, innermost(obj.Type))
		obj.Type = invalidType
	}
	dynamic := specs.Extern && obj.Space == idg.SpaceLocal && obj.Type.Kind == ctypes.Array && obj.Type.Len < 0
	if dynamic {
		obj.Dynamic = true
		obj.Type = ctypes.ArrayOf(obj.Type.Elem, 0)
	}
	if specs.Extern && !dynamic {
		if global := c.lookupFrom(c.scope.namespace(), name, false); global != nil && global.kind == symObject {
			c.use(global)
			c.scope.declare(global)
			return
		}
	}
	// The scope of a name starts before its own initialiser.
	c.scope.declare(sym)
	var init ast.Expr
	switch {
	case value != nil:
		init = value
	case v.Init.IsSet():
		if obj.Space == idg.SpaceLocal && c.cfg.Dialect == ast.OpenCL {
			c.errorf(pos, codeDeclare, "__local %s cannot be initialised", name).WithNote("assign it in the kernel")
		}
		init = c.initialiser(&v.Init, obj, t)
	case c.cfg.Dialect == ast.CUDA && obj.Space != idg.SpaceLocal && obj.Type.Kind != 0:
		init = c.defaultInit(obj.Type, pos)
		if init == nil && t.isConst && innermost(obj.Type).IsScalar() && !specs.Extern {
			c.errorf(pos, codeDeclare, "the constant %s needs an initialiser", name)
		}
	}
	if c.isBroken(obj.Type, pos) {
		obj.Type = invalidType
	}
	c.refuseAbstract(obj.Type, pos)
	if !dynamic && obj.Type.Kind != 0 && !c.isComplete(obj.Type) {
		c.errorf(pos, codeDeclare, "%s has the incomplete type %v", name, obj.Type)
		obj.Type = invalidType
	}
	c.constantValue(obj, init, t)
	sym.usable = obj.Constant != nil && (specs.Constexpr || obj.Type.IsInteger())
	if specs.Constexpr && obj.Constant == nil && obj.Type.IsScalar() && init != nil && !isInvalid(init) {
		c.notConstant(init, "the value of "+name)
	}
	if obj.Const && obj.Type.IsScalar() && init != nil && isInvalid(init) { // nothing more is said of it
		obj.Type = invalidType
	}
	if obj.Space == idg.SpaceConstant || specs.Static || specs.Extern && !dynamic {
		// Static storage: it belongs to the program, wherever it is declared.
		if obj.Space == idg.SpaceLocal {
			*out = append(*out, &ast.Decl{Positioned: ast.At(pos), Obj: obj, Init: init})
			return
		}
		sym.owner = nil
		init = c.staticInit(init, name, pos)
		if obj.Type.Kind != 0 && (init == nil || !isInvalid(init)) {
			obj.Init = init
			c.unit.Globals = append(c.unit.Globals, obj)
		}
		return
	}
	if obj.Space == idg.SpaceLocal {
		sym.owner = nil
	}
	if _, ok := init.(*ast.Literal); obj.Constant != nil && !ok {
		init = &ast.Literal{Typed: ast.Of(obj.Type, pos), Value: *obj.Constant}
	}
	if obj.Constant != nil { // a lambda that does not capture it may take its address
		obj.Init = init
	}
	if init != nil {
		c.scope.initialised = append(c.scope.initialised, obj)
	}
	if init != nil && obj.Type.Kind == ctypes.Pointer && c.classes[obj.Type.Elem].isPolymorphic() {
		c.knowPointer(obj, c.dynamicPointee(init))
	}
	if init != nil {
		c.boundWithin(init)
	}
	*out = append(*out, &ast.Decl{Positioned: ast.At(pos), Obj: obj, Init: init})
	c.endFullExpression(out, len(*out)-1, pos)
	c.needsDestructor(obj)
}

// declaredOnce reports a name that a block, or the parameters around it, have declared already.
func (c *checker) declaredOnce(name string, pos diag.Pos) {
	switch up := c.scope.up; {
	case c.scope.names[name] != nil:
		c.errorf(pos, codeDeclare, "%s is declared twice in one block", name)
	case up != nil && up.kind == functionScope && up.names[name] != nil:
		c.errorf(pos, codeDeclare, "%s is a parameter already", name)
	}
	for s := c.scope; s != nil && !s.isNamespace(); s = s.up {
		if sym := s.names[name]; s.kind == templateScope && sym != nil &&
			(sym.kind == symType || sym.kind == symValue) {
			c.errorf(pos, codeDeclare, "%s is a parameter of the template", name)
		}
	}
}

// localReference declares a reference: a pointer that every use dereferences.
func (c *checker) localReference(sym *symbol, t qtype, v *syntax.Var, value ast.Expr, out *[]ast.Stmt) {
	obj := sym.obj
	if value == nil {
		if !v.Init.IsSet() {
			c.unsupported(obj.Pos, "a reference without an object to refer to is", "")
			obj.Type = invalidType
			c.scope.declare(sym)
			return
		}
	}
	obj.Space, obj.Const = idg.SpacePrivate, true
	sym.ref = t.ref
	var init ast.Expr
	if value != nil {
		init = c.bindReference(value, t, "the reference "+obj.Name)
	} else {
		init = c.initialised(&v.Init, t, "the reference "+obj.Name)
	}
	if isInvalid(init) {
		obj.Type = invalidType
		c.scope.declare(sym)
		return
	}
	// The pointer keeps the address space of what it leads to.
	p := *c.represented(t)
	if p.Space == 0 {
		p.Space = init.Type().Space
	}
	obj.Type = &p
	if !init.Type().Equal(obj.Type) {
		init = c.asPointer(init, obj.Type, "the reference "+obj.Name)
	}
	c.scope.declare(sym)
	c.scope.initialised = append(c.scope.initialised, obj)
	*out = append(*out, &ast.Decl{Positioned: ast.At(obj.Pos), Obj: obj, Init: init})
	c.knowDynamic(obj, init)
	c.bound(init)
	c.endFullExpression(out, len(*out)-1, obj.Pos)
}
