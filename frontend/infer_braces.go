package frontend

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/cxx"
	"gpupipe/frontend/encoding"

	"modernc.org/cc/v4"
)

// contextList is a list in braces whose type its context says (rewriting has made it a compound literal):
// that of what it is assigned to, of the function's result or of a parameter. convert
// gives it one; nothing that is typed to the end holds one.
type contextList struct {
	ast.Typed
	list *cc.InitializerList
}

// bracesType is the type of a contextList.
var bracesType = &Type{Kind: Opaque, Name: "a list in braces"}

// isContextList reports whether a compound literal is a list without a type of its own.
func isContextList(x *cc.PostfixExpression) bool {
	q := x.TypeName.SpecifierQualifierList
	return q != nil && q.TypeSpecifier != nil && q.TypeSpecifier.Token.SrcStr() == encoding.TypeBraces
}

// ofBraces types a list for a type: what a constructor of it makes of the list, or the
// list as an initialiser. An empty list has been given a zero.
func (c *checker) ofBraces(e *contextList, t *Type) Expr {
	if t.Kind == Struct {
		if sym := c.lookup(cxx.ConstructorPrefix + t.Name); sym != nil && sym.kind == symFunction {
			return c.constructedOf(sym, e, t)
		}
	}
	x, _ := c.braced(e.list, t, e.P)
	return x
}

// constructedOf is the call of the constructor that fits a list best.
func (c *checker) constructedOf(sym *symbol, e *contextList, t *Type) Expr {
	var args []Expr
	for l := e.list; l != nil; l = l.InitializerList {
		if l.Initializer.Case != cc.InitializerExpr || l.Designation != nil {
			c.unsupported(e.P, "braces and designators inside a constructor's arguments are", "name the type")
			return invalidAt(e.P)
		}
		args = append(args, c.expr(l.Initializer.AssignmentExpression))
	}
	if isInvalid(args...) {
		return invalidAt(e.P)
	}
	if e.isEmpty() {
		if own := c.constructed(t, e.P); own != nil {
			return own
		}
	}
	f, _ := c.selectFunction(sym, args)
	if f == nil {
		return c.fail(e.P, "%v has no constructor of %s", t, countOf(len(args), "argument"))
	}
	c.use(sym)
	return c.callFunction(f, t.Name, args, e.P)
}

// constructedFrom is what a struct's constructor makes of one value, which it is converted by; nil if no
// constructor takes the value as it is.
func (c *checker) constructedFrom(e Expr, t *Type) Expr {
	if t.Kind != Struct {
		return nil
	}
	sym := c.lookup(cxx.ConstructorPrefix + t.Name)
	if sym == nil || sym.kind != symFunction {
		return nil
	}
	f, _ := c.selectFunction(sym, []Expr{e})
	if f == nil || c.callCost(f, []Expr{e}) >= costOther {
		return nil
	}
	c.use(sym)
	return c.callFunction(f, t.Name, []Expr{e}, e.Pos())
}

// isEmpty reports whether the list is {}.
func (e *contextList) isEmpty() bool {
	if e.list.InitializerList != nil || e.list.Initializer.Case != cc.InitializerExpr {
		return false
	}
	p, ok := e.list.Initializer.AssignmentExpression.(*cc.PrimaryExpression)
	return ok && p.Token.SrcStr() == encoding.ZeroOfEmpty
}

// cost ranks the list as an argument, as conversionCost does: it fits what has as many
// elements or more, where those that it leaves out are zero.
func (e *contextList) cost(t *Type, ref bool) int {
	if ref {
		t = t.Elem
	}
	given, elements := 0, 1
	for l := e.list; l != nil; l = l.InitializerList {
		given++
	}
	switch t.Kind {
	case Vector:
		elements = t.Lanes()
	case Struct:
		elements = len(t.Fields)
	case Array, Pointer, Opaque, Void:
		elements = 0
	}
	if given > elements {
		return impossible
	}
	return 1 + elements - given
}
