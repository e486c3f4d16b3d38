package frontend

import (
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/spelling"

	"modernc.org/cc/v4"
)

// Typing an expression gives an Expr that may still be an lvalue: an array, a
// constant variable. rvalue decays and folds it; convert does so too and makes
// the conversion to a wanted type explicit.

// invalidExpr stands for an expression that could not be typed; the error has
// been reported. No function without errors contains one.
type invalidExpr struct{ ast.Typed }

func invalidAt(pos Pos) Expr { return &invalidExpr{ast.Of(invalidType, pos)} }

func isInvalid(es ...Expr) bool {
	for _, e := range es {
		if e.Type().Kind == 0 {
			return true
		}
	}
	return false
}

// fail reports a type error and returns the invalid expression.
func (c *checker) fail(pos Pos, format string, args ...any) Expr {
	c.errorf(pos, codeType, format, args...)
	return invalidAt(pos)
}

// expr types an expression.
func (c *checker) expr(n cc.ExpressionNode) Expr {
	defer c.leave()
	if !c.enter(n) {
		return invalidAt(c.p.Pos(n))
	}
	switch x := n.(type) {
	case *cc.ExpressionList:
		return c.comma(x)
	case *cc.ConstantExpression:
		return c.expr(x.ConditionalExpression)
	case *cc.PrimaryExpression:
		return c.primary(x)
	case *cc.PostfixExpression:
		return c.postfix(x)
	case *cc.UnaryExpression:
		return c.unaryExpr(x)
	case *cc.CastExpression:
		return c.cast(x)
	case *cc.ConditionalExpression:
		return c.conditional(x)
	case *cc.AssignmentExpression:
		return c.assignment(x)
	}
	if op, l, r, tok, ok := binaryParts(n); ok {
		return c.binaryExpr(op, l, r, c.p.Pos(tok))
	}
	c.unsupported(c.p.Pos(n), "this expression is", "")
	return invalidAt(c.p.Pos(n))
}

// value types an expression whose value is used.
func (c *checker) value(n cc.ExpressionNode) Expr { return c.rvalue(c.expr(n)) }

// The operators of cc's nodes, by their case.
var (
	mulOps   = [...]Op{cc.MultiplicativeExpressionMul: Mul, cc.MultiplicativeExpressionDiv: Div, cc.MultiplicativeExpressionMod: Rem}
	addOps   = [...]Op{cc.AdditiveExpressionAdd: Add, cc.AdditiveExpressionSub: Sub}
	shiftOps = [...]Op{cc.ShiftExpressionLsh: Shl, cc.ShiftExpressionRsh: Shr}
	orderOps = [...]Op{cc.RelationalExpressionLt: Lt, cc.RelationalExpressionGt: Gt, cc.RelationalExpressionLeq: Le, cc.RelationalExpressionGeq: Ge}
	equalOps = [...]Op{cc.EqualityExpressionEq: Eq, cc.EqualityExpressionNeq: Ne}
)

// binaryParts takes any of C's binary operators apart.
func binaryParts(n cc.ExpressionNode) (op Op, l, r cc.ExpressionNode, tok cc.Token, ok bool) {
	switch x := n.(type) {
	case *cc.MultiplicativeExpression:
		return mulOps[x.Case], x.MultiplicativeExpression, x.CastExpression, x.Token, true
	case *cc.AdditiveExpression:
		return addOps[x.Case], x.AdditiveExpression, x.MultiplicativeExpression, x.Token, true
	case *cc.ShiftExpression:
		return shiftOps[x.Case], x.ShiftExpression, x.AdditiveExpression, x.Token, true
	case *cc.RelationalExpression:
		return orderOps[x.Case], x.RelationalExpression, x.ShiftExpression, x.Token, true
	case *cc.EqualityExpression:
		return equalOps[x.Case], x.EqualityExpression, x.RelationalExpression, x.Token, true
	case *cc.AndExpression:
		return And, x.AndExpression, x.EqualityExpression, x.Token, true
	case *cc.ExclusiveOrExpression:
		return Xor, x.ExclusiveOrExpression, x.AndExpression, x.Token, true
	case *cc.InclusiveOrExpression:
		return Or, x.InclusiveOrExpression, x.ExclusiveOrExpression, x.Token, true
	case *cc.LogicalAndExpression:
		return LogAnd, x.LogicalAndExpression, x.InclusiveOrExpression, x.Token, true
	case *cc.LogicalOrExpression:
		return LogOr, x.LogicalOrExpression, x.LogicalAndExpression, x.Token, true
	}
	return 0, nil, nil, tok, false
}

func (c *checker) comma(l *cc.ExpressionList) Expr {
	e := c.expr(l.AssignmentExpression)
	for l = l.ExpressionList; l != nil; l = l.ExpressionList {
		next := c.value(l.AssignmentExpression)
		if isInvalid(e, next) {
			e = invalidAt(e.Pos())
			continue
		}
		e = &Comma{Typed: ast.Of(next.Type(), c.p.Pos(l.Token)), X: c.rvalue(e), Y: next}
	}
	return e
}

