package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Bodies of constructors, which make the object, initialise its bases and members, and return it.

// constructorBody makes the object, initialises its bases and members, executes the body and returns the object.
func (c *checker) constructorBody(f *function) []ast.Stmt {
	cl := f.class
	pos := f.pos
	obj := &ast.Object{Name: "this", Type: cl.typ, Space: idg.SpacePrivate, Pos: pos}
	ref := &ast.VarRef{Typed: ast.Of(cl.typ, pos), Obj: obj}
	out := []ast.Stmt{&ast.Decl{Positioned: ast.At(pos), Obj: obj}}
	f.this = ref
	if f.inheritedFrom != nil {
		return c.inheritedBody(f, ref, out)
	}
	given := map[int]*memberInit{}
	var parts []partInit
	var delegated *syntax.MemberInit
	for i := range f.body.Inits {
		in := &f.body.Inits[i]
		one := func() {
			if p, ok := c.anonymousPart(cl, in, ref); ok {
				parts = append(parts, p)
			} else if index, self := c.memberIndex(cl, in); self {
				delegated = in
			} else {
				given[index] = &memberInit{in, c.scope}
			}
		}
		if in.Pack {
			c.expand(in, one)
			continue
		}
		one()
	}
	if delegated != nil {
		e := c.initialised(&delegated.Init, plain(cl.typ), "initialisation")
		if !isInvalid(e) {
			out = append(out, c.initialises(ref, e, pos))
		}
	} else {
		for i, b := range cl.bases {
			if b.field < 0 {
				c.initEmptyBase(b.class, given[emptyBase(i)], pos, &out)
			} else {
				c.initMember(cl, b.field, given[b.field], ref, pos, &out)
			}
		}
		c.setTables(cl, ref, pos, &out)
		for i := range cl.typ.Fields {
			if c.isBaseField(cl, i) || cl.typ.Kind == ctypes.Union && given[i] == nil &&
				(len(given) > 0 || cl.field(i) == nil || cl.field(i).init == nil) { // [class.base.init]/9
				continue
			}
			of := partsOf(parts, i)
			if len(of) == 0 || cl.typ.Fields[i].Type.Kind != ctypes.Union {
				c.initMember(cl, i, given[i], ref, pos, &out)
			}
			for _, p := range of {
				c.initPart(&p, &out)
			}
		}
		c.initBits(cl, given, ref, pos, &out)
	}
	if f.body.Body != nil {
		out = append(out, &ast.Block{Positioned: ast.At(f.body.Body.Pos), Stmts: c.blockStmts(f.body.Body.Stmts)})
	}
	c.unwind(unwindReturn, &out, pos, nil)
	return append(out, &ast.Return{Positioned: ast.At(pos), X: ref})
}

// inheritedBody makes an object of a class by the constructor of a base.
func (c *checker) inheritedBody(f *function, ref *ast.VarRef, out []ast.Stmt) []ast.Stmt {
	cl, pos := f.class, f.pos
	from := f.inheritedFrom
	if from.params != nil && f.tmpl != nil {
		if from, _ = c.functionInstance(from, f.args); from == nil {
			return out
		}
	}
	var args []ast.Expr
	for i, p := range f.fn.Params {
		e := ast.Expr(ast.RefTo(p, pos))
		if f.sig.params[i].typ.ref != noRef {
			e = c.deref(e, pos)
			if f.sig.params[i].typ.ref == rvalue {
				e = &xvalue{ast.Of(e.Type(), pos), e}
			}
		}
		args = append(args, e)
	}
	made := c.callConstructor(from, args, pos)
	if isInvalid(made) {
		return out
	}
	for i := range cl.typ.Fields {
		if cl.typ.Fields[i].Type == from.class.typ && c.isBaseField(cl, i) {
			to := &ast.Member{Typed: ast.Of(from.class.typ, pos), X: ref, Field: i}
			out = append(out, c.initialises(to, made, pos))
			continue
		}
		c.initMember(cl, i, nil, ref, pos, &out)
	}
	c.setTables(cl, ref, pos, &out)
	return append(out, &ast.Return{Positioned: ast.At(pos), X: ref})
}

// emptyBase stands for a base without data where a field's index would: i is its number among the bases.
func emptyBase(i int) int { return -2 - i }

