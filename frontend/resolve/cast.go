package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Casts and objects without a name.

// cast types (T)x, which for a vector type of OpenCL may be a vector literal.
func (c *checker) cast(n *syntax.CastExpr) ast.Expr {
	t := c.typeID(n.Type)
	if t.Kind == ctypes.Vector && c.cfg.Dialect == ast.OpenCL {
		return c.vectorCast(n.X, t.Type, n.Pos)
	}
	return c.castTo(t, c.argument(n.X), "cast", n.Pos)
}

// castTo converts an expression explicitly; a reference reinterprets the object.
func (c *checker) castTo(t qtype, e ast.Expr, kind string, pos diag.Pos) ast.Expr {
	if isInvalid(e) || t.Kind == 0 {
		return invalidAt(pos)
	}
	if set, ok := e.(*overloads); ok {
		if t.Kind == ctypes.Void { // (void)f
			return &ast.Convert{Typed: ast.Of(t.Type, pos), X: number(ctypes.Int, 0, pos), Explicit: true}
		}
		if one := c.chosen(set, functionIn(t.Type)); one != nil {
			return one
		}
		return c.fail(pos, "no function %s is of type %v", set.name, t.Type)
	}
	if t.ref != noRef {
		return c.castReference(t, e, kind, pos)
	}
	if list, ok := e.(*braceList); ok {
		return c.fromBraces(list, t)
	}
	if isClass(t.Type) {
		return c.construct(t, []ast.Expr{e}, pos)
	}
	if t.Kind == ctypes.Void {
		return &ast.Convert{Typed: ast.Of(t.Type, pos), X: c.rvalue(c.materialized(e)), Explicit: true}
	}
	if isClass(e.Type()) {
		e = c.builtinOperandFor(e, t) // explicit functions count here
	}
	if isClass(e.Type()) {
		if own := c.userConversion(e, t.Type); own != nil {
			return own
		}
		if own := c.converted(e); own != nil {
			e = own
		}
	}
	if p := c.downcast(t.Type, e, pos); p != nil {
		return p
	}
	e = c.rvalue(e)
	if m := c.ofDerived(e, t.Type, kind != "reinterpret_cast"); m != nil {
		return m
	}
	if from := e.Type(); kind == "static_cast" && (from.Kind == ctypes.Pointer && from != nullType && t.IsInteger() &&
		t.Kind != ctypes.Bool || t.Kind == ctypes.Pointer && from.IsInteger() && !c.isNull(e)) { // [expr.static.cast]
		return c.fail(pos, "a static_cast cannot make %v of %v", t.Type, from)
	}
	return c.castValue(e, t.Type, pos)
}

// castReference types static_cast<T &>(x) and its like.
func (c *checker) castReference(t qtype, e ast.Expr, kind string, pos diag.Pos) ast.Expr {
	x := c.place(e)
	if !ast.IsLvalue(x) {
		x = c.lvalueOf(c.rvalue(e))
	}
	if isInvalid(x) {
		return x
	}
	from := x.Type()
	switch {
	case same(from, t.Type):
		if want := t.isConst; want != c.isConstLvalue(x) || t.isVolatile {
			p := c.addressOf(x, pos)
			q := *p.Type()
			q.Const, q.Volatile = t.isConst, t.isVolatile
			x = &ast.Deref{Typed: ast.Of(t.Type, pos), X: &ast.Convert{Typed: ast.Of(&q, pos), X: p, Explicit: true}}
		} else if ref, ok := x.(*ast.VarRef); ok && ref.Obj.Constant != nil { // the object is used ([basic.def.odr])
			x = &ast.Deref{Typed: ast.Of(t.Type, pos), X: c.addressOf(x, pos)}
		}
	case c.derives(from, t.Type):
		x = c.asBase(x, t.Type)
	case c.derives(t.Type, from):
		p := c.downcast(c.pointerTo(qtype{t.Type, qualifiers{isConst: t.isConst}}, false), c.addressOf(x, pos), pos)
		x = c.deref(p, pos)
	case isClass(from) && kind != "reinterpret_cast":
		if own := c.userConversion(e, t.Type); own != nil {
			x = c.lvalueOf(own)
			break
		}
		fallthrough
	case kind == "static_cast" && from.IsScalar() && t.IsScalar() && (t.isConst || t.ref == rvalue):
		if from.IsScalar() && t.IsScalar() {
			x = c.lvalueOf(c.castValue(c.rvalue(e), t.Type, pos))
			break
		}
		fallthrough
	default: // the object's memory as one of another type
		p := c.addressOf(x, pos)
		if isInvalid(p) {
			return p
		}
		q := ctypes.PointerTo(t.Type, p.Type().Space)
		q.Const, q.Volatile = t.isConst, t.isVolatile
		x = c.deref(&ast.Convert{Typed: ast.Of(q, pos), X: p, Explicit: true}, pos)
	}
	if t.ref == rvalue && !isInvalid(x) {
		return &xvalue{ast.Of(x.Type(), pos), x}
	}
	return x
}

