package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Pointers to data members are the offsets of the members, and -1 where they lead to none, as the Itanium C++ ABI has
// them (2.3).

// memberPointer is what a type of such pointers says.
type memberPointer struct {
	class *ctypes.Type
	elem  qtype
}

// memberPointerOp makes the type of "T C::*".
func (c *checker) memberPointerOp(op *syntax.MemberPtrOp, t qtype, pos diag.Pos) qtype {
	f := c.find(op.Class, false, "type")
	switch {
	case f == nil:
		return invalid
	case f.sym.kind != symType || !isClass(f.sym.typ.Type):
		c.errorf(pos, codeType, "%s is not a class", f.name)
		return invalid
	case c.funcTypes[t.Type] != nil:
		return plain(ctypes.PointerTo(c.functionsOf(t.Type, f.sym.typ.Type), 0))
	}
	return plain(c.memberPointerTo(f.sym.typ.Type, t))
}

func (c *checker) memberPointerTo(class *ctypes.Type, elem qtype) *ctypes.Type {
	name := c.spellQual(elem) + " " + c.spell(class) + "::*"
	key := "member " + c.key(elem) + " of " + c.key(plain(class))
	if t := c.functionTypes[key]; t != nil {
		return t
	}
	t := &ctypes.Type{Kind: ctypes.Long, Name: name}
	c.functionTypes[key] = t
	if c.memberPointers == nil {
		c.memberPointers = map[*ctypes.Type]*memberPointer{}
	}
	c.memberPointers[t] = &memberPointer{class, elem}
	return t
}

// addressOfMember types &C::member; nil where x does not name a data member that belongs to objects.
func (c *checker) addressOfMember(x syntax.Expr, pos diag.Pos) ast.Expr {
	id, ok := x.(*syntax.Ident)
	if !ok || len(id.Name.Parts) < 2 || c.cfg.Dialect != ast.CUDA {
		return nil
	}
	var f *found
	if errs := c.quietly(func() { f = c.find(id.Name, false, "name") }); len(errs) > 0 || f == nil ||
		f.sym.kind != symField || f.in == nil {
		return nil
	}
	sym := f.sym
	if sym.bits != nil || sym.ref != noRef || sym.field >= len(sym.class.typ.Fields) {
		return c.fail(pos, "%s has no pointer to a member", f.name)
	}
	v := ctypes.IntValue(ctypes.Long, sym.class.typ.Fields[sym.field].Offset)
	v.Type = c.memberPointerTo(sym.class.typ, sym.typ)
	return ast.LiteralOf(v, pos)
}

// memberCall is x.*m for a pointer to a member function, which is called.
type memberCall struct {
	ast.Expr // the pointer
	object   ast.Expr
}

// noMemberOf is the pointer to no member ([conv.mem]) where a null pointer constant becomes a pointer to a member; nil
// of others.
func (c *checker) noMemberOf(e ast.Expr, t *ctypes.Type) ast.Expr {
	if c.memberPointers[t] == nil || c.isEnum(e.Type()) || !isZero(e) {
		return nil
	}
	return ast.LiteralOf(ctypes.Value{Type: t, Int: -1}, e.Pos())
}

// ofDerived is a pointer to a member of a class as one to a member of a derived class ([conv.mem]), by a cast also of a
// base ([expr.static.cast]); nil where it is none.
func (c *checker) ofDerived(m ast.Expr, t *ctypes.Type, cast bool) ast.Expr {
	from, to := c.memberPointers[m.Type()], c.memberPointers[t]
	if from == nil || to == nil || c.memberPointerTo(to.class, from.elem) != c.memberPointerTo(to.class, to.elem) {
		return nil
	}
	pos, by := m.Pos(), int64(0)
	switch {
	case c.derives(to.class, from.class):
		by = c.baseOffset(to.class, from.class)
	case cast && c.derives(from.class, to.class):
		by = -c.baseOffset(from.class, to.class)
	default:
		return nil
	}
	if lit, ok := m.(*ast.Literal); ok {
		if lit.Value.Int == -1 {
			by = 0
		}
		return ast.LiteralOf(ctypes.Value{Type: t, Int: lit.Value.Int + by}, pos)
	}
	long, none := ctypes.Scalar(ctypes.Long), number(ctypes.Long, -1, pos)
	decl, own := ownVariable("member", c.castValue(m, long, pos), pos)
	is := &ast.Binary{Typed: ast.Of(ctypes.Scalar(ctypes.Int), pos), Op: ctypes.Eq, X: own, Y: none}
	moved := &ast.Cond{Typed: own.Typed, C: is, X: own,
		Y: &ast.Binary{Typed: own.Typed, Op: ctypes.Add, X: own, Y: number(ctypes.Long, by, pos)}}
	return &ast.Convert{Typed: ast.Of(t, pos), X: &ast.StmtExpr{Typed: own.Typed, Stmts: []ast.Stmt{decl}, X: moved}}
}

// memberOfOne makes pointers to members of a class and of a base pointers to members of one class ([expr.type] 3).
func (c *checker) memberOfOne(x, y ast.Expr) (ast.Expr, ast.Expr) {
	if m := c.ofDerived(x, y.Type(), false); m != nil {
		return m, y
	} else if m := c.ofDerived(y, x.Type(), false); m != nil {
		return x, m
	}
	return x, y
}

// memberAccess types x.*m and x->*m.
func (c *checker) memberAccess(n *syntax.Binary) ast.Expr {
	pos := n.Pos
	x, m := c.materialized(c.expr(n.X)), c.rvalue(c.expr(n.Y))
	if isInvalid(x, m) {
		return invalidAt(pos)
	}
	if n.Op == "->*" {
		if own := c.overloaded("->*", pos, x, m); own != nil {
			return own
		}
		x = c.deref(c.rvalue(x), pos)
	}
	if set, ok := m.(*overloads); ok && len(set.funcs) > 0 && set.funcs[0].class != nil {
		named := *set
		named.object, named.adl = x, false
		return &named
	}
	if c.isFunctionPointer(m.Type()) {
		return &memberCall{m, x}
	}
	info := c.memberPointers[m.Type()]
	x = c.place(x)
	switch {
	case isInvalid(x):
		return x
	case info == nil:
		return c.fail(pos, "%v is not a pointer to a member", m.Type())
	case x.Type() != info.class && c.derives(x.Type(), info.class):
		x = c.asBase(x, info.class)
	case x.Type() != info.class:
		return c.fail(pos, "%v has no members of %v", x.Type(), info.class)
	}
	if lit, ok := m.(*ast.Literal); ok {
		for i, f := range x.Type().Fields {
			if f.Offset == lit.Value.Int && same(f.Type, info.elem.Type) {
				return &ast.Member{Typed: ast.Of(f.Type, pos), X: x, Field: i}
			}
		}
	}
	p := c.addressOf(c.lvalueOf(x), pos)
	if isInvalid(p) {
		return p
	}
	bytes, to := *p.Type(), *p.Type()
	bytes.Elem, to.Elem = ctypes.Scalar(ctypes.UChar), info.elem.Type
	to.Const = to.Const || info.elem.isConst
	at := c.pointerAdd(&ast.Convert{Typed: ast.Of(&bytes, pos), X: p, Explicit: true},
		c.castValue(m, ctypes.Scalar(ctypes.Long), pos), false, pos)
	return c.deref(&ast.Convert{Typed: ast.Of(&to, pos), X: at, Explicit: true}, pos)
}