// memberInit is an initialiser of a constructor; of an expansion, its scope has the elements of the packs.
type memberInit struct {
	*syntax.MemberInit
	scope *scope
}

// value reads an initialiser in its scope.
func (in *memberInit) value(c *checker, read func(*syntax.Init) ast.Expr) ast.Expr {
	defer c.inside(in.scope)()
	return read(&in.Init)
}

// initEmptyBase calls the constructor of a base without data, for what it does.
func (c *checker) initEmptyBase(cl *class, in *memberInit, pos diag.Pos, out *[]ast.Stmt) {
	var e ast.Expr
	switch {
	case in != nil:
		pos = in.Pos
		e = in.value(c, func(i *syntax.Init) ast.Expr { return c.initialised(i, plain(cl.typ), "initialisation") })
	case c.needsInit(cl):
		e = c.constructClass(cl.typ, nil, false, pos)
	}
	if e != nil && !isInvalid(e) && c.hasEffects(e) {
		*out = append(*out, ast.Do(e, pos))
		c.endFullExpression(out, len(*out)-1, pos)
	}
}

// initBits initialises the bit-fields of an object; those of member initialisers stand behind the fields.
func (c *checker) initBits(cl *class, given map[int]*memberInit, ref *ast.VarRef, pos diag.Pos, out *[]ast.Stmt) {
	for _, u := range cl.units {
		if u.isBytes() {
			continue
		}
		unit := &ast.Member{Typed: ast.Of(u.of, pos), X: ref, Field: u.index}
		zero := c.assign(unit, number(ctypes.Int, 0, pos), pos)
		*out = append(*out, ast.Do(zero, pos))
	}
	for i, f := range cl.fields {
		init := f.init
		if in := given[len(cl.typ.Fields)+i]; in != nil {
			init = &in.Init
		}
		if f.bits == 0 || init == nil {
			continue
		}
		unit := &ast.Member{Typed: ast.Of(cl.typ.Fields[f.index].Type, pos), X: ref, Field: f.index}
		set := c.setBits(c.bitsOf(ref, unit, f, pos),
			c.initialised(init, plain(f.typ.Type), "initialisation of "+f.name), pos)
		if !isInvalid(set) {
			*out = append(*out, ast.Do(set, pos))
		}
	}
}

// memberIndex is the field that a member initialiser is for, or emptyBase; -1 where there is none. self is set for the
// class itself.
func (c *checker) memberIndex(cl *class, in *syntax.MemberInit) (index int, self bool) {
	if len(in.Name.Parts) == 1 && !in.Name.Parts[0].HasArgs {
		ident := in.Name.Parts[0].Ident
		for i, f := range cl.fields {
			switch {
			case f.name != ident:
			case f.bits > 0:
				return len(cl.typ.Fields) + i, false
			default:
				return f.index, false
			}
		}
		if ident == cl.name {
			return -1, true
		}
	}
	f := c.find(in.Name, false, "name")
	if f == nil {
		return -1, false
	}
	if f.sym.kind == symType {
		if f.sym.typ.Type == cl.typ {
			return -1, true
		}
		for i, b := range cl.bases {
			switch {
			case b.class.typ != f.sym.typ.Type:
			case b.field < 0:
				return emptyBase(i), false
			default:
				return b.field, false
			}
		}
	}
	c.errorf(in.Pos, codeUndeclared, "%v has no member %s", cl.typ, in.Name.String())
	return -1, false
}

// partInit initialises a member of an anonymous member.
type partInit struct {
	*memberInit
	to    *ast.Member
	whole int // the field of the object that it is a part of
	f     *field
}

// partsOf are those of a field.
func partsOf(parts []partInit, field int) (of []partInit) {
	for _, p := range parts {
		if p.whole == field {
			of = append(of, p)
		}
	}
	return of
}

// anonymousPart is what an initialiser is for if that is a member of an anonymous member.
func (c *checker) anonymousPart(cl *class, in *syntax.MemberInit, ref *ast.VarRef) (partInit, bool) {
	if len(in.Name.Parts) > 1 || in.Name.Parts[0].HasArgs {
		return partInit{}, false
	}
	sym := cl.scope.own(in.Name.Parts[0].Ident, 0, false)
	if sym == nil || sym.kind != symField || sym.class == cl {
		return partInit{}, false
	}
	to, ok := c.fieldOf(ref, sym, in.Pos).(*ast.Member)
	if !ok {
		c.unsupported(in.Pos, "initialising a bit-field or a reference in an anonymous member is",
			"assign it in the body")
		return partInit{whole: -1}, true
	}
	whole := to
	for whole.X != ref {
		whole = whole.X.(*ast.Member)
	}
	return partInit{&memberInit{in, c.scope}, to, whole.Field, sym.class.field(sym.field)}, true
}