// downcast converts between pointers to a class and to one that is derived from it; nil for other types.
func (c *checker) downcast(t *ctypes.Type, e ast.Expr, pos diag.Pos) ast.Expr {
	from := e.Type()
	if t.Kind != ctypes.Pointer || from.Kind != ctypes.Pointer {
		return nil
	}
	e = c.rvalue(e)
	if c.derives(from.Elem, t.Elem) {
		return c.castValue(c.upcast(e, t.Elem, pos), t, pos)
	}
	if !c.derives(t.Elem, from.Elem) {
		return nil
	}
	offset := c.baseOffset(t.Elem, from.Elem)
	if offset == 0 {
		return c.castValue(e, t, pos)
	}
	return c.unlessNull(e, pos, func(p ast.Expr) ast.Expr {
		bytes := ctypes.PointerTo(ctypes.Scalar(ctypes.UChar), from.Space)
		p = &ast.Convert{Typed: ast.Of(bytes, pos), X: p, Explicit: true}
		return c.castValue(c.pointerAdd(p, number(ctypes.Long, offset, pos), true, pos), t, pos)
	})
}

// upcast is a pointer to a class as one to a base of it.
func (c *checker) upcast(p ast.Expr, to *ctypes.Type, pos diag.Pos) ast.Expr {
	base := func(p ast.Expr) ast.Expr { return c.addressOf(c.asBase(c.deref(p, pos), to), pos) }
	if c.baseOffset(p.Type().Elem, to) == 0 {
		return base(p)
	}
	return c.unlessNull(p, pos, base)
}

// unlessNull converts a pointer by a number of bytes: null stays null ([conv.ptr]).
func (c *checker) unlessNull(p ast.Expr, pos diag.Pos, convert func(ast.Expr) ast.Expr) ast.Expr {
	of := p
	for conv, ok := of.(*ast.Convert); ok && conv.X.Type().Kind == ctypes.Pointer; conv, ok = of.(*ast.Convert) {
		of = conv.X
	}
	switch x := of.(type) {
	case *ast.AddrOf, *ast.Decay:
		return convert(p)
	case *ast.VarRef:
		if x.Obj.Name == "this" {
			return convert(p)
		}
	}
	decl, own := ownVariable("pointer", p, pos)
	e := convert(own)
	if isInvalid(e) {
		return e
	}
	null := &ast.Convert{Typed: ast.Of(e.Type(), pos), X: number(ctypes.Int, 0, pos)}
	return &ast.StmtExpr{Typed: ast.Of(e.Type(), pos), Stmts: []ast.Stmt{decl},
		X: &ast.Cond{Typed: ast.Of(e.Type(), pos), C: own, X: e, Y: null}}
}

// baseOffset is how many bytes the data of a base lie behind the beginning of a class.
func (c *checker) baseOffset(t, b *ctypes.Type) int64 {
	if t == b {
		return 0
	}
	for _, direct := range c.classes[t].bases {
		if direct.class.typ != b && c.baseDistance(direct.class.typ, b) == 0 {
			continue
		}
		n := c.baseOffset(direct.class.typ, b)
		if direct.field >= 0 {
			n += t.Fields[direct.field].Offset
		}
		return n
	}
	return 0
}

