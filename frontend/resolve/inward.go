package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Case labels in nested statements, as in Duff's device. Erosa and Hendren, "Taming control flow" (1994), move a goto
// inward: a variable says which label is being gone to, what stands before the label is left out while it does, and
// the conditions on the way lead to the label.

// caseStmt is a case label that does not stand directly in its switch.
func (c *checker) caseStmt(n *syntax.CaseStmt, out *[]ast.Stmt) {
	s := c.switching
	if s == nil {
		c.errorf(n.Pos, codeStatement, "a case label outside of a switch")
		return
	}
	if s.entry == nil {
		_, s.entry = ownVariable("entry", number(ctypes.Int, 0, n.Pos), n.Pos)
	}
	here := c.scope
	for ; c.scope != s.scope; c.scope = c.scope.up {
		c.jumpsOver(0, n.Pos, "this case")
	}
	c.scope = here
	label := ast.Case{Pos: n.Pos}
	c.caseLabel(&label, n)
	*out = append(*out, s.labelled(label))
	c.statement(n.Body, out)
}

// all are the groups of labels.
func (s *switching) all() []ast.Case {
	list := slices.Clone(s.Cases)
	for _, n := range s.nested {
		list = append(list, n.Case)
	}
	return list
}

// goesTo asks whether a label is being gone to: one of labels, counted from 1; 0 is none.
func (s *switching) goesTo(pos diag.Pos, labels ...int) ast.Expr {
	var e ast.Expr
	for _, l := range labels {
		is := &ast.Binary{Typed: ast.Of(ctypes.Scalar(ctypes.Int), pos), Op: ctypes.Eq, X: s.entry,
			Y: number(ctypes.Int, int64(l), pos)}
		if e == nil {
			e = is
			continue
		}
		e = &ast.Binary{Typed: ast.Of(is.T, pos), Op: ctypes.LogOr, X: e, Y: is}
	}
	return e
}

func (s *switching) goTo(label int, pos diag.Pos) ast.Stmt {
	return ast.Do(&ast.Assign{Typed: ast.Of(s.entry.T, pos), X: s.entry, Y: number(ctypes.Int, int64(label), pos)}, pos)
}

// labelled adds a label that stands where the result does.
func (s *switching) labelled(k ast.Case) *ast.If {
	n := len(s.nested) + 1
	mark := &ast.If{Positioned: ast.At(k.Pos), Cond: s.goesTo(k.Pos, n), Then: s.goTo(0, k.Pos)}
	s.nested = append(s.nested, inward{k, mark})
	return mark
}

// goInward makes one list of the groups of a switch, in front of which another switch chooses the label.
func (c *checker) goInward(s *switching) {
	list := s.front
	for _, k := range s.Cases {
		list = append(append(list, s.labelled(k)), k.Body...)
	}
	choice := &ast.Switch{Positioned: s.Positioned, X: s.X}
	if !slices.ContainsFunc(s.nested, func(n inward) bool { return n.Default }) {
		s.nested = append(s.nested, inward{Case: ast.Case{Pos: s.P, Default: true}})
	}
	for i, k := range s.nested {
		k.Body = []ast.Stmt{s.goTo(i+1, s.P), &ast.Break{Positioned: s.Positioned}}
		choice.Cases = append(choice.Cases, k.Case)
	}
	start := &ast.Decl{Positioned: s.Positioned, Obj: s.entry.Obj}
	body := append([]ast.Stmt{start, choice}, c.entered(s, list)...)
	s.X = number(ctypes.Int, 0, s.P)
	s.Cases = []ast.Case{{Pos: s.P, Default: true, Body: body}}
}

// within are the labels in a statement.
func (s *switching) within(in ast.Stmt) (labels []int) {
	ast.WalkStmt(in, func(x ast.Stmt) {
		if at := slices.IndexFunc(s.nested, func(n inward) bool { return n.mark == x }); at >= 0 {
			labels = append(labels, at+1)
		}
	})
	return labels
}

// entered is a list of statements that a goto leads into: what stands before the label is left out.
func (c *checker) entered(s *switching, list []ast.Stmt) (out []ast.Stmt) {
	last := len(list) - 1
	for last >= 0 && len(s.within(list[last])) == 0 {
		last--
	}
	for i, x := range list {
		labels := s.within(x)
		decl, isDecl := x.(*ast.Decl)
		switch {
		case i > last || isDecl && decl.Init == nil || len(labels) == 1 && s.nested[labels[0]-1].mark == x:
			out = append(out, x)
			continue
		case isDecl:
			c.unsupported(x.Pos(), "a case label behind this in a nested statement is",
				"put it directly between the braces of its switch")
		}
		c.goInto(s, x, labels)
		out = append(out, &ast.If{Positioned: ast.At(x.Pos()), Then: x,
			Cond: s.goesTo(x.Pos(), append([]int{0}, labels...)...)})
	}
	return out
}

// goInto leads a goto to labels in a statement.
func (c *checker) goInto(s *switching, x ast.Stmt, labels []int) {
	if len(labels) == 0 {
		return
	}
	chosen := func(e ast.Expr, otherwise int64) ast.Expr {
		return &ast.Cond{Typed: ast.Of(e.Type(), e.Pos()), C: s.goesTo(e.Pos(), 0), X: e,
			Y: ast.LiteralOf(ctypes.Value{Type: e.Type(), Int: otherwise, Float: float64(otherwise)}, e.Pos())}
	}
	block := func(x ast.Stmt) ast.Stmt {
		if x == nil {
			return nil
		}
		return &ast.Block{Positioned: ast.At(x.Pos()), Stmts: c.entered(s, []ast.Stmt{x})}
	}
	switch x := x.(type) {
	case *ast.Block:
		x.Stmts = c.entered(s, x.Stmts)
	case *ast.Labelled:
		x.Stmts = c.entered(s, x.Stmts)
	case *ast.If:
		then := s.within(x.Then)
		e := chosen(x.Cond, 0).(*ast.Cond)
		if len(then) > 0 {
			e.Y = s.goesTo(x.P, then...)
		}
		x.Cond, x.Then, x.Else = e, block(x.Then), block(x.Else)
	case *ast.Loop:
		if len(x.Init) > 0 {
			c.unsupported(x.P, "a case label in this loop is", "put it directly between the braces of its switch")
		}
		if x.Cond != nil && x.Kind != ast.DoLoop {
			x.Cond = chosen(x.Cond, 1)
		}
		x.Body = block(x.Body)
	default:
		c.unsupported(x.Pos(), "a case label in this statement is", "put it directly between the braces of its switch")
	}
}
