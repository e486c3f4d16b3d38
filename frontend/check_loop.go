package frontend

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/load"

	"modernc.org/cc/v4"
)

// labeled checks a labelled statement. An unroll pragma is the label of the
// loop that follows it; case labels belong directly into a switch, where
// switchStmt takes them.
func (c *checker) labeled(n *cc.LabeledStatement, out *[]Stmt) {
	if h, ok := c.p.Hint(n); ok {
		c.hinted(h, n.Statement, out)
		return
	}
	switch n.Case {
	case cc.LabeledStatementLabel:
		c.label(n, out)
		c.statement(n.Statement, out)
	default:
		c.unsupported(c.p.Pos(n), "a case label inside a nested statement is", "put it directly between the braces of its switch")
	}
}

// hinted checks the statement behind an unroll pragma.
func (c *checker) hinted(h load.Hint, n *cc.Statement, out *[]Stmt) {
	if h.Kind == 0 { // another pragma
		c.statement(n, out)
		return
	}
	pragma := c.pragma(h)
	for n != nil && n.Case == cc.StatementLabeled {
		next, ok := c.p.Hint(n.LabeledStatement)
		if !ok {
			break
		}
		if next.Kind == 0 {
			n = n.LabeledStatement.Statement
			continue
		}
		c.warnf(h.Pos, load.CodePragma, "%s has no effect: %s follows", h.Text, next.Text)
		h, pragma, n = next, c.pragma(next), n.LabeledStatement.Statement
	}
	if n == nil || n.Case != cc.StatementIteration {
		c.warnf(h.Pos, load.CodePragma, "%s has no effect: no loop follows", h.Text)
		c.statement(n, out)
		return
	}
	defer c.leave()
	if c.enter(n) {
		c.loop(n.IterationStatement, pragma, out)
	}
}

// pragma evaluates an unroll pragma; nil if it asks for nothing sensible.
func (c *checker) pragma(h load.Hint) *Pragma {
	p := &Pragma{Pos: h.Pos, Kind: h.Kind, Text: h.Text}
	if h.Kind != UnrollFactor {
		return p
	}
	n := h.Value
	if h.Factor != nil {
		v, ok := c.constantInt(h.Factor, "an unroll factor")
		if !ok {
			return nil
		}
		n = v
	}
	switch {
	case n == 0 && strings.Contains(h.Text, "GCC"): // "0 and 1 block any unrolling"
		p.Kind = NoUnroll
	case n < 1: // nvcc ignores the pragma, clang refuses it
		c.warnf(h.Pos, load.CodePragma, "%s has no effect: the factor is %d", h.Text, n)
		return nil
	case n < 2:
		p.Kind = NoUnroll
	default:
		p.Factor = n
	}
	return p
}

// loop checks for, while and do.
func (c *checker) loop(n *cc.IterationStatement, p *Pragma, out *[]Stmt) {
	s := &Loop{Positioned: ast.At(c.p.Pos(n.Token)), Pragma: p}
	breakOK, loopOK := c.breakOK, c.loopOK
	c.push()
	var cond, post cc.ExpressionNode
	switch n.Case {
	case cc.IterationStatementWhile:
		s.Kind, cond = WhileLoop, n.ExpressionList
	case cc.IterationStatementDo:
		s.Kind, cond = DoLoop, n.ExpressionList
	case cc.IterationStatementFor:
		s.Kind, cond, post = ForLoop, n.ExpressionList2, n.ExpressionList3
		if n.ExpressionList != nil {
			e := c.value(n.ExpressionList)
			s.Init = append(s.Init, &ExprStmt{Positioned: ast.At(c.p.Pos(n.ExpressionList)), X: e})
		}
	case cc.IterationStatementForDecl:
		s.Kind, cond, post = ForLoop, n.ExpressionList, n.ExpressionList2
		c.declaration(n.Declaration, &s.Init)
	}
	if cond != nil && s.Kind != DoLoop {
		s.Cond = c.condition(c.value(cond), s.Kind.String())
	}
	if post != nil {
		s.Post = c.value(post)
	}
	c.breakOK, c.loopOK = true, true
	s.Body = c.block(n.Statement)
	c.breakOK, c.loopOK = breakOK, loopOK
	if cond != nil && s.Kind == DoLoop {
		s.Cond = c.condition(c.value(cond), s.Kind.String())
	}
	c.pop()
	*out = append(*out, s)
}