// namedCast types static_cast and its like.
func (c *checker) namedCast(n *syntax.NamedCast) ast.Expr {
	t := c.typeID(n.Type)
	if n.Kind == "dynamic_cast" {
		return c.refuse(n.Pos, "dynamic_cast is", "use static_cast")
	}
	return c.castTo(t, c.argument(n.X), n.Kind, n.Pos)
}

// castValue types an explicit conversion of a value.
func (c *checker) castValue(e ast.Expr, t *ctypes.Type, pos diag.Pos) ast.Expr {
	from := e.Type()
	switch {
	case isInvalid(e) || t.Kind == 0:
		return invalidAt(pos)
	case t.Kind == ctypes.Void:
		return &ast.Convert{Typed: ast.Of(t, pos), X: e, Explicit: true}
	case from.Kind == ctypes.Pointer && t.Kind == ctypes.Pointer:
		// A cast says what is pointed to, seldom where: the space stays.
		if t.Space == 0 {
			u := *t
			u.Space = from.Space
			t = &u
		}
		if from.Equal(t) && from.Volatile == t.Volatile && (c.cfg.Dialect == ast.OpenCL || same(from, t)) {
			return e
		}
		return &ast.Convert{Typed: ast.Of(t, pos), X: e, Explicit: true}
	case from.Equal(t):
		return c.retyped(e, t)
	case from.IsScalar() && t.IsScalar():
		return c.convertScalar(e, t, true)
	case from.IsScalar() && t.Kind == ctypes.Vector:
		return c.splat(e, t, true)
	case from.IsInteger() && t.Kind == ctypes.Opaque:
		return c.convert(e, t, "cast")
	case from.Kind == ctypes.Pointer && t.IsInteger(), from.IsInteger() && t.Kind == ctypes.Pointer:
		return &ast.Convert{Typed: ast.Of(c.declaredType(t), pos), X: e, Explicit: true}
	case from.Kind == ctypes.Vector && t.Kind == ctypes.Vector:
		c.errorf(pos, codeType, "a cast cannot make %v of %v", t, from).
			WithNote("write convert_%v(...) for the values or as_%v(...) for the bits", t, t)
		return invalidAt(pos)
	}
	return c.fail(pos, "a cast cannot make %v of %v", t, from)
}

// constructExpr types T(args), T{list} and (T){list}.
func (c *checker) constructExpr(n *syntax.Construct) ast.Expr {
	t := c.typeID(n.Type)
	if n.List != nil {
		if t.Kind == ctypes.Array {
			return c.arrayLiteral(n.List, c.declaredType(t.Type), n.Pos)
		}
		t.Type = c.declaredType(t.Type)
		return c.fromBraces(c.enumBraces(c.braces(n.List), t), t)
	}
	args, ok := c.arguments(n.Args)
	if !ok || t.Kind == 0 {
		return invalidAt(n.Pos)
	}
	c.refuseAbstract(t.Type, n.Pos)
	return c.construct(t, args, n.Pos)
}

// construct makes an object of arguments in parentheses.
func (c *checker) construct(t qtype, args []ast.Expr, pos diag.Pos) ast.Expr {
	if tmpl := c.holders[t.Type]; tmpl != nil {
		deduced := c.deduceClass(tmpl, args, pos)
		if deduced == nil {
			return invalidAt(pos)
		}
		t = plain(deduced)
	}
	switch {
	case t.Kind == 0:
		return invalidAt(pos)
	case isClass(t.Type):
		return c.constructClass(t.Type, args, false, pos)
	case len(args) == 0:
		return c.zeroValue(t.Type, pos)
	case t.Kind == ctypes.Vector:
		if len(args) > 1 || args[0].Type().Kind == ctypes.Vector && !args[0].Type().Equal(t.Type) {
			values := make([]ast.Expr, len(args))
			for i := range args {
				values[i] = c.rvalue(args[i])
			}
			if t.Name == "dim3" || t.Len == 3 && t.Elem.Kind == ctypes.UInt {
				for len(values) < 3 {
					values = append(values, number(ctypes.UInt, 1, pos))
				}
			}
			return c.makeVector(values, t.Type, false, pos)
		}
	case len(args) > 1:
		return c.fail(pos, "%v takes exactly one value", t.Type)
	}
	return c.castTo(t, args[0], "cast", pos)
}

