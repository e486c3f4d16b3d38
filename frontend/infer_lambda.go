package frontend

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/encoding"
	"gpupipe/idg"

	"modernc.org/cc/v4"
)

// A lambda is a function inside a function (package load's rewriting makes it one). Its body is typed anew at each call, where
// it stands as a statement expression, with the names that it sees where it is defined.

// lambda is the value of a variable that is one, or a function whose parameters are called (infer_callable.go).
type lambda struct {
	specifiers *cc.DeclarationSpecifiers
	declarator *cc.Declarator
	body       *cc.CompoundStatement
	scope      *scope // that it is defined in
	active     int    // how often its body is being typed
	most       int    // that active may be
	// shared are the local arrays of a function, which all its calls with the same arguments use.
	shared map[*cc.InitDeclarator]*Object
}

// lambdaCall is the call whose body is being typed.
type lambdaCall struct {
	result *Object   // what it returns, nil until the first return with a value
	body   *Labelled // which a return leaves
	typ    *Type     // of the result as declared, nil for auto
	shared map[*cc.InitDeclarator]*Object
}

// lambdaDefinition declares a lambda.
func (c *checker) lambdaDefinition(n *cc.BlockItem) {
	c.declare(&symbol{kind: symLambda, name: n.Declarator.Name(),
		lambda: &lambda{specifiers: n.DeclarationSpecifiers, declarator: n.Declarator, body: n.CompoundStatement, scope: c.scope, most: 1}})
}

// callLambda types a call of a lambda: its parameters as variables, its body, and the variable that returns
// assign.
func (c *checker) callLambda(l *lambda, name string, args []Expr, pos Pos) Expr {
	if name == encoding.CalledLambda {
		name = "the lambda"
	}
	if l.active >= l.most {
		c.errorf(pos, codeRecursion, "recursion: %s is called again before it returns", name)
		return invalidAt(pos)
	}
	l.active++
	scope, outer, breakOK, loopOK := c.scope, c.lambda, c.breakOK, c.loopOK
	c.scope = l.scope
	c.push()
	call := &lambdaCall{shared: l.shared, body: &Labelled{Positioned: ast.At(pos), Name: "return"}}
	c.lambda, c.breakOK, c.loopOK = call, false, false
	e := c.lambdaBody(l, call, name, args, pos)
	c.scope, c.lambda, c.breakOK, c.loopOK = scope, outer, breakOK, loopOK
	l.active--
	return e
}

func (c *checker) lambdaBody(l *lambda, call *lambdaCall, name string, args []Expr, pos Pos) Expr {
	base, sp := c.declSpecifiers(l.specifiers)
	dr := c.declarator(l.declarator, base)
	if !sp.isAuto {
		call.typ = c.declaredType(dr.typ.Type)
	}
	params := c.parameters(dr.params, false)
	if !c.takes(name, len(params), args, pos) {
		return invalidAt(pos)
	}
	e := &StmtExpr{Typed: ast.Of(Scalar(Void), pos)}
	for i, p := range params {
		if called, ok := args[i].(*callable); ok {
			if !isAutoParameter(dr.params, i) && !isCallable(p.obj.Type) {
				return c.convert(called, p.obj.Type, "argument of "+name)
			}
			c.declare(called.as(p.obj.Name))
			continue
		}
		if isAutoParameter(dr.params, i) {
			p.obj.Type = c.rvalue(args[i]).Type()
		}
		x := args[i]
		if p.ref {
			x = c.addressOf(x, pos)
		}
		x = c.convert(x, p.obj.Type, "argument of "+name)
		if isInvalid(x) {
			return x
		}
		p.obj.Param = false
		e.Stmts = append(e.Stmts, &Decl{Positioned: ast.At(pos), Obj: p.obj, Init: x})
		c.declare(&symbol{kind: symObject, name: p.obj.Name, obj: p.obj, ref: p.ref})
	}
	call.body.Stmts = c.compound(l.body).Stmts
	if call.result != nil {
		e.Stmts = append(e.Stmts, &Decl{Positioned: ast.At(pos), Obj: call.result, Init: nil})
		e.T = call.result.Type
		e.X = &VarRef{Typed: ast.Of(e.T, pos), Obj: call.result}
	}
	e.Stmts = append(e.Stmts, call.body)
	return e
}

// isAutoParameter reports whether a parameter has the type of its argument.
func isAutoParameter(l *cc.ParameterTypeList, i int) bool {
	p := l.ParameterList
	for ; i > 0; i-- {
		p = p.ParameterList
	}
	for ds := p.ParameterDeclaration.DeclarationSpecifiers; ds != nil; ds = ds.DeclarationSpecifiers {
		if s := ds.TypeSpecifier; s != nil && s.Case == cc.TypeSpecifierTypeName && s.Token.SrcStr() == encoding.TypeAuto {
			return true
		}
	}
	return false
}

// lambdaReturn is a return in the body of a lambda.
func (c *checker) lambdaReturn(n *cc.JumpStatement, at ast.Positioned, out *[]Stmt) {
	call := c.lambda
	if n.ExpressionList != nil {
		x := c.value(n.ExpressionList)
		if call.result == nil {
			t := call.typ
			if t == nil {
				t = x.Type()
			}
			if t.Kind == Void || t.Kind == 0 {
				*out = append(*out, &ExprStmt{Positioned: at, X: x})
				return
			}
			call.result = &Object{Name: "result", Type: t, Space: idg.SpacePrivate, Pos: at.P}
		}
		x = c.convert(x, call.result.Type, "return value")
		if isInvalid(x) {
			return
		}
		*out = append(*out, &ExprStmt{Positioned: at, X: &Assign{Typed: ast.Of(call.result.Type, at.P), Op: 0, X: &VarRef{Typed: ast.Of(call.result.Type, at.P), Obj: call.result}, Y: x, Common: nil}})
	}
	*out = append(*out, &Goto{Positioned: at, Name: call.body.Name, Target: call.body})
}