func (c *checker) primary(x *cc.PrimaryExpression) Expr {
	pos := c.p.Pos(x)
	var v Value
	var problem string
	text := x.Token.SrcStr()
	switch x.Case {
	case cc.PrimaryExpressionIdent:
		if c.fn != nil && (text == "__func__" || text == "__FUNCTION__" || text == "__PRETTY_FUNCTION__") {
			return c.stringLiteral(strconv.Quote(c.fn.Name), pos)
		}
		return c.ident(text, pos)
	case cc.PrimaryExpressionExpr:
		return c.expr(x.ExpressionList)
	case cc.PrimaryExpressionInt:
		v, problem = ctypes.ParseInt(text)
	case cc.PrimaryExpressionFloat:
		v, problem = ctypes.ParseFloat(text, c.cfg.SinglePrecision)
	case cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		v, problem = ctypes.ParseChar(text)
	case cc.PrimaryExpressionString:
		return c.stringLiteral(text, pos)
	case cc.PrimaryExpressionLString:
		c.unsupported(pos, "wide string literals are", "use a __constant array")
		return invalidAt(pos)
	case cc.PrimaryExpressionStmt:
		return c.statementExpression(x.CompoundStatement, pos)
	default:
		c.unsupported(pos, "_Generic is", "call the function that it selects")
		return invalidAt(pos)
	}
	if problem != "" {
		c.errorf(pos, codeConstant, "constant %s: %s", text, problem)
		return invalidAt(pos)
	}
	return &Literal{Typed: ast.Of(v.Type, pos), Value: v}
}

// ident types a name.
func (c *checker) ident(name string, pos Pos) Expr {
	if e := c.ownMember(name, pos); e != nil {
		return e
	}
	sym := c.lookup(name)
	if sym == nil || sym.missing {
		c.undeclared(pos, name, "name")
		return invalidAt(pos)
	}
	c.use(sym)
	switch sym.kind {
	case symEnumerator:
		return &Literal{Typed: ast.Of(sym.value.Type, pos), Value: *sym.value}
	case symType:
		return c.fail(pos, "%s is a type, not a value", name)
	case symLambda, symFunction, symAlias:
		return c.strayCallable(sym.kind == symLambda, name, pos)
	}
	if sym.builtin {
		return c.cudaIndex(name, pos)
	}
	if sym.obj.Type.Kind == 0 {
		return invalidAt(pos)
	}
	e := &VarRef{Typed: ast.Of(sym.obj.Type, pos), Obj: sym.obj}
	if sym.ref {
		return &Deref{Typed: ast.Of(sym.obj.Type.Elem, pos), X: e}
	}
	return e
}

// rvalue makes a value of an lvalue: arrays decay, constants whose value is
// known become literals.
func (c *checker) rvalue(e Expr) Expr {
	t := e.Type()
	switch {
	case t.Kind == Array:
		p := PointerTo(t.Elem, ast.SpaceOf(e))
		p.Const, p.Volatile = ast.IsConst(e), ast.IsVolatile(e)
		return &Decay{Typed: ast.Of(p, e.Pos()), X: e}
	case t.IsScalar():
		if ref, ok := e.(*VarRef); ok && ref.Obj.Constant != nil {
			return &Literal{Typed: ast.Of(t, e.Pos()), Value: *ref.Obj.Constant}
		}
	}
	return e
}

// undeclared reports an unknown name, once in a function, and what it might
// have been. what is "name", "type" or "function".
func (c *checker) undeclared(pos Pos, name, what string) {
	if c.fn != nil {
		if c.fn.names[name] {
			return
		}
		if c.fn.names == nil {
			c.fn.names = map[string]bool{}
		}
		c.fn.names[name] = true
	}
	if c.p.Program.Templates.Mangled[name] != nil {
		c.notInstantiated(pos, name)
		return
	}
	if what == "name" {
		what = ""
	} else {
		what += " "
	}
	e := c.errorf(pos, codeUndeclared, "%s%s is not declared", what, name)
	if c.foreign(e, name) {
		return
	}
	candidates := c.visibleNames()
	if what == "function " {
		candidates = append(candidates, c.builtins.Names...)
	}
	near := spelling.DidYouMean(name, candidates)
	if near != "" {
		_ = e.WithNote("%s", near)
	}
	switch {
	case tokens.IsAllCaps(name):
		_ = e.WithNote("looks like a macro: add -D %s=...", name)
		c.macros[e] = name
	case what == "type ":
		_ = e.WithNote("include the file that defines it, or add -D %s=TYPE", name)
	case what == "" && near == "" && !strings.Contains(name, "::"): // tuners define names in lower case
		_ = e.WithNote("if the host program defines it when it builds the kernel, add -D %s=...", name)
		c.macros[e] = name
	}
}
