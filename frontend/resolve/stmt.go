package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// compound checks { ... }.
func (c *checker) compound(n *syntax.Body) *ast.Block {
	b := &ast.Block{Positioned: ast.At(n.Pos)}
	if n.Parse(); n.Err != nil {
		c.blameOne(n.Err)
		return b
	}
	b.Stmts = c.blockStmts(n.Stmts)
	return b
}

// blockStmts checks the statements of a block with a scope of its own.
func (c *checker) blockStmts(list []syntax.Stmt) (out []ast.Stmt) {
	defer c.pushBlock()()
	leave := c.pushCleanups(false)
	for _, s := range list {
		c.statement(s, &out)
	}
	leave(&out)
	return c.structured(out)
}

// statement checks a statement and appends what it stands for.
func (c *checker) statement(n syntax.Stmt, out *[]ast.Stmt) {
	if n == nil {
		return
	}
	defer c.leave()
	if !c.enter() {
		c.tooDeep(n.StmtPos())
		return
	}
	around := c.temporaries
	c.temporaries = nil
	defer func() { c.temporaries = around }()
	switch n := n.(type) {
	case *syntax.Block:
		*out = append(*out, c.compound(n.Body))
	case *syntax.DeclStmt:
		c.localDecl(n.Decl, out)
	case *syntax.ExprStmt:
		c.expressionStatement(n, out)
	case *syntax.IfStmt:
		c.ifStmt(n, out)
	case *syntax.SwitchStmt:
		c.switchStmt(n, out)
	case *syntax.WhileStmt, *syntax.DoStmt, *syntax.ForStmt, *syntax.RangeStmt:
		c.loop(n, nil, out)
	case *syntax.PragmaStmt:
		c.hinted(n, out)
	case *syntax.LabelStmt:
		c.label(n, out)
		c.statement(n.Body, out)
	case *syntax.CaseStmt:
		c.caseStmt(n, out)
	case *syntax.JumpStmt:
		c.jump(n, out)
	case *syntax.GotoStmt:
		c.goTo(n, out)
	case *syntax.ReturnStmt:
		c.returnStmt(n, out)
	case *syntax.AsmStmt:
		c.assembly(n, out)
	case *syntax.TryStmt:
		c.unsupported(n.Pos, "try is", "remove it: device code has no exceptions")
	default:
		c.unsupported(n.StmtPos(), "this statement is", "")
	}
}

// localDecl checks a declaration in a function.
func (c *checker) localDecl(d syntax.Decl, out *[]ast.Stmt) {
	switch d := d.(type) {
	case *syntax.Vars:
		c.localVars(d, out)
	case *syntax.Alias:
		if d.Namespace != nil {
			c.declareAlias(d, c.scope)
			return
		}
		c.scope.declare(&symbol{kind: symType, name: d.Ident, pos: d.Pos, in: c.scope, typ: c.typeID(d.Type)})
	case *syntax.Using:
		c.declareUsing(d, c.scope)
	case *syntax.StaticAssert:
		c.staticAssert(d)
	case *syntax.BadDecl:
		if d.Err != nil {
			c.blameOne(d.Err)
		}
	default:
		c.unsupported(d.DeclPos(), "this declaration inside of a function is", "move it to file scope")
	}
}

// staticAssert checks static_assert.
func (c *checker) staticAssert(d *syntax.StaticAssert) {
	e := c.truth(c.constantExpr(d.X))
	if isInvalid(e) {
		return
	}
	lit, ok := c.evaluated(e).(*ast.Literal)
	switch {
	case !ok:
		c.notConstant(e, "static_assert")
	case !lit.Value.IsTrue():
		text, _ := ctypes.Text(d.Text)
		if text != "" {
			text = ": " + text
		}
		c.errorf(d.Pos, codeAssert, "static_assert does not hold%s", text)
	}
}

