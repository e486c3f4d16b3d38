package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Loops over ranges, and structured bindings.

// rangeLoop makes a for loop of "for (T x : range)": over the elements of an array, or from begin() to end(). inside
// reads what an iteration is made of.
func (c *checker) rangeLoop(n *syntax.RangeStmt, s *ast.Loop, outer *[]ast.Stmt, inside func(func())) {
	pos := n.Pos
	v := n.Var.Decls[0]
	var over ast.Expr
	from := len(*outer)
	if l, ok := n.Range.(*syntax.List); ok {
		over = c.listRange(l, outer)
	} else {
		over = c.materialized(c.expr(n.Range))
	}
	if len(c.temporaries) > 0 && !isInvalid(over) { // the range lives as long as the loop, all else ends here
		if over = stripped(over); !ast.IsLvalue(over) {
			over = c.lvalueOf(over)
		}
		p := c.addressOf(over, pos)
		decl, ref := ownVariable("range", p, pos)
		decl.Obj.Const = true
		*outer, over = append(*outer, decl), c.deref(ref, pos)
		c.bound(p)
		c.endFullExpression(outer, from, pos)
	}
	if isInvalid(over) {
		s.Cond = number(ctypes.Int, 0, pos)
		s.Body = &ast.Block{Positioned: ast.At(pos)}
		return
	}
	variable := func(name string, init ast.Expr) *ast.VarRef {
		decl, ref := ownVariable(name, init, pos)
		s.Init = append(s.Init, decl)
		return ref
	}
	var element ast.Expr
	switch t := over.Type(); {
	case t.Kind == ctypes.Array && t.Len >= 0:
		i := variable("index", number(ctypes.Int, 0, pos))
		s.Cond = c.binary(ctypes.Lt, i, number(ctypes.Int, t.Len, pos), pos)
		s.Post = &ast.IncDec{Typed: ast.Of(i.T, pos), X: i}
		element = c.index(c.rvalue(over), i, pos)
	case isClass(t):
		if !ast.IsLvalue(stripped(over)) {
			decl, ref := ownVariable("range", over, pos)
			*outer, over = append(*outer, decl), ref
		}
		begin, end := c.rangeEnd(over, "begin", pos), c.rangeEnd(over, "end", pos)
		if isInvalid(begin, end) {
			s.Body = &ast.Block{Positioned: ast.At(pos)}
			return
		}
		begin, end = c.rvalue(begin), c.rvalue(end)
		at := variable("begin", begin)
		last := variable("end", end)
		s.Cond = c.condition(c.truth(c.operate("!=", at, last, pos)), "for")
		if isClass(begin.Type()) {
			if s.Post = c.overloaded("++", pos, at); s.Post == nil {
				s.Post = c.fail(pos, "%v has no operator ++", begin.Type())
			}
			element = c.overloaded("*", pos, at)
			if element == nil {
				element = c.fail(pos, "%v has no operator *", begin.Type())
			}
			s.Post = c.rvalue(s.Post)
		} else {
			s.Post = c.incDec(at, false, false, pos)
			element = c.deref(at, pos)
		}
	default:
		c.unsupported(pos, "a range-based for over "+c.spell(t)+" is", "write a for loop over the index")
		s.Body = &ast.Block{Positioned: ast.At(pos)}
		return
	}
	if isInvalid(element) {
		s.Body = &ast.Block{Positioned: ast.At(pos)}
		return
	}
	inside(func() {
		defer c.pushBlock()()
		leave := c.pushCleanups(false)
		var stmts []ast.Stmt
		if len(v.Names) > 0 {
			c.bindParts(n.Var.Specs, v, element, &stmts)
		} else {
			c.boundVar(n.Var.Specs, v, element, &stmts)
		}
		stmts = append(stmts, c.block(n.Body))
		leave(&stmts)
		s.Body = &ast.Block{Positioned: ast.At(pos), Stmts: c.structured(stmts)}
	})
}

// listRange is a list in braces as the array that a loop goes over.
func (c *checker) listRange(l *syntax.List, outer *[]ast.Stmt) ast.Expr {
	b := c.braces(l)
	if len(b.elems) == 0 {
		return c.fail(l.Pos, "a loop over an empty list")
	}
	t := c.rvalue(b.elems[0].value(c)).Type()
	e, n := c.braced(b, ctypes.ArrayOf(t, -1))
	if isInvalid(e) {
		return e
	}
	if list, ok := e.(*ast.InitList); ok {
		list.T = ctypes.ArrayOf(t, n)
	}
	decl, ref := ownVariable("range", e, l.Pos)
	*outer = append(*outer, decl)
	return ref
}

