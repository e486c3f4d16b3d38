package isel

import "gpupipe/idg"

// predicator makes instructions under conditions of short branches (if-conversion). What ptxas 11.8 makes of
// branches of growing length tells its limits, which are the target's: so many instructions of a side; fewer
// where all lanes of a warp go the same way; more where the side loads from global memory, since predicated
// loads overlap with others, but not inside another branch. What ends the kernel stays a branch.
type predicator struct{ s *selector }

// list visits nodes; end: the kernel ends behind them, inside: a branch is around them, and no loop in it.
func (p *predicator) list(nodes []Node, end, inside bool) []Node {
	out := make([]Node, 0, len(nodes))
	for i, n := range nodes {
		last := end && (i == len(nodes)-1 || i == len(nodes)-2 && isExit(nodes[i+1]))
		switch n := n.(type) {
		case *If:
			n.Then.Nodes = p.list(n.Then.Nodes, last, inside || !last)
			n.Else.Nodes = p.list(n.Else.Nodes, last, inside || !last)
			if !last && p.short(n, inside) {
				out = append(out, guarded(n.Then, n.Cond)...)
				out = append(out, guarded(n.Else, opposite(n.Cond))...)
				continue
			}
		case *Loop:
			n.Body.Nodes = p.list(n.Body.Nodes, false, false)
		case *Region:
			n.Body.Nodes = p.list(n.Body.Nodes, last, inside)
		}
		out = append(out, n)
	}
	return out
}

func isExit(n Node) bool {
	in, ok := n.(*Instr)
	return ok && exitsKernel(in)
}

// guarded gives instructions a condition.
func guarded(b *Block, g Guard) []Node {
	for _, n := range b.Nodes {
		n.(*Instr).Guard = g
	}
	return b.Nodes
}

// short reports whether both sides are short enough, and can have a condition.
func (p *predicator) short(n *If, inside bool) bool {
	limits := p.s.t.Predication
	if limits.Most == 0 || n.Rare {
		return false
	}
	loads := p.loads(n.Then) || p.loads(n.Else)
	most := limits.Most
	switch {
	case loads && inside:
		return false
	case loads:
		most = limits.Loading
	case n.From != nil && p.s.flow.Uniform(n.From.Args[0]):
		most = limits.Uniform
	}
	skip := 0
	if len(n.Else.Nodes) > 0 { // the branch over the other side
		skip = 1
	}
	return len(n.Then.Nodes)+skip <= most && len(n.Else.Nodes) <= most && p.simple(n.Then) && p.simple(n.Else)
}

// loads reports whether a side loads from global memory.
func (p *predicator) loads(b *Block) bool {
	for _, n := range b.Nodes {
		if in, ok := n.(*Instr); ok && in.Mem != nil && in.Mem.Space == idg.SpaceGlobal && !in.Mem.Store {
			return true
		}
	}
	return false
}

// simple reports whether a side consists of instructions that may have a condition: none has one already, sets
// one, or is executed by all lanes together.
func (p *predicator) simple(b *Block) bool {
	for _, n := range b.Nodes {
		in, ok := n.(*Instr)
		if !ok || in.Guard.Reg != 0 {
			return false
		}
		switch in.Class {
		case "branch", "exit", "barrier", "shuffle", "vote", "converge", "fence", "async":
			return false
		}
		for i, d := range in.Defs {
			if p.s.c.Reg(d).Class == Predicate && (i == 0 || in.Pipe != "alu") {
				return false
			}
		}
	}
	return true
}
