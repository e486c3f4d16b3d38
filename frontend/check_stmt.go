package frontend

import (
	"math"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"

	"modernc.org/cc/v4"
)

// compound checks { ... }.
func (c *checker) compound(n *cc.CompoundStatement) *Block {
	c.push()
	defer c.pop()
	b := &Block{Positioned: ast.At(c.p.Pos(n))}
	for l := n.BlockItemList; l != nil; l = l.BlockItemList {
		c.blockItem(l.BlockItem, &b.Stmts)
	}
	b.Stmts = c.structured(b.Stmts)
	return b
}

func (c *checker) blockItem(n *cc.BlockItem, out *[]Stmt) {
	switch n.Case {
	case cc.BlockItemDecl:
		c.declaration(n.Declaration, out)
	case cc.BlockItemStmt:
		c.statement(n.Statement, out)
	case cc.BlockItemLabel:
		c.unsupported(c.p.Pos(n), "declarations of labels are", "leave __label__ out: labels need no declaration")
	case cc.BlockItemFuncDef:
		if c.cfg.Dialect == CUDA {
			c.lambdaDefinition(n)
			return
		}
		c.unsupported(c.p.Pos(n), "functions inside functions are", "move the function to file scope")
	}
}

// statement checks a statement and appends what it stands for.
func (c *checker) statement(n *cc.Statement, out *[]Stmt) {
	defer c.leave()
	if n == nil || !c.enter(n) {
		return
	}
	switch n.Case {
	case cc.StatementCompound:
		*out = append(*out, c.compound(n.CompoundStatement))
	case cc.StatementExpr:
		c.expressionStatement(n.ExpressionStatement, out)
	case cc.StatementLabeled:
		c.labeled(n.LabeledStatement, out)
	case cc.StatementSelection:
		c.selection(n.SelectionStatement, out)
	case cc.StatementIteration:
		c.loop(n.IterationStatement, nil, out)
	case cc.StatementJump:
		c.jump(n.JumpStatement, out)
	case cc.StatementAsm:
		c.assembly(n.AsmStatement, out)
	}
}

// block checks a statement that is a branch or body of its own.
func (c *checker) block(n *cc.Statement) Stmt {
	c.push()
	defer c.pop()
	var out []Stmt
	c.statement(n, &out)
	out = c.structured(out)
	if len(out) == 1 {
		return out[0]
	}
	b := &Block{Stmts: out}
	if n != nil {
		b.P = c.p.Pos(n)
	}
	return b
}

func (c *checker) expressionStatement(n *cc.ExpressionStatement, out *[]Stmt) {
	if n.ExpressionList == nil {
		return
	}
	if c.misparsedDeclaration(n.ExpressionList) {
		return
	}
	e := c.rvalue(c.expr(n.ExpressionList))
	if conv, ok := e.(*Convert); ok && conv.T.Kind == Void {
		e = conv.X // (void)x
	}
	*out = append(*out, &ExprStmt{Positioned: ast.At(c.p.Pos(n)), X: e})
}

// misparsedDeclaration recognises "T * y;" with an unknown type T, which C's
// grammar takes for a product.
func (c *checker) misparsedDeclaration(n cc.ExpressionNode) bool {
	m, ok := n.(*cc.MultiplicativeExpression)
	if !ok || m.Case != cc.MultiplicativeExpressionMul {
		return false
	}
	left, ok := m.MultiplicativeExpression.(*cc.PrimaryExpression)
	if !ok || left.Case != cc.PrimaryExpressionIdent || c.lookup(left.Token.SrcStr()) != nil {
		return false
	}
	c.undeclared(c.p.Pos(left), left.Token.SrcStr(), "type")
	return true
}

func (c *checker) jump(n *cc.JumpStatement, out *[]Stmt) {
	pos := c.p.Pos(n)
	at := ast.At(pos)
	switch n.Case {
	case cc.JumpStatementBreak:
		if !c.breakOK {
			c.errorf(pos, codeStatement, "break outside of a loop or switch")
		}
		*out = append(*out, &Break{Positioned: at})
	case cc.JumpStatementContinue:
		if !c.loopOK {
			c.errorf(pos, codeStatement, "continue outside of a loop")
		}
		*out = append(*out, &Continue{Positioned: at})
	case cc.JumpStatementReturn:
		c.returnStmt(n, at, out)
	case cc.JumpStatementGoto:
		c.goTo(n, out)
	default:
		c.unsupported(pos, "goto to a computed address is", "use a switch")
	}
}

