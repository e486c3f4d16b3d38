package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
)

// A goto that goes forward, out of any number of blocks to a label behind them,
// leaves what stands before the label: the statements from the first such goto
// up to the label become one Labelled, and the goto leaves that. It is how
// kernels skip to a common end of a loop's body or of a function. One that goes
// back, out of any number of blocks, is a loop around what follows the label. One
// into a block may not be structured at all and is refused.

// maxGotos bounds the gotos of one function.
const maxGotos = 1000

// jumps are the labels and gotos of the function being checked.
type jumps struct {
	labels map[string]diag.Pos
	gotos  []jump
	around map[string][]leaving // the scopes around the labels
}

// jump is a goto and where the name of its label stands.
type jump struct {
	*ast.Goto
	label diag.Pos
	// passed is how many variables have got a value in each of the blocks around.
	passed map[*scope]int
	// around are the scopes that the goto may leave; leaving calls their destructors in before, as soon as it is known
	// where the label is.
	around []leaving
	before *ast.Block
}

// leaving is a scope around a jump, with the objects that it has made so far.
type leaving struct {
	scope *cleanup
	list  []destroyed
}

// cleanupsAround are the scopes around that have objects with destructors, from the inside out.
func (c *checker) cleanupsAround() (list []leaving) {
	for s := c.cleanups; s != nil; s = s.up {
		list = append(list, leaving{s, s.list})
	}
	return list
}

// leaveFor calls the destructors of what a goto leaves: all that has been made since the label's scope was as it is at
// the label ([stmt.jump]).
func (c *checker) leaveFor(g *jump, label []leaving) {
	for _, l := range g.around {
		kept := 0
		at := slices.IndexFunc(label, func(k leaving) bool { return k.scope == l.scope })
		if at >= 0 {
			kept = min(len(l.list), len(label[at].list))
		}
		c.destroyAll(&cleanup{list: l.list[kept:]}, &g.before.Stmts, g.P, nil)
	}
}

// initialisedAround is jump.passed for a goto that stands here.
func (c *checker) initialisedAround() map[*scope]int {
	n := map[*scope]int{}
	for s := c.scope; s != nil && !s.isNamespace(); s = s.up {
		n[s] = len(s.initialised)
	}
	return n
}

// jumpsOver reports the variables of the current block, behind so many, that a jump to here leaves without a value
// although they are in scope ([stmt.dcl]). C allows it.
func (c *checker) jumpsOver(passed int, pos diag.Pos, what string) {
	if v := c.scope.initialised; c.cfg.Dialect == ast.CUDA && passed < len(v) {
		c.errorf(pos, codeStatement, "%s jumps over the initialisation of %s", what, v[passed].Name).
			WithNote("put the declaration and what uses it in { ... }")
	}
}

// structured gives the gotos in a finished list of statements that lead to a
// label of the list their targets, and takes the labels out.
func (c *checker) structured(list []ast.Stmt) []ast.Stmt {
	if !slices.ContainsFunc(list, func(s ast.Stmt) bool { _, label := s.(*ast.Label); return label }) {
		return list
	}
	type pending struct {
		*ast.Goto
		at int // statement of out
	}
	var (
		out  []ast.Stmt
		open []pending
	)
	labels := map[string]int{} // the statement of out that stands behind the label
	var order []*ast.Label
	for _, s := range list {
		mark, ok := s.(*ast.Label)
		if !ok {
			ast.WalkStmt(s, func(s ast.Stmt) {
				if g, ok := s.(*ast.Goto); ok && g.Target == nil {
					open = append(open, pending{g, len(out)})
				}
			})
			out = append(out, s)
			continue
		}
		first := slices.IndexFunc(open, func(p pending) bool { return p.Name == mark.Name })
		labels[mark.Name] = len(out)
		order = append(order, mark)
		if first < 0 {
			continue
		}
		from := open[first].at
		labels[mark.Name] = from + 1
		for name, at := range labels {
			if at > from+1 { // a label inside of what is left
				labels[name] = -1
			}
		}
		body := &ast.Labelled{Positioned: ast.At(out[from].Pos()), Name: mark.Name, Stmts: slices.Clone(out[from:])}
		out = append(out[:from], body)
		kept := open[:0]
		for _, p := range open {
			if p.Name == mark.Name {
				p.Target = body
				continue
			}
			p.at = min(p.at, from)
			kept = append(kept, p)
		}
		open = kept
	}
	for _, mark := range slices.Backward(order) {
		at := labels[mark.Name]
		back := slices.ContainsFunc(open, func(p pending) bool {
			return p.Name == mark.Name && p.Target == nil &&
				p.at >= at
		})
		if at < 0 || !back || leaves(out[at:], true, true) {
			continue
		}
		again := &ast.Labelled{Positioned: mark.Positioned, Name: mark.Name,
			Stmts: append(slices.Clone(out[at:]), &ast.Break{Positioned: mark.Positioned})}
		for _, p := range open {
			if p.Name == mark.Name && p.at >= at {
				p.Target = again
			}
		}
		out = append(out[:at], &ast.Loop{Positioned: mark.Positioned, Kind: ast.ForLoop,
			Body: &ast.Block{Positioned: mark.Positioned, Stmts: []ast.Stmt{again}}})
	}
	return out
}

// leaves reports whether statements hold a break, or a continue, that leads out of them.
func leaves(list []ast.Stmt, breaks, continues bool) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.Break:
			return breaks
		case *ast.Continue:
			return continues
		case *ast.Block:
			return leaves(s.Stmts, breaks, continues)
		case *ast.Labelled:
			return leaves(s.Stmts, breaks, continues)
		case *ast.If:
			return leaves([]ast.Stmt{s.Then, s.Else}, breaks, continues)
		case *ast.Switch:
			return slices.ContainsFunc(s.Cases, func(k ast.Case) bool { return leaves(k.Body, false, continues) })
		}
		return false
	})
}

// finishJumps reports the gotos of a function that have found no target.
func (c *checker) finishJumps() {
	for _, g := range c.jumps.gotos {
		label, ok := c.jumps.labels[g.Name]
		switch {
		case g.Target != nil:
		case !ok:
			c.errorf(g.label, codeStatement, "goto %s: there is no such label in this function", g.Name)
		case label.Compare(g.P) < 0:
			c.unsupported(g.P, "a goto that goes back, here to "+g.Name+", is", "write a loop")
		default:
			c.unsupported(g.P, "a goto into a block, here to "+g.Name+", is",
				"put the label behind the blocks that the goto leaves, or use if, loops and break")
		}
	}
	c.jumps = jumps{}
}