// rangeEnd calls begin or end: the member, or what the argument's namespaces have.
func (c *checker) rangeEnd(over ast.Expr, name string, pos diag.Pos) ast.Expr {
	if e := c.callMember(over, name, nil, pos); e != nil {
		return e
	}
	set := &overloads{Typed: ast.Of(overloadType, pos), name: name, adl: true}
	return c.callSet(set, []ast.Expr{over}, nil, pos)
}

// boundVar declares a variable that an expression initialises.
func (c *checker) boundVar(specs *syntax.Specifiers, v *syntax.Var, e ast.Expr, out *[]ast.Stmt) {
	name := v.Decl.Name.Parts[0].Ident
	t := c.declaredVar(specs, v)
	if hasAutoQ(t) {
		t = c.deduceAuto(t, e)
	}
	obj := &ast.Object{Name: name, Pos: v.Decl.Pos, Type: t.Type, Space: idg.SpacePrivate, Const: t.isConst}
	sym := &symbol{kind: symObject, name: name, pos: v.Decl.Pos, in: c.scope, obj: obj, owner: c.fn}
	if t.Kind == 0 {
		c.scope.declare(sym)
		return
	}
	if t.ref != noRef {
		c.localReference(sym, t, v, e, out)
		return
	}
	init := c.convert(e, t.Type, "initialisation of "+name)
	c.scope.declare(sym)
	*out = append(*out, &ast.Decl{Positioned: ast.At(v.Decl.Pos), Obj: obj, Init: init})
	c.needsDestructor(obj)
}

// structuredBinding declares "auto [a, b] = x;".
func (c *checker) structuredBinding(specs *syntax.Specifiers, v *syntax.Var, out *[]ast.Stmt) {
	c.bindParts(specs, v, c.initValue(&v.Init), out)
}

// bindParts makes names of the parts of an object: of itself where it is bound by reference, else of a copy.
func (c *checker) bindParts(specs *syntax.Specifiers, v *syntax.Var, e ast.Expr, out *[]ast.Stmt) {
	pos := specs.Pos
	if isInvalid(e) {
		for _, p := range v.Names {
			c.scope.declare(&symbol{kind: symObject, name: p.Ident, pos: p.Pos,
				obj: &ast.Object{Name: p.Ident, Type: invalidType}})
		}
		return
	}
	t := qtype{autoType, qualifiers{isConst: specs.Quals.Const}}
	if len(v.Decl.Ops) > 0 {
		t = c.declared(v.Decl.Ops, t, pos)
	}
	byRef := t.ref != noRef && ast.IsLvalue(stripped(e))
	obj := &ast.Object{Name: "parts", Pos: pos, Space: idg.SpacePrivate, Const: t.isConst}
	var whole ast.Expr
	if byRef {
		p := c.addressOf(stripped(e), pos)
		if isInvalid(p) {
			return
		}
		q := *p.Type()
		q.Const = q.Const || t.isConst
		obj.Type, obj.Const = &q, true
		from := len(*out)
		*out = append(*out, &ast.Decl{Positioned: ast.At(pos), Obj: obj, Init: p})
		c.bound(p)
		c.endFullExpression(out, from, pos)
		whole = &ast.Deref{Typed: ast.Of(q.Elem, pos), X: ast.RefTo(obj, pos)}
	} else {
		if e.Type().Kind == ctypes.Array {
			e = c.arrayCopy(e, pos)
		}
		value := e
		if e.Type().Kind != ctypes.Array {
			value = c.convert(e, e.Type(), "initialisation")
		}
		if isInvalid(value) {
			return
		}
		obj.Type = value.Type()
		from := len(*out)
		*out = append(*out, &ast.Decl{Positioned: ast.At(pos), Obj: obj, Init: value})
		c.endFullExpression(out, from, pos)
		c.needsDestructor(obj)
		whole = ast.RefTo(obj, pos)
	}
	if cl := c.classes[whole.Type()]; cl != nil {
		if size := c.ofStd("tuple_size", cl.typ, nil, "value"); size != nil {
			c.bindGets(v.Names, size, whole, byRef, out)
			return
		}
	}
	wrong := false
	for i, p := range v.Names {
		part := invalidAt(p.Pos)
		if !wrong {
			part = c.part(whole, i, len(v.Names), p.Pos)
			wrong = isInvalid(part)
		}
		sym := &symbol{kind: symBinding, name: p.Ident, pos: p.Pos, expr: part, owner: c.fn, obj: obj}
		c.scope.declare(sym)
	}
}

// arrayCopy is a list of the elements of an array.
func (c *checker) arrayCopy(e ast.Expr, pos diag.Pos) ast.Expr {
	list := &ast.InitList{Typed: ast.Of(e.Type(), pos)}
	for i := range e.Type().Len {
		one := c.elementOf(e, i, pos)
		if one.Type().Kind == ctypes.Array {
			one = c.arrayCopy(one, pos)
		} else {
			one = c.copied(one)
		}
		if isInvalid(one) {
			return one
		}
		list.Add(i, one)
	}
	return list
}