func (c *checker) returnStmt(n *cc.JumpStatement, at ast.Positioned, out *[]Stmt) {
	if c.lambda != nil {
		c.lambdaReturn(n, at, out)
		return
	}
	want := Scalar(Void)
	if c.fn != nil {
		want = c.fn.Result
	}
	s := &Return{Positioned: at, X: nil}
	switch {
	case n.ExpressionList == nil:
		if want.Kind != Void && want.Kind != 0 {
			c.errorf(at.P, codeStatement, "return without a value in a function that returns %v", want)
		}
	case want.Kind == Void:
		e := c.value(n.ExpressionList)
		if !isInvalid(e) && e.Type().Kind != Void {
			c.errorf(at.P, codeStatement, "return with a value in a function that returns nothing")
		}
		*out = append(*out, &ExprStmt{Positioned: at, X: e}) // return f(); of a void f
	case c.fn != nil && c.fn.returnsRef:
		s.X = c.convert(c.addressOf(c.expr(n.ExpressionList), at.P), want, "return value")
	default:
		s.X = c.convert(c.expr(n.ExpressionList), want, "return value")
	}
	*out = append(*out, s)
}

func (c *checker) selection(n *cc.SelectionStatement, out *[]Stmt) {
	at := ast.At(c.p.Pos(n))
	if n.Case == cc.SelectionStatementSwitch {
		*out = append(*out, c.switchStmt(n, at))
		return
	}
	s := &If{Positioned: at, Cond: c.condition(c.value(n.ExpressionList), "if")}
	s.Then = c.block(n.Statement)
	if n.Case == cc.SelectionStatementIfElse {
		s.Else = c.block(n.Statement2)
	}
	*out = append(*out, s)
}

// switchStmt checks a switch whose labels stand directly in its body.
func (c *checker) switchStmt(n *cc.SelectionStatement, at ast.Positioned) Stmt {
	s := &Switch{Positioned: at, X: c.promote(c.value(n.ExpressionList))}
	if t := s.X.Type(); t.Kind != 0 && !t.IsInteger() {
		c.errorf(at.P, codeType, "switch needs an integer, this is %v", t)
	}
	if n.Statement.Case != cc.StatementCompound {
		c.unsupported(c.p.Pos(n.Statement), "a switch without braces is", "write { ... } around its cases")
		return s
	}
	breakOK := c.breakOK
	c.breakOK = true
	c.push()
	seen := map[int64]bool{}
	for l := n.Statement.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
		item := l.BlockItem
		for item.Case == cc.BlockItemStmt && item.Statement.Case == cc.StatementLabeled {
			ls := item.Statement.LabeledStatement
			if _, hint := c.p.Hint(ls); hint || ls.Case == cc.LabeledStatementLabel {
				break
			}
			c.caseLabel(s, ls, seen)
			item = &cc.BlockItem{Case: cc.BlockItemStmt, Statement: ls.Statement}
		}
		if len(s.Cases) == 0 {
			if item.Case == cc.BlockItemDecl {
				var declared []Stmt
				c.blockItem(item, &declared)
			}
			c.unsupported(c.p.Pos(item), "statements before the first case are", "move them in front of the switch")
			break
		}
		c.blockItem(item, &s.Cases[len(s.Cases)-1].Body)
	}
	for i := range s.Cases {
		s.Cases[i].Body = c.structured(s.Cases[i].Body)
	}
	c.pop()
	c.breakOK = breakOK
	return s
}

// maxCaseRange bounds how many values one "case A ... B" may have.
const maxCaseRange = 4096

// caseLabel adds a label to the last group, or starts a new one if the last has
// statements already.
func (c *checker) caseLabel(s *Switch, l *cc.LabeledStatement, seen map[int64]bool) {
	pos := c.p.Pos(l)
	if k := len(s.Cases); k == 0 || len(s.Cases[k-1].Body) > 0 {
		s.Cases = append(s.Cases, Case{Pos: pos})
	}
	group := &s.Cases[len(s.Cases)-1]
	if l.Case == cc.LabeledStatementDefault {
		for _, other := range s.Cases {
			if other.Default {
				c.errorf(pos, codeStatement, "two default labels in one switch")
			}
		}
		group.Default = true
		return
	}
	first, last := c.caseValue(s, l.ConstantExpression), int64(math.MinInt64)
	if first == nil {
		return
	}
	last = *first
	if l.Case == cc.LabeledStatementRange {
		v := c.caseValue(s, l.ConstantExpression2)
		if v == nil {
			return
		}
		if last = *v; last < *first || last-*first >= maxCaseRange {
			c.errorf(pos, codeStatement, "the range %d ... %d is empty or too long", *first, last)
			return
		}
	}
	for v := *first; v <= last; v++ {
		if seen[v] {
			c.errorf(pos, codeStatement, "two labels for case %d", v)
		}
		seen[v] = true
		group.Values = append(group.Values, v)
	}
}

// caseValue evaluates a label, converted to the switch's type.
func (c *checker) caseValue(s *Switch, n cc.ExpressionNode) *int64 {
	v, ok := c.constantBits(n, "a case label")
	if !ok || !s.X.Type().IsInteger() {
		return nil
	}
	v = ctypes.Wrap(s.X.Type().Kind, v)
	return &v
}
