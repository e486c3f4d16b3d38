package resolve

import (
	"slices"

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
	_, member := syntax.Bare(x).(*syntax.MemberExpr)
	if set, ok := e.(*overloads); ok && member && slices.ContainsFunc(set.funcs, (*function).takesThis) {
		return c.fail(e.Pos(), "the member function %s can only be called", set.name) // [expr.ref]
	}
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
	defer c.insideSignature(f)()
	lit, ok := c.evaluated(c.truth(c.constantExpr(x))).(*ast.Literal)
	return ok && lit.Value.IsTrue()
}

// insideSignature begins to read what stands behind the parameters of a function.
func (c *checker) insideSignature(f *function) (leave func()) {
	done := c.enterDeclaration()
	c.scope = &scope{kind: functionScope, up: f.in, limit: f.limitOf()}
	c.declareSignature(f.sig)
	if f.class == nil {
		return done
	}
	c.sigThis = append(c.sigThis, f)
	return func() {
		c.sigThis = c.sigThis[:len(c.sigThis)-1]
		done()
	}
}

// declareSignature declares the names of parameters.
func (c *checker) declareSignature(sig *signature) {
	for i := range sig.params {
		c.declareUnevaluated(&sig.params[i])
	}
	for _, k := range sig.packs {
		c.declarePack(sig, k)
	}
}

// declareUnevaluated declares a parameter for what has no value, as the types of its own function.
func (c *checker) declareUnevaluated(p *param) {
	c.scope.declare(&symbol{kind: symObject, name: p.name, ref: p.typ.ref, unevaluated: true,
		obj: &ast.Object{Name: p.name, Type: c.represented(p.typ)}})
}
