package frontend

import (
	"fmt"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/encoding"

	"modernc.org/cc/v4"
)

// Lambdas and functions as arguments. A function that has a parameter for one, of a template's type or a pointer to a
// function, is typed anew at each call, as a lambda is, with what is given standing for the parameter:
//
//	template <typename F> float twice(F f, float x) { return f(f(x)); }    twice(fmaxf_of_2, a), twice([=](float v) {...}, a)
//	float twice(float (*f)(float), float x) { return f(f(x)); }            the same
//
// Nothing else can hold one.

// maxActive bounds how often a function may be under way within itself: apply(f, x) may stand in a lambda that apply is
// given.
const maxActive = 8

// callable is a lambda or a function's name as an argument.
type callable struct {
	ast.Typed
	lambda *lambda // nil for a function
	name   string
}

// callableType is the type of every callable; its name is that of the prelude's typedef, which copies of templates have as their argument.
var callableType = &Type{Kind: Opaque, Name: encoding.TypeCallable}

func isCallable(t *Type) bool { return t.Kind == Opaque && t.Name == encoding.TypeCallable }

// argument types an argument of a call, which may be a callable.
func (c *checker) argument(n cc.ExpressionNode) Expr {
	if c.cfg.Dialect != CUDA || c.fn == nil {
		return c.expr(n)
	}
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionIdent {
			if e := c.callableNamed(x.Token.SrcStr(), c.p.Pos(x)); e != nil {
				return e
			}
		}
		if x.Case == cc.PrimaryExpressionStmt {
			if e := c.lambdaLiteral(x.CompoundStatement); e != nil {
				return e
			}
		}
		if x.Case == cc.PrimaryExpressionExpr {
			return c.argument(x.ExpressionList)
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			p := c.value(x.CastExpression)
			if t := p.Type(); t.Kind == Pointer && t.Elem.Kind == Struct && !t.Elem.IsComplete() {
				return &Deref{Typed: ast.Of(t.Elem, c.p.Pos(x)), X: p} // a reference reads nothing
			}
			return c.deref(p, c.p.Pos(x))
		}
		if p, ok := x.CastExpression.(*cc.PrimaryExpression); ok && x.Case == cc.UnaryExpressionAddrof && p.Case == cc.PrimaryExpressionIdent {
			if e := c.callableNamed(p.Token.SrcStr(), c.p.Pos(x)); e != nil {
				return e
			}
		}
	}
	return c.expr(n)
}

// callableNamed is the function or lambda of a name; nil if the name is none of one.
func (c *checker) callableNamed(name string, pos Pos) Expr {
	sym := c.lookup(name)
	e := &callable{Typed: ast.Of(callableType, pos), name: name}
	switch {
	case sym == nil && (len(c.builtins.Find(name)) > 0 || c.p.Program.Templates.Makes(name)):
	case sym == nil:
		return nil
	case sym.kind == symLambda:
		e.lambda = sym.lambda
	case sym.kind == symAlias:
		e.name = sym.target
	case sym.kind != symFunction:
		return nil
	}
	return e
}

// isCallableName reports whether an expression is the name of a parameter that is called.
func (c *checker) isCallableName(n cc.ExpressionNode) bool {
	p, ok := n.(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionIdent {
		return false
	}
	sym := c.lookup(p.Token.SrcStr())
	return sym != nil && (sym.kind == symAlias || sym.kind == symLambda)
}

// lambdaLiteral is a lambda that is defined as an argument, which rewriting has made a function whose name is the
// value of a statement expression; nil for another one.
func (c *checker) lambdaLiteral(n *cc.CompoundStatement) Expr {
	l := n.BlockItemList
	if l == nil || l.BlockItem.Case != cc.BlockItemFuncDef || l.BlockItem.Declarator.Name() != encoding.PassedLambda {
		return nil
	}
	d := l.BlockItem
	return &callable{Typed: ast.Of(callableType, c.p.Pos(n)), name: encoding.PassedLambda,
		lambda: &lambda{specifiers: d.DeclarationSpecifiers, declarator: d.Declarator, body: d.CompoundStatement, scope: c.scope, most: 1}}
}

// strayCallable reports a lambda or a function where a value is needed.
func (c *checker) strayCallable(isLambda bool, name string, pos Pos) Expr {
	if isLambda {
		c.unsupported(pos, "a lambda that is not called where it is defined is", "call it, give it to a function that does, or make it a __device__ function")
	} else {
		c.unsupported(pos, "pointers to functions are", "call "+name+" directly, or give it to a function that does")
	}
	return invalidAt(pos)
}

// as declares what a callable is under the name of the parameter that it is given for.
func (e *callable) as(name string) *symbol {
	if e.lambda != nil {
		return &symbol{kind: symLambda, name: name, lambda: e.lambda}
	}
	return &symbol{kind: symAlias, name: name, target: e.name}
}

// resolveAlias is the function that the name of a parameter stands for, with its own name.
func (c *checker) resolveAlias(sym *symbol, name string) (*symbol, string) {
	if sym == nil || sym.kind != symAlias {
		return sym, name
	}
	return c.fileScope().names[sym.target], sym.target
}

// takesCallable reports whether a function has a parameter that is called.
func (f *funcInfo) takesCallable() bool {
	for _, p := range f.Params {
		if isCallable(p.Type) {
			return true
		}
	}
	return false
}

// callInline types a call of a function with parameters that are called.
func (c *checker) callInline(f *funcInfo, args []Expr, pos Pos) Expr {
	if f.def == nil {
		return c.fail(pos, "function %s is declared but not defined", f.Name)
	}
	key := callableKey(args)
	l := f.inline[key]
	if l == nil {
		l = &lambda{specifiers: f.def.DeclarationSpecifiers, declarator: f.def.Declarator, body: f.def.CompoundStatement, scope: c.fileScope(), most: maxActive, shared: map[*cc.InitDeclarator]*Object{}}
		if f.inline == nil {
			f.inline = map[string]*lambda{}
		}
		f.inline[key] = l
	}
	return c.callLambda(l, f.Name, args, pos)
}

// callableKey tells the copies of a function apart that C++ would make for the callables among its arguments.
func callableKey(args []Expr) string {
	var b strings.Builder
	for _, a := range args {
		if e, ok := a.(*callable); ok && e.lambda != nil {
			fmt.Fprintf(&b, "%p,", e.lambda.body)
		} else if ok {
			b.WriteString(e.name + ",")
		}
	}
	return b.String()
}

// pointsToFunction reports whether a declarator is that of a function or a pointer to one: (*f)(float).
func pointsToFunction(d *cc.Declarator) bool {
	fn := d.DirectDeclarator
	if fn == nil || fn.Case != cc.DirectDeclaratorFuncParam && fn.Case != cc.DirectDeclaratorFuncIdent {
		return false
	}
	in := fn.DirectDeclarator
	return in != nil && (in.Case == cc.DirectDeclaratorIdent ||
		in.Case == cc.DirectDeclaratorDecl && in.Declarator.DirectDeclarator != nil && in.Declarator.DirectDeclarator.Case == cc.DirectDeclaratorIdent)
}
