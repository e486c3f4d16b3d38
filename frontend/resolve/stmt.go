package resolve

import (
	"math"
	"strings"

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
		c.caseStmt(n)
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
		text := ""
		if b, problem := ctypes.Unquote(d.Text); problem == "" && len(b) > 0 {
			text = ": " + string(b)
		}
		c.errorf(d.Pos, codeAssert, "static_assert does not hold%s", text)
	}
}

// failedAsserts are the assertions at namespace scope that do not hold: those that cannot be read say nothing of a kernel.
func (c *checker) failedAsserts() (failed diag.List) {
	for _, a := range c.asserts {
		if c.isLibrary(a.d.Pos) {
			continue
		}
		c.scope = a.in.upTo(a.seq)
		for _, e := range c.quietly(func() { c.staticAssert(a.d) }) {
			if e.Code == codeAssert {
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

// maxCaseRange bounds how many values one "case A ... B" may have.
const maxCaseRange = 4096

// switchStmt checks a switch whose labels stand directly in its body.
func (c *checker) switchStmt(n *syntax.SwitchStmt, out *[]ast.Stmt) {
	defer c.pushBlock()()
	var before []ast.Stmt
	c.statement(n.Init, &before)
	var x ast.Expr
	if n.Var != nil {
		x = c.conditionOf(nil, n.Var, "switch", &before)
	} else {
		x = c.conditionValue(c.builtinOperand(c.value(n.Cond)), &before)
	}
	s := &ast.Switch{Positioned: ast.At(n.Pos)}
	enumType := x.Type()
	if c.isScoped(enumType) {
		s.X = x
	} else {
		s.X = c.promote(x)
	}
	if t := s.X.Type(); t.Kind != 0 && !t.IsInteger() {
		c.errorf(n.Pos, codeType, "switch needs an integer, this is %v", t)
	}
	body, ok := n.Body.(*syntax.Block)
	if !ok {
		c.unsupported(n.Body.StmtPos(), "a switch without braces is", "write { ... } around its cases")
		return
	}
	breakOK, cases := c.breakOK, c.cases
	c.breakOK, c.cases = true, map[int64]bool{}
	inner := c.pushBlock()
	leave := c.pushCleanups(true)
	for _, item := range body.Body.Stmts {
		for {
			label, is := item.(*syntax.CaseStmt)
			if !is {
				break
			}
			c.caseLabel(s, label)
			item = label.Body
		}
		if item == nil {
			continue
		}
		if len(s.Cases) == 0 {
			var declared []ast.Stmt
			c.statement(item, &declared)
			c.unsupported(item.StmtPos(), "statements before the first case are", "move them in front of the switch")
			break
		}
		c.statement(item, &s.Cases[len(s.Cases)-1].Body)
	}
	if len(s.Cases) > 0 {
		leave(&s.Cases[len(s.Cases)-1].Body)
	} else {
		leave(nil)
	}
	for i := range s.Cases {
		s.Cases[i].Body = c.structured(s.Cases[i].Body)
	}
	inner()
	c.breakOK, c.cases = breakOK, cases
	if len(before) > 0 {
		*out = append(*out, &ast.Block{Positioned: ast.At(n.Pos), Stmts: append(before, s)})
		return
	}
	*out = append(*out, s)
}

// caseStmt is a case label that does not stand directly in its switch.
func (c *checker) caseStmt(n *syntax.CaseStmt) {
	c.unsupported(n.Pos, "a case label inside a nested statement is", "put it directly between the braces of its switch")
}

// caseLabel adds a label to the last group, or starts a new one if the last has
// statements already.
func (c *checker) caseLabel(s *ast.Switch, l *syntax.CaseStmt) {
	if k := len(s.Cases); k == 0 || len(s.Cases[k-1].Body) > 0 {
		s.Cases = append(s.Cases, ast.Case{Pos: l.Pos})
	}
	group := &s.Cases[len(s.Cases)-1]
	if l.Lo == nil {
		for _, other := range s.Cases {
			if other.Default {
				c.errorf(l.Pos, codeStatement, "two default labels in one switch")
			}
		}
		group.Default = true
		return
	}
	first, last := c.caseValue(s, l.Lo), int64(math.MinInt64)
	if first == nil {
		return
	}
	last = *first
	if l.Hi != nil {
		v := c.caseValue(s, l.Hi)
		if v == nil {
			return
		}
		if last = *v; last < *first || last-*first >= maxCaseRange {
			c.errorf(l.Pos, codeStatement, "the range %d ... %d is empty or too long", *first, last)
			return
		}
	}
	for v := *first; v <= last; v++ {
		if c.cases[v] {
			c.errorf(l.Pos, codeStatement, "two labels for case %d", v)
		}
		c.cases[v] = true
		group.Values = append(group.Values, v)
	}
}

// caseValue evaluates a label, converted to the switch's type.
func (c *checker) caseValue(s *ast.Switch, n syntax.Expr) *int64 {
	v, ok := c.constantBits(n, "a case label")
	if !ok || !s.X.Type().IsInteger() {
		return nil
	}
	v = ctypes.Wrap(s.X.Type().Kind, v)
	return &v
}

// hinted checks the statement behind a pragma.
func (c *checker) hinted(h *syntax.PragmaStmt, out *[]ast.Stmt) {
	if h.Note != "" {
		c.warnf(h.Pos, codePragma, "%s%s", h.Text, h.Note)
	}
	if h.Kind == "" { // another pragma
		c.statement(h.Body, out)
		return
	}
	pragma := c.pragma(h)
	n := h.Body
	for {
		if l, ok := n.(*syntax.LabelStmt); ok { // the loop is labelled
			c.label(l, out)
			n = l.Body
			continue
		}
		next, ok := n.(*syntax.PragmaStmt)
		if !ok {
			break
		}
		n = next.Body
		if next.Kind == "" {
			continue
		}
		c.warnf(h.Pos, codePragma, "%s has no effect: %s follows", h.Text, next.Text)
		h, pragma = next, c.pragma(next)
	}
	switch n.(type) {
	case *syntax.WhileStmt, *syntax.DoStmt, *syntax.ForStmt, *syntax.RangeStmt:
		c.loop(n, pragma, out)
		return
	}
	c.warnf(h.Pos, codePragma, "%s has no effect: no loop follows", h.Text)
	c.statement(n, out)
}

// pragma evaluates an unroll pragma; nil if it asks for nothing sensible.
func (c *checker) pragma(h *syntax.PragmaStmt) *ast.Pragma {
	p := &ast.Pragma{Pos: h.Pos, Kind: ast.UnrollFull, Text: h.Text}
	if h.Kind == "nounroll" {
		p.Kind = ast.NoUnroll
	}
	if h.Kind != "unroll" || h.Factor == nil {
		return p
	}
	p.Kind = ast.UnrollFactor
	n, ok := c.constantInt(h.Factor, "an unroll factor")
	switch {
	case !ok:
		return nil
	case n == 0 && strings.Contains(h.Text, "GCC"): // "0 and 1 block any unrolling"
		p.Kind = ast.NoUnroll
	case n < 1: // nvcc ignores the pragma, clang refuses it
		c.warnf(h.Pos, codePragma, "%s has no effect: the factor is %d", h.Text, n)
		return nil
	case n < 2:
		p.Kind = ast.NoUnroll
	default:
		p.Factor = n
	}
	return p
}

// loop checks for, while and do.
func (c *checker) loop(n syntax.Stmt, p *ast.Pragma, out *[]ast.Stmt) {
	s := &ast.Loop{Positioned: ast.At(n.StmtPos()), Pragma: p}
	breakOK, loopOK := c.breakOK, c.loopOK
	defer c.pushBlock()()
	leave := c.pushCleanups(true)
	c.cleanups.loop = true
	inside := func(f func()) {
		cases := c.cases
		c.breakOK, c.loopOK, c.cases = true, true, nil
		f()
		c.breakOK, c.loopOK, c.cases = breakOK, loopOK, cases
	}
	body := func(b syntax.Stmt) { inside(func() { s.Body = c.block(b) }) }
	var outer []ast.Stmt
	switch n := n.(type) {
	case *syntax.WhileStmt:
		s.Kind = ast.WhileLoop
		if n.Var != nil {
			s.Kind = ast.ForLoop
			inside(func() { s.Body = c.conditionalBody(n.Var, "while", n.Body) })
			break
		}
		s.Cond = c.condition(c.truth(c.value(n.Cond)), "while")
		body(n.Body)
	case *syntax.DoStmt:
		s.Kind = ast.DoLoop
		body(n.Body)
		s.Cond = c.condition(c.truth(c.value(n.Cond)), "do")
	case *syntax.ForStmt:
		s.Kind = ast.ForLoop
		c.statement(n.Init, &s.Init)
		if n.Cond != nil {
			s.Cond = c.condition(c.truth(c.value(n.Cond)), "for")
		}
		if n.Post != nil {
			s.Post = c.value(n.Post)
		}
		if n.Var != nil {
			inside(func() { s.Body = c.conditionalBody(n.Var, "for", n.Body) })
			break
		}
		body(n.Body)
	case *syntax.RangeStmt:
		s.Kind = ast.ForLoop
		c.statement(n.Init, &outer)
		c.rangeLoop(n, s, &outer, body)
	}
	c.noTemporaries("the head of a loop", s.P)
	leave(nil)
	if len(outer) > 0 {
		*out = append(*out, &ast.Block{Positioned: ast.At(n.StmtPos()), Stmts: append(outer, s)})
		return
	}
	*out = append(*out, s)
}

// conditionalBody is the body of a loop whose condition declares a variable, in each iteration anew.
func (c *checker) conditionalBody(v *syntax.Vars, what string, body syntax.Stmt) ast.Stmt {
	defer c.pushBlock()()
	leave := c.pushCleanups(false)
	at := ast.At(v.Specs.Pos)
	b := &ast.Block{Positioned: at}
	cond := c.conditionOf(nil, v, what, &b.Stmts)
	end := &ast.Block{Positioned: at}
	c.unwind(unwindBreak, &end.Stmts, at.P, nil)
	end.Stmts = append(end.Stmts, &ast.Break{Positioned: at})
	b.Stmts = append(b.Stmts, &ast.If{Positioned: at, Cond: c.unary(ctypes.Not, cond, at.P), Then: end}, c.block(body))
	leave(&b.Stmts)
	b.Stmts = c.structured(b.Stmts)
	return b
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
		c.jumps.labels = map[string]diag.Pos{}
	}
	c.jumps.labels[n.Ident] = n.Pos
	*out = append(*out, &ast.Label{Positioned: ast.At(n.Pos), Name: n.Ident})
}

// goTo checks a goto to a label with a name.
func (c *checker) goTo(n *syntax.GotoStmt, out *[]ast.Stmt) {
	g := &ast.Goto{Positioned: ast.At(n.Pos), Name: n.Ident, Target: nil}
	if len(c.jumps.gotos) == maxGotos {
		c.unsupported(g.P, "a function with so many gotos is", "use if, loops and break")
	}
	if len(c.jumps.gotos) <= maxGotos {
		c.jumps.gotos = append(c.jumps.gotos, jump{g, n.Label})
	}
	*out = append(*out, g)
}