// zeroValue is the value of T().
func (c *checker) zeroValue(t *ctypes.Type, pos diag.Pos) ast.Expr {
	switch {
	case t.Kind == ctypes.Void:
		return &ast.Convert{Typed: ast.Of(t, pos), X: number(ctypes.Int, 0, pos), Explicit: true}
	case t.IsScalar():
		v := ctypes.Convert(ctypes.IntValue(ctypes.Int, 0), t)
		v.Type = t
		return &ast.Literal{Typed: ast.Of(t, pos), Value: v}
	case t.Kind == ctypes.Vector:
		return c.makeVector(nil, t, true, pos)
	case t.Kind == ctypes.Pointer:
		return &ast.Convert{Typed: ast.Of(t, pos), X: number(ctypes.Int, 0, pos)}
	case isClass(t):
		return c.constructClass(t, nil, false, pos)
	}
	return &ast.InitList{Typed: ast.Of(t, pos)}
}

// sizeofExpr types sizeof and alignof.
func (c *checker) sizeofExpr(n *syntax.SizeOf) ast.Expr {
	if n.Pack != "" {
		sym := c.pack(n.Pack)
		if sym == nil {
			return c.fail(n.Pos, "%s is not a pack", n.Pack)
		}
		return number(ctypes.ULong, int64(len(sym.pack)), n.Pos)
	}
	var t *ctypes.Type
	if n.Type != nil {
		t = c.typeID(n.Type).Type
	} else {
		e := c.unevaluated(n.X)
		t = e.Type()
		if op, ok := e.(*typeOperand); ok {
			t = op.t.Type
		}
	}
	if c.isBroken(t, n.Pos) {
		return invalidAt(n.Pos)
	}
	return c.sizeof(t, n.Align, n.Pos)
}

// vectorCast types (T)(...) for a vector type T. By C's grammar a suffix binds
// first, as in (float4)(1, 2, 3, 4).x; OpenCL means the vector's suffix.
func (c *checker) vectorCast(operand syntax.Expr, t *ctypes.Type, pos diag.Pos) ast.Expr {
	if paren, suffixes := literalOperand(operand); paren != nil {
		e := c.vectorLiteral(paren.X, t, pos)
		for i := len(suffixes) - 1; i >= 0; i-- {
			switch s := suffixes[i].(type) {
			case *syntax.IndexExpr:
				e = c.index(e, c.value(s.I), s.Pos)
			case *syntax.MemberExpr:
				e = c.member(e, s.Name.String(), s.Pos)
			}
		}
		return e
	}
	return c.castValue(c.value(operand), t, pos)
}

// literalOperand finds the parenthesised list under the suffixes of a vector
// literal; suffixes are outermost first.
func literalOperand(n syntax.Expr) (paren *syntax.Paren, suffixes []syntax.Expr) {
	for {
		switch x := n.(type) {
		case *syntax.Paren:
			return x, suffixes
		case *syntax.MemberExpr:
			if x.Arrow {
				return nil, nil
			}
			suffixes = append(suffixes, x)
			n = x.X
		case *syntax.IndexExpr:
			suffixes = append(suffixes, x)
			n = x.X
		default:
			return nil, nil
		}
	}
}

// vectorLiteral types the parenthesised operand of a vector literal.
func (c *checker) vectorLiteral(n syntax.Expr, t *ctypes.Type, pos diag.Pos) ast.Expr {
	var list []syntax.Expr
	for {
		b, ok := n.(*syntax.Binary)
		if !ok || b.Op != "," {
			break
		}
		list = append([]syntax.Expr{b.Y}, list...)
		n = b.X
	}
	if list == nil {
		return c.castValue(c.value(n), t, pos)
	}
	elems := []ast.Expr{c.value(n)}
	for _, x := range list {
		elems = append(elems, c.value(x))
	}
	return c.makeVector(elems, t, false, pos)
}