// initPart initialises a member of an anonymous member.
func (c *checker) initPart(p *partInit, out *[]ast.Stmt) {
	c.setMember(p.to, p.value(c, func(i *syntax.Init) ast.Expr { return c.memberValue(i, p.f) }), p.Pos, out)
}

// initMember initialises one member.
func (c *checker) initMember(cl *class, i int, in *memberInit, ref *ast.VarRef, pos diag.Pos, out *[]ast.Stmt) {
	t := cl.typ.Fields[i].Type
	f := cl.field(i)
	var e ast.Expr
	switch {
	case in != nil && f != nil:
		e = in.value(c, func(i *syntax.Init) ast.Expr { return c.memberValue(i, f) })
	case in != nil:
		e = in.value(c, func(i *syntax.Init) ast.Expr { return c.initialised(i, plain(t), "initialisation") })
	case f != nil && f.init != nil:
		leave := c.inside(&scope{kind: functionScope, up: cl.scope, fn: c.fn})
		e = c.memberValue(f.init, f)
		leave()
	default:
		e = c.memberDefault(cl, i, pos)
		if e == nil && f != nil && (f.typ.isConst || f.typ.ref != noRef) {
			c.errorf(pos, codeDeclare, "the constructor gives the constant member %s no value", f.name)
		}
	}
	to := &ast.Member{Typed: ast.Of(t, pos), X: ref, Field: i}
	if in != nil {
		pos = in.Pos
	}
	c.setMember(to, e, pos, out)
}

// setMember assigns the value of an initialiser, nil if there is none, to a member.
func (c *checker) setMember(to *ast.Member, e ast.Expr, pos diag.Pos, out *[]ast.Stmt) {
	if e == nil || isInvalid(e) {
		return
	}
	from := len(*out)
	c.assignParts(to, e, pos, out)
	c.endFullExpression(out, from, pos)
}

// memberValue is the value of a member's initialiser.
func (c *checker) memberValue(in *syntax.Init, f *field) ast.Expr {
	if f.typ.Kind == ctypes.Array && f.typ.ref == noRef {
		obj := &ast.Object{Name: f.name, Type: f.typ.Type, Pos: in.Pos}
		return c.initialiser(in, obj, f.typ)
	}
	return c.initialised(in, f.typ, "initialisation of "+f.name)
}

// assignParts assigns a value to a member; a list to an array element by element.
func (c *checker) assignParts(to ast.Expr, e ast.Expr, pos diag.Pos, out *[]ast.Stmt) {
	list, ok := e.(*ast.InitList)
	if !ok || to.Type().Kind != ctypes.Array {
		*out = append(*out, c.initialises(to, e, pos))
		return
	}
	t := to.Type()
	value := map[int64]ast.Expr{}
	for i, x := range list.Elems {
		value[list.Index[i]] = x
	}
	for i := range t.Len {
		at := c.index(c.rvalue(to), number(ctypes.Int, i, pos), pos)
		x := value[i]
		if x == nil {
			x = c.zeroValue(t.Elem, pos)
		}
		c.assignParts(at, x, pos, out)
	}
}