// part is part i of an object that has n of them.
func (c *checker) part(whole ast.Expr, i, n int, pos diag.Pos) ast.Expr {
	t := whole.Type()
	bad := func(have int) ast.Expr {
		_ = c.errorf(pos, codeType, "%v has %s for %s", t, countOf(have, "part"),
			countOf(n, "name")).WithNote("a structured binding has a name for each member")
		return invalidAt(pos)
	}
	switch {
	case t.Kind == ctypes.Vector:
		if int(t.Len) != n {
			return bad(int(t.Len))
		}
		return &ast.Swizzle{Typed: ast.Of(t.Elem, pos), X: whole, Lanes: []int{i}}
	case t.Kind == ctypes.Array:
		if int(t.Len) != n {
			return bad(int(t.Len))
		}
		return c.index(c.rvalue(whole), number(ctypes.Int, int64(i), pos), pos)
	case isClass(t):
		cl := c.classes[t]
		if cl != nil && len(cl.fields) == 0 && len(cl.bases) == 1 {
			return c.part(c.asBase(whole, cl.bases[0].class.typ), i, n, pos)
		}
		if cl == nil || len(cl.fields) != n {
			if cl == nil {
				return bad(len(t.Fields))
			}
			return bad(len(cl.fields))
		}
		f := cl.fields[i]
		e := ast.Expr(&ast.Member{Typed: ast.Of(t.Fields[f.index].Type, pos), X: whole, Field: f.index})
		if f.typ.ref != noRef {
			return c.deref(e, pos)
		}
		if f.bits > 0 {
			return c.bitsOf(whole, e, f, pos)
		}
		return e
	}
	return c.refuse(pos, "a structured binding of "+c.spell(t)+" is", "name the members one by one")
}

// bindGets makes names of what get<i> gives of an object, which is an xvalue where it is a copy ([dcl.struct.bind]).
func (c *checker) bindGets(names []syntax.Part, size *symbol, whole ast.Expr, byRef bool, out *[]ast.Stmt) {
	pos := whole.Pos()
	if n, ok := c.evaluated(c.rvalue(c.variableExpr(size, pos))).(*ast.Literal); !ok ||
		n.Value.Int != int64(len(names)) {
		c.errorf(pos, codeType, "std::tuple_size of %v differs from the number of names", whole.Type())
	}
	cl := c.classes[whole.Type()]
	member := c.memberOf(cl, "get")
	if member != nil && (member.kind != symFunction || member.funcs[0].params == nil) {
		member = nil
	}
	if !byRef && !c.isLibrary(cl.symbol.pos) {
		whole = &xvalue{ast.Of(whole.Type(), pos), whole}
	}
	for i, p := range names {
		v := ctypes.IntValue(ctypes.ULong, int64(i))
		index := &templateArg{kind: argValue, value: &v}
		set := &overloads{Typed: ast.Of(overloadType, pos), name: "get", adl: true, explicit: &templateArgs{*index}}
		args := []ast.Expr{whole}
		if member != nil {
			set.funcs, set.object, set.adl, args = member.funcs, whole, false, nil
		}
		part := c.callSet(set, args, nil, p.Pos)
		t := qtype{autoType, qualifiers{ref: rvalue}}
		obj := &ast.Object{Name: p.Ident, Pos: p.Pos, Type: invalidType, Space: idg.SpacePrivate}
		sym := &symbol{kind: symObject, name: p.Ident, pos: p.Pos, in: c.scope, obj: obj, owner: c.fn}
		element := c.ofStd("tuple_element", cl.typ, index, "type")
		switch {
		case isInvalid(part):
			c.scope.declare(sym)
			continue
		case element != nil && category(part) == noRef:
			t = element.typ
			t.ref = rvalue
		default:
			t = c.deduceAuto(t, part)
		}
		c.localReference(sym, t, nil, part, out)
	}
}

// ofStd is a member of the instance of a template of namespace std for a class; nil where a program has none.
func (c *checker) ofStd(name string, t *ctypes.Type, first *templateArg, member string) *symbol {
	std := c.file.names["std"]
	if std == nil || std.kind != symNamespace {
		return nil
	}
	tmpl := c.lookupIn(std.space, name, 0, false, nil)
	if tmpl == nil || tmpl.kind != symTemplate {
		return nil
	}
	args := templateArgs{{kind: argType, typ: plain(t)}}
	if first != nil {
		args = templateArgs{*first, args[0]}
	}
	var found *symbol
	c.quietly(func() {
		if one := c.instanceOf(tmpl.tmpl, args, diag.Pos{}); one != nil && c.classes[one.typ.Type] != nil {
			if found = c.memberOf(c.classes[one.typ.Type], member); found != nil {
				c.use(found)
			}
		}
	})
	return found
}