// failedAsserts are the assertions at namespace scope that do not hold or are not constant. Those that name what is
// not declared or supported speak of code of the host.
func (c *checker) failedAsserts() (failed diag.List) {
	for _, a := range c.asserts {
		if c.isLibrary(a.d.Pos) {
			continue
		}
		c.scope = a.in.upTo(a.seq)
		for _, e := range c.quietly(func() { c.staticAssert(a.d) }) {
			if e.Code == codeAssert || e.Code == codeConstant {
				failed.Add(e)
			}
		}
	}
	c.scope = c.file
	return failed
}

// block checks a statement that is a branch or body of its own.
func (c *checker) block(n syntax.Stmt) ast.Stmt {
	defer c.pushBlock()()
	leave := c.pushCleanups(false)
	var out []ast.Stmt
	c.statement(n, &out)
	leave(&out)
	out = c.structured(out)
	if len(out) == 1 {
		return out[0]
	}
	b := &ast.Block{Stmts: out}
	if n != nil {
		b.P = n.StmtPos()
	}
	return b
}

func (c *checker) expressionStatement(n *syntax.ExprStmt, out *[]ast.Stmt) {
	if n.X == nil {
		return
	}
	e := c.rvalue(c.materialized(c.expr(n.X)))
	if set, ok := e.(*overloads); ok {
		c.stray(set)
		return
	}
	if conv, ok := e.(*ast.Convert); ok && conv.T.Kind == ctypes.Void {
		e = conv.X // (void)x
	}
	*out = append(*out, ast.Do(e, n.Pos))
	c.endFullExpression(out, len(*out)-1, n.Pos)
}

// conditionOf types a condition, which may declare a variable.
func (c *checker) conditionOf(x syntax.Expr, v *syntax.Vars, what string, out *[]ast.Stmt) ast.Expr {
	if v == nil {
		return c.conditionValue(c.condition(c.truth(c.value(x)), what), out)
	}
	c.localVars(v, out)
	name := v.Decls[0].Decl.Name.Parts[0].Ident
	sym := c.scope.names[name]
	if sym == nil || sym.obj == nil {
		return invalidAt(v.Specs.Pos)
	}
	return c.condition(c.truth(c.rvalue(c.variableExpr(sym, v.Decls[0].Decl.Pos))), what)
}

// truth is an object of a class as the condition that it converts to.
func (c *checker) truth(e ast.Expr) ast.Expr {
	if c.memberPointers[e.Type()] != nil {
		return c.operate("!=", e, number(ctypes.Int, 0, e.Pos()), e.Pos())
	}
	if !isClass(e.Type()) {
		return e
	}
	f, _, ok := c.chooseConversion(e, plain(ctypes.Scalar(ctypes.Bool)), true)
	if f != nil && ok && f.kind == conversion {
		return c.convert(c.callFunction(f, e, nil, e.Pos()), ctypes.Scalar(ctypes.Bool), "condition")
	}
	return e
}

func (c *checker) ifStmt(n *syntax.IfStmt, out *[]ast.Stmt) {
	defer c.pushBlock()()
	var before []ast.Stmt
	leave := c.pushCleanups(false)
	c.statement(n.Init, &before)
	if n.Constexpr {
		c.constexprIf(n, &before)
	} else {
		s := &ast.If{Positioned: ast.At(n.Pos), Cond: c.conditionOf(n.Cond, n.Var, "if", &before)}
		s.Then = c.block(n.Then)
		if n.Else != nil {
			s.Else = c.block(n.Else)
		}
		before = append(before, s)
	}
	leave(&before)
	if n.Init == nil && n.Var == nil {
		*out = append(*out, before...)
		return
	}
	*out = append(*out, &ast.Block{Positioned: ast.At(n.Pos), Stmts: before})
}

