package tidy

import (
	"gpupipe/idg"
)

// predicator makes instructions under conditions of short branches (if-conversion). What ptxas 11.8 makes of
// branches of growing length tells its limits, which are the target's: so many instructions of a side; fewer
// where all lanes of a warp go the same way; more where the side loads from global memory, since predicated
// loads overlap with others, or, in a loop, where a load in front of the branch is first read behind it, but not
// inside another branch. What ends the kernel stays a branch.
type predicator struct {
	s     *Selected
	loops int
}

// list visits nodes; end: the kernel ends behind them, inside: a branch is around them, and no loop in it.
func (p *predicator) list(nodes []Node, end, inside bool) []Node {
	out := make([]Node, 0, len(nodes))
	pending := map[Reg]bool{} // loaded from global memory in this block, and not read yet
	for i, n := range nodes {
		last := end && (i == len(nodes)-1 || i == len(nodes)-2 && isExit(nodes[i+1]))
		switch n := n.(type) {
		case *If:
			n.Then.Nodes = p.list(n.Then.Nodes, last, inside || !last)
			n.Else.Nodes = p.list(n.Else.Nodes, last, inside || !last)
			if !last && p.short(n, inside, p.loops > 0 && len(pending) > 0) {
				from := len(out)
				out = append(out, guarded(n.Then, n.Cond)...)
				out = append(out, guarded(n.Else, opposite(n.Cond))...)
				for _, n := range out[from:] {
					pend(pending, n.(*Instr))
				}
				continue
			}
			clear(pending)
		case *Loop:
			p.loops++
			n.Body.Nodes = p.list(n.Body.Nodes, false, false)
			p.loops--
			clear(pending)
		case *Region:
			n.Body.Nodes = p.list(n.Body.Nodes, last, inside)
			clear(pending)
		case *Jump:
			clear(pending)
		case *Instr:
			pend(pending, n)
		}
		out = append(out, n)
	}
	return out
}

// pend notes what an instruction loads from global memory, and what it reads.
func pend(pending map[Reg]bool, in *Instr) {
	for _, u := range in.Uses {
		delete(pending, u.Reg)
	}
	if loadsGlobal(in) {
		for _, d := range in.Defs {
			pending[d] = true
		}
	}
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
func (p *predicator) short(n *If, inside, pending bool) bool {
	limits := p.s.Code.Target.Predication
	if limits.Most == 0 || n.Rare {
		return false
	}
	loads := p.loads(n.Then) || p.loads(n.Else)
	most := limits.Most
	switch {
	case loads && inside:
		return false
	case loads, pending && !inside:
		most = limits.Loading
	case n.From != nil && p.s.Flow.Uniform(n.From.Args[0]):
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
		if in, ok := n.(*Instr); ok && loadsGlobal(in) {
			return true
		}
	}
	return false
}

func loadsGlobal(in *Instr) bool {
	return in.Mem != nil && in.Mem.Space == idg.SpaceGlobal && !in.Mem.Store
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
			if p.s.Code.Reg(d).Class == Predicate && (i == 0 || in.Pipe != "alu") {
				return false
			}
		}
	}
	return true
}
