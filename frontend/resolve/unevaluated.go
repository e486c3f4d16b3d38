package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// Operands that are not evaluated ([expr.context]): of sizeof, decltype and noexcept.

// unevaluated types one.
func (c *checker) unevaluated(x syntax.Expr) ast.Expr {
	throws := c.throws
	c.dead++
	e := c.expr(x)
	c.dead--
	c.throws = throws
	return e
}

// isPart reports whether an expression is a data member, or an element of one.
func isPart(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Member:
		return true
	case *ast.Index:
		d, ok := x.X.(*ast.Decay)
		return ok && isPart(d.X)
	}
	return false
}

// memberIn is the data member that an expression is, a reference or not; nil of others.
func (c *checker) memberIn(e ast.Expr) *field {
	e = stripped(e)
	d, through := e.(*ast.Deref)
	if through {
		e = d.X
	}
	m, ok := e.(*ast.Member)
	if !ok || c.classes[m.X.Type()] == nil {
		return nil
	}
	if f := c.classes[m.X.Type()].field(m.Field); f != nil && (f.typ.ref != noRef) == through {
		return f
	}
	return nil
}

// noexcept types noexcept(x): whether x calls no function that may throw ([expr.unary.noexcept]). Functions of the
// language do not throw.
func (c *checker) noexcept(x *syntax.Noexcept) ast.Expr {
	outer := c.throws
	defer func() { c.throws = outer }()
	c.throws = false
	c.dead++
	e := c.expr(x.X)
	c.dead--
	if isInvalid(e) {
		return e
	}
	v := int64(1)
	if c.throws {
		v = 0
	}
	return number(ctypes.Bool, v, x.Pos)
}

// cannotThrow reports whether the exception specification of a function says so ([except.spec]): a destructor without
// one, and what a compiler makes by itself, do not throw unless a part of the object does.
func (c *checker) cannotThrow(f *function) bool {
	if f.decl == nil {
		return true
	}
	x := functionOp(f.decl.Decl).NoThrow
	if x == nil {
		return f.kind == destructor || f.isDefaulted
	}
	if lit, ok := x.(*syntax.Lit); ok && lit.Text == "true" {
		return true
	}
	done := c.enterDeclaration()
	defer done()
	c.scope = &scope{kind: functionScope, up: f.in, limit: f.limitOf()}
	for _, p := range f.sig.params {
		c.scope.declare(&symbol{kind: symObject, name: p.name, obj: &ast.Object{Name: p.name,
			Type: c.represented(p.typ)}, ref: p.typ.ref, unevaluated: true})
	}
	for _, k := range f.sig.packs {
		c.declarePack(f.sig, k)
	}
	if f.class != nil {
		c.sigThis = append(c.sigThis, f)
		defer func() { c.sigThis = c.sigThis[:len(c.sigThis)-1] }()
	}
	lit, ok := c.evaluated(c.truth(c.constantExpr(x))).(*ast.Literal)
	return ok && lit.Value.IsTrue()
}