// constexprIf reads the side of if constexpr that holds, and nothing of the other.
func (c *checker) constexprIf(n *syntax.IfStmt, out *[]ast.Stmt) {
	e := c.truth(c.constantExpr(n.Cond))
	if isInvalid(e) {
		if len(*c.errs) == 0 { // no side may be left out in silence
			c.errorf(n.Pos, codeConstant, "the condition of if constexpr has no value")
		}
		return
	}
	lit, ok := c.evaluated(e).(*ast.Literal)
	if !ok {
		c.notConstant(e, "the condition of if constexpr")
		return
	}
	side := n.Then
	if !lit.Value.IsTrue() {
		side = n.Else
	}
	if side != nil {
		*out = append(*out, c.block(side))
	}
}

func (c *checker) jump(n *syntax.JumpStmt, out *[]ast.Stmt) {
	at := ast.At(n.Pos)
	if n.Word == "break" {
		if !c.breakOK {
			c.errorf(n.Pos, codeStatement, "break outside of a loop or switch")
		}
		c.unwind(unwindBreak, out, n.Pos, nil)
		*out = append(*out, &ast.Break{Positioned: at})
		return
	}
	if !c.loopOK {
		c.errorf(n.Pos, codeStatement, "continue outside of a loop")
	}
	c.unwind(unwindContinue, out, n.Pos, nil)
	*out = append(*out, &ast.Continue{Positioned: at})
}

// statementExpression types ({ statements; value; }) of GNU C.
func (c *checker) statementExpression(n *syntax.StmtExpr) ast.Expr {
	if c.fn == nil {
		return c.fail(n.Pos, "a statement expression outside of a function")
	}
	b := c.compound(n.Body)
	e := &ast.StmtExpr{Typed: ast.Of(ctypes.Scalar(ctypes.Void), n.Pos), Stmts: b.Stmts}
	if k := len(b.Stmts); k > 0 {
		if last, ok := b.Stmts[k-1].(*ast.ExprStmt); ok {
			e.T, e.X, e.Stmts = last.X.Type(), last.X, b.Stmts[:k-1]
		}
	}
	if e.T.Kind == 0 {
		return invalidAt(n.Pos)
	}
	return e
}

// label notes a label of the user's.
func (c *checker) label(n *syntax.LabelStmt, out *[]ast.Stmt) {
	if first, twice := c.jumps.labels[n.Ident]; twice {
		c.errorf(n.Pos, codeStatement, "the label %s is set twice; the first time at %v", n.Ident, first)
		return
	}
	if c.jumps.labels == nil {
		c.jumps.labels, c.jumps.around = map[string]diag.Pos{}, map[string][]leaving{}
	}
	c.jumps.labels[n.Ident], c.jumps.around[n.Ident] = n.Pos, c.cleanupsAround()
	for i := range c.jumps.gotos {
		g := &c.jumps.gotos[i]
		if g.Name == n.Ident && g.before != nil {
			c.leaveFor(g, c.jumps.around[n.Ident])
		}
		if passed, around := g.passed[c.scope]; around && g.Name == n.Ident {
			c.jumpsOver(passed, g.P, "goto "+n.Ident)
		}
	}
	*out = append(*out, &ast.Label{Positioned: ast.At(n.Pos), Name: n.Ident})
}

// goTo checks a goto to a label with a name.
func (c *checker) goTo(n *syntax.GotoStmt, out *[]ast.Stmt) {
	g := &ast.Goto{Positioned: ast.At(n.Pos), Name: n.Ident, Target: nil}
	if len(c.jumps.gotos) == maxGotos {
		c.unsupported(g.P, "a function with so many gotos is", "use if, loops and break")
	}
	if len(c.jumps.gotos) <= maxGotos {
		j := jump{Goto: g, label: n.Label, passed: c.initialisedAround()}
		if c.hasCleanups(unwindReturn) {
			j.around, j.before = c.cleanupsAround(), &ast.Block{Positioned: g.Positioned}
			*out = append(*out, j.before)
			if label, known := c.jumps.around[n.Ident]; known {
				c.leaveFor(&j, label)
			}
		}
		c.jumps.gotos = append(c.jumps.gotos, j)
	}
	*out = append(*out, g)
}
