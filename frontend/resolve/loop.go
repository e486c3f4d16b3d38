package resolve

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// Loops and what is said of them.

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
	leave := c.pushCleanups(false)
	inside := func(f func()) {
		defer c.pushCleanups(true)(nil)
		c.cleanups.loop = true
		c.breakOK, c.loopOK = true, true
		f()
		c.breakOK, c.loopOK = breakOK, loopOK
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
		s.Cond = c.repeated(c.condition(c.truth(c.value(n.Cond)), "while"))
		body(n.Body)
	case *syntax.DoStmt:
		s.Kind = ast.DoLoop
		body(n.Body)
		s.Cond = c.repeated(c.condition(c.truth(c.value(n.Cond)), "do"))
	case *syntax.ForStmt:
		s.Kind = ast.ForLoop
		c.statement(n.Init, &s.Init)
		if n.Cond != nil {
			s.Cond = c.repeated(c.condition(c.truth(c.value(n.Cond)), "for"))
		}
		if n.Post != nil {
			s.Post = c.repeated(c.rvalue(c.materialized(c.expr(n.Post))))
		}
		if n.Var != nil {
			inside(func() { s.Body = c.conditionalBody(n.Var, "for", n.Body) })
			break
		}
		body(n.Body)
	case *syntax.RangeStmt:
		s.Kind = ast.ForLoop
		c.statement(n.Init, &outer)
		c.rangeLoop(n, s, &outer, inside)
	}
	var after []ast.Stmt
	if leave(&after); len(after) > 0 { // what the head declares lives until the loop ends ([stmt.for])
		outer, s.Init = append(outer, s.Init...), nil
	}
	if len(outer)+len(after) > 0 {
		*out = append(*out, &ast.Block{Positioned: ast.At(n.StmtPos()), Stmts: append(append(outer, s), after...)})
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
