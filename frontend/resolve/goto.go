package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
)

// A goto that goes forward, out of any number of blocks to a label behind them,
// leaves what stands before the label: the statements from the first such goto
// up to the label become one Labelled, and the goto leaves that. It is how
// kernels skip to a common end of a loop's body or of a function. One that goes
// back is a loop in disguise, and one into a block may not be structured at all:
// both are refused.

// maxGotos bounds the gotos of one function.
const maxGotos = 1000

// jumps are the labels and gotos of the function being checked.
type jumps struct {
	labels map[string]Pos
	gotos  []*Goto // without a target so far
}

// structured gives the gotos in a finished list of statements that lead to a
// label of the list their targets, and takes the labels out.
func (c *checker) structured(list []Stmt) []Stmt {
	if !slices.ContainsFunc(list, func(s Stmt) bool { _, label := s.(*ast.Label); return label }) {
		return list
	}
	type pending struct {
		*Goto
		at int // statement of out
	}
	var (
		out  []Stmt
		open []pending
	)
	for _, s := range list {
		mark, ok := s.(*ast.Label)
		if !ok {
			ast.WalkStmt(s, func(s Stmt) {
				if g, ok := s.(*Goto); ok && g.Target == nil {
					open = append(open, pending{g, len(out)})
				}
			})
			out = append(out, s)
			continue
		}
		first := slices.IndexFunc(open, func(p pending) bool { return p.Name == mark.Name })
		if first < 0 {
			continue
		}
		from := open[first].at
		body := &Labelled{Positioned: ast.At(out[from].Pos()), Name: mark.Name, Stmts: slices.Clone(out[from:])}
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
	return out
}

// finishJumps reports the gotos of a function that have found no target.
func (c *checker) finishJumps() {
	for _, g := range c.jumps.gotos {
		if g.Target != nil {
			continue
		}
		if c.jumps.labels[g.Name].Compare(g.P) < 0 { // cc has seen to it that there is one
			c.unsupported(g.P, "a goto that goes back, here to "+g.Name+", is", "write a loop")
		} else {
			c.unsupported(g.P, "a goto into a block, here to "+g.Name+", is", "put the label behind the blocks that the goto leaves, or use if, loops and break")
		}
	}
	c.jumps = jumps{}
}