// newObject types new T(x), which makes an object in memory of the heap, or where the p of new (p) T(x) points to.
func (c *checker) newObject(n *syntax.New) ast.Expr {
	t := c.typeID(n.Type)
	var p, value ast.Expr
	if n.Init != nil && !n.Array && (hasAutoQ(t) || c.holders[t.Type] != nil) {
		if value = c.deducedNew(n.Init, t); isInvalid(value) {
			return value
		}
		t.Type = value.Type()
	}
	if t.Kind == 0 {
		return invalidAt(n.Pos)
	}
	switch cl := c.classes[t.Type]; {
	case len(n.Place) == 0:
		p = c.castValue(workItemBuiltin(builtins.HeapAddress, ctypes.ULong, -1, n.Pos),
			ctypes.PointerTo(ctypes.Scalar(ctypes.Void), idg.SpaceGlobal), n.Pos)
	case len(n.Place) == 1:
		p = c.rvalue(c.argument(n.Place[0]))
	case cl != nil:
		return c.refuse(n.Pos, "operator new of a program is", "use a local variable or a buffer of the host's")
	}
	if n.Array {
		count := c.convert(c.value(n.Count), ctypes.Scalar(ctypes.ULong), "the number of elements")
		lit, known := c.evaluated(count).(*ast.Literal)
		cl := c.classes[t.Type]
		switch values := n.Init != nil || cl != nil && c.needsInit(cl); {
		case !values:
			return c.newArray(n, p, count, t)
		case !known:
			return c.refuse(n.Pos, "new of an array of objects with values is", "use a buffer of the host's")
		}
		t = plain(ctypes.ArrayOf(t.Type, lit.Value.Int))
	}
	if isInvalid(p) {
		return invalidAt(n.Pos)
	}
	at, to := ownVariable("place", c.castValue(p, c.pointerTo(plain(t.Type), false), n.Pos), n.Pos)
	at.Obj.Const = true
	object := c.deref(to, n.Pos)
	switch {
	case value != nil:
	case n.Init != nil && n.Array:
		in := &syntax.Init{Pos: n.Pos, List: n.Init.List}
		if in.List == nil { // ()
			in.List = &syntax.List{Pos: n.Pos}
		}
		value = c.initialiser(in, &ast.Object{Type: t.Type, Pos: n.Pos}, t)
	case n.Init != nil && n.Init.List == nil && len(n.Init.Args) == 1 && !isClass(t.Type): // no cast ([expr.new])
		value = c.initialised(&syntax.Init{Pos: n.Pos, Parens: &n.Init.Args}, t, "initialisation")
	case n.Init != nil:
		value = c.constructExpr(n.Init)
	default:
		value = c.defaultInit(t.Type, n.Pos)
	}
	made := &ast.StmtExpr{Typed: ast.Of(to.Type(), n.Pos), Stmts: []ast.Stmt{at}, X: to}
	if isInvalid(object) || value != nil && isInvalid(value) {
		return invalidAt(n.Pos)
	}
	if value != nil {
		c.assignParts(object, value, n.Pos, &made.Stmts)
	}
	switch {
	case n.Array:
		made.X = c.castValue(to, c.pointerTo(plain(t.Elem), false), n.Pos)
	case t.isConst:
		made.X = c.castValue(to, c.pointerTo(t, false), n.Pos)
	}
	made.T = made.X.Type()
	return made
}

// deducedNew is the value of new T(x) where x says what T is.
func (c *checker) deducedNew(n *syntax.Construct, t qtype) ast.Expr {
	if c.holders[t.Type] != nil {
		return c.constructExpr(n)
	}
	args := n.Args
	if n.List != nil {
		for _, e := range n.List.Elems {
			args = append(args, e.X)
		}
	}
	if len(args) != 1 {
		return c.fail(n.Pos, "new auto takes exactly one value")
	}
	e := c.argument(args[0])
	return c.convert(e, c.deduceAuto(t, e).Type, "initialisation")
}

// newArray types new T[n] of elements that nothing initialises.
func (c *checker) newArray(n *syntax.New, p, count ast.Expr, t qtype) ast.Expr {
	if isInvalid(p, count) {
		return invalidAt(n.Pos)
	}
	made := c.castValue(p, c.pointerTo(plain(t.Type), false), n.Pos)
	return &ast.Comma{Typed: ast.Of(made.Type(), n.Pos), X: count, Y: made}
}

// deleteObject types delete p: a destructor of the object's class is called.
func (c *checker) deleteObject(n *syntax.Delete) ast.Expr {
	p := c.value(n.X)
	if isInvalid(p) {
		return p
	}
	if p.Type().Kind != ctypes.Pointer {
		return c.fail(n.Pos, "delete takes a pointer, this is %v", p.Type())
	}
	if cl := c.classes[p.Type().Elem]; cl != nil && c.destructor(cl) != nil {
		return c.refuse(n.Pos, "delete of an object with a destructor is", "call the destructor")
	}
	return c.castValue(p, ctypes.Scalar(ctypes.Void), n.Pos)
}
