package resolve

import (
	"math"
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// maxCaseRange bounds how many values one "case A ... B" may have.
const maxCaseRange = 4096

// switching is a switch whose body is being read.
type switching struct {
	*ast.Switch
	scope  *scope // of its body
	cases  map[int64]bool
	front  []ast.Stmt // before the first case
	nested []inward
	entry  *ast.VarRef // which label is being gone to, where some are in nested statements
}

// inward is a label in a nested statement; mark stands there.
type inward struct {
	ast.Case
	mark *ast.If
}

// switchStmt checks a switch.
func (c *checker) switchStmt(n *syntax.SwitchStmt, out *[]ast.Stmt) {
	defer c.pushBlock()()
	var before, after []ast.Stmt
	head := c.pushCleanups(false) // what the head declares lives until the switch ends ([stmt.select])
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
	body := []syntax.Stmt{n.Body}
	if b, ok := n.Body.(*syntax.Block); ok {
		body = b.Body.Stmts
	}
	c.switchBody(s, body)
	head(&after)
	if len(before)+len(after) > 0 {
		*out = append(*out, &ast.Block{Positioned: ast.At(n.Pos), Stmts: append(append(before, s), after...)})
		return
	}
	*out = append(*out, s)
}

// switchBody checks the cases of a switch.
func (c *checker) switchBody(s *ast.Switch, body []syntax.Stmt) {
	breakOK, around := c.breakOK, c.switching
	inner := c.pushBlock()
	c.breakOK, c.switching = true, &switching{Switch: s, scope: c.scope, cases: map[int64]bool{}}
	leave := c.pushCleanups(true)
	for _, item := range body {
		for {
			label, is := item.(*syntax.CaseStmt)
			if !is {
				break
			}
			c.jumpsOver(0, label.Pos, "this case")
			if k := len(s.Cases); k == 0 || len(s.Cases[k-1].Body) > 0 {
				s.Cases = append(s.Cases, ast.Case{Pos: label.Pos})
			}
			c.caseLabel(&s.Cases[len(s.Cases)-1], label)
			item = label.Body
		}
		if item == nil {
			continue
		}
		if len(s.Cases) == 0 {
			c.statement(item, &c.switching.front)
			continue
		}
		c.statement(item, &s.Cases[len(s.Cases)-1].Body)
	}
	if front := c.switching.front; len(c.switching.nested) == 0 {
		if i := slices.IndexFunc(front, hasValue); i >= 0 {
			c.unsupported(front[i].Pos(), "statements before the first case are", "move them in front of the switch")
		} else if len(s.Cases) > 0 {
			s.Cases[0].Body = append(front, s.Cases[0].Body...)
		}
	}
	if len(s.Cases) > 0 {
		leave(&s.Cases[len(s.Cases)-1].Body)
	} else {
		leave(nil)
	}
	for i := range s.Cases {
		s.Cases[i].Body = c.structured(s.Cases[i].Body)
	}
	if len(c.switching.nested) > 0 {
		c.goInward(c.switching)
	}
	inner()
	c.breakOK, c.switching = breakOK, around
}

// hasValue reports whether a statement does more than to declare a variable without a value.
func hasValue(s ast.Stmt) bool {
	d, ok := s.(*ast.Decl)
	return !ok || d.Init != nil
}

// caseLabel adds a label to a group.
func (c *checker) caseLabel(group *ast.Case, l *syntax.CaseStmt) {
	s := c.switching
	if l.Lo == nil {
		if slices.ContainsFunc(s.all(), func(k ast.Case) bool { return k.Default }) {
			c.errorf(l.Pos, codeStatement, "two default labels in one switch")
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
		if s.cases[v] {
			c.errorf(l.Pos, codeStatement, "two labels for case %d", v)
		}
		s.cases[v] = true
		group.Values = append(group.Values, v)
	}
}

// caseValue evaluates a label, converted to the switch's type.
func (c *checker) caseValue(s *switching, n syntax.Expr) *int64 {
	v, ok := c.constantBits(n, "a case label")
	if !ok || !s.X.Type().IsInteger() {
		return nil
	}
	v = ctypes.Wrap(s.X.Type().Kind, v)
	return &v
}
