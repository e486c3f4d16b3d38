package tidy

import (
	"slices"
	"strings"

	"gpupipe/lower"
)

// predicateSelects makes a choice between what one operation gives and another value the operation under the condition,
// over a copy of the other value: "x + y if p, else z" is "z, and x + y under p", which costs an instruction less
// where the copy goes, and waits for p (nvcc 11.8 and 13, sums and counts of what is above a limit: @P FADD, and
// @!P IMAD.MOV where it is the other value that is written over). It stands in front of coalescing, which takes the
// copies away.
func predicateSelects(s *Selected) {
	p := &selectPredicator{s: s, defs: make([]int32, len(s.Code.Regs)+1), uses: make([]int32, len(s.Code.Regs)+1)}
	s.Code.Body.Each(p.count)
	rewriteLists(s.Code.Body, p.list)
}

type selectPredicator struct {
	s          *Selected
	defs, uses []int32 // by register: how often it is written and read
}

// count counts a node's registers.
func (p *selectPredicator) count(n Node) {
	use := func(r Reg) { p.uses[r]++ }
	switch n := n.(type) {
	case *Instr:
		for _, u := range n.Uses {
			if u.Kind == InReg {
				use(u.Reg)
			}
		}
		use(n.Guard.Reg)
		for _, d := range n.Defs {
			p.defs[d]++
		}
	case *Moves:
		for _, m := range n.List {
			if m.From.Kind == InReg {
				use(m.From.Reg)
			}
			p.defs[m.To]++
		}
	case *If:
		use(n.Cond.Reg)
	case *Jump:
		use(n.Guard.Reg)
	}
}

// list rewrites the choices of a block.
func (p *selectPredicator) list(nodes []Node) []Node {
	at := map[Reg]int{} // where the block writes registers last since control flow
	var drop map[int]bool
	for i, n := range nodes {
		in, ok := n.(*Instr)
		if m, moved := n.(*Moves); moved {
			for _, v := range m.List {
				at[v.To] = i
			}
			continue
		}
		if !ok {
			clear(at)
			continue
		}
		if in.Op == "FSEL" || in.Op == "SEL" {
			if k, ok := p.operation(nodes, at, in); ok {
				if drop == nil {
					drop = map[int]bool{}
				}
				op := nodes[k].(*Instr)
				pair := p.predicated(in, op)
				drop[k] = pair.in.Op != "MOV"
				nodes[i] = pair
				continue
			}
		}
		for _, d := range in.Defs {
			at[d] = i
		}
	}
	if drop == nil {
		return nodes
	}
	out := make([]Node, 0, len(nodes)+len(drop))
	for i, n := range nodes {
		switch pair, ok := n.(*predicatedPair); {
		case drop[i]:
		case ok:
			out = append(out, pair.copy, pair.in)
		default:
			out = append(out, n)
		}
	}
	return out
}

// predicatedPair is a choice that has been rewritten.
type predicatedPair struct {
	Moves
	copy *Moves
	in   *Instr
}

// operation is where the block has the operation that a choice is made of, whose result nothing else reads.
func (p *selectPredicator) operation(nodes []Node, at map[Reg]int, in *Instr) (int, bool) {
	g := in.Uses[2]
	if in.Guard.Reg != 0 || in.From == nil || in.From.Op != lower.Select || p.s.Code.Reg(in.Defs[0]).Class != Vector ||
		in.Part != 0 || p.s.Code.Reg(in.Defs[0]).Words != 1 || g.Kind != InReg ||
		p.s.Code.Reg(g.Reg).Class != Predicate {
		return 0, false
	}
	for k := range 2 {
		x, other := in.Uses[k], in.Uses[1-k]
		if !p.plain(x) || !p.plain(other) || p.uses[x.Reg] != 1 || p.defs[x.Reg] != 1 {
			continue
		}
		i, ok := at[x.Reg]
		if !ok {
			continue
		}
		if op, ok := nodes[i].(*Instr); ok && p.movable(op) && !slices.ContainsFunc(op.Uses, func(u Operand) bool {
			return u.Kind == InReg && at[u.Reg] > i
		}) {
			return i, true
		}
	}
	return 0, false
}

// plain reports whether an operand is a whole register of lanes as it is.
func (p *selectPredicator) plain(o Operand) bool {
	if o.Kind != InReg || o.Not || o.Abs || o.Word > 0 {
		return false
	}
	r := p.s.Code.Reg(o.Reg)
	return r.Class == Vector && r.Words == 1 && !r.Given
}

// movable reports whether an operation can have a condition.
func (p *selectPredicator) movable(in *Instr) bool {
	switch in.Pipe {
	case "alu", "fma", "fmaheavy", "half":
	default:
		return false
	}
	if in.Guard.Reg != 0 || in.Mem != nil || in.Part != 0 || len(in.Defs) != 1 || strings.HasPrefix(in.Op, "VOTE") {
		return false
	}
	for _, u := range in.Uses {
		if u.Kind == InReg && p.s.Code.Reg(u.Reg).Class == Predicate {
			return false
		}
	}
	return true
}

// swapped reports whether a choice takes its first operand where its condition is false.
func (p *selectPredicator) swapped(in *Instr) bool {
	return in.Uses[2].Not != p.s.Maker.Condition(in.From.Args[0]).Not
}

// counts reports whether an operation adds one to the other value of its choice: "c + (1 if p, else 0)" for compilers,
// the sum of which ptxas makes first, and writes the old count over it.
func counts(op *Instr, other Reg) bool {
	return op.Op == "IADD3" && len(op.Uses) == 3 && op.Uses[0].Kind == InReg && op.Uses[0].Reg == other &&
		op.Uses[1].Kind == Immediate && (uint32(op.Uses[1].Bits) == 1 || uint32(op.Uses[1].Bits) == 1<<32-1)
}

// predicated is what takes a choice's place.
func (p *selectPredicator) predicated(in, op *Instr) *predicatedPair {
	d, x, other, not := in.Defs[0], op.Defs[0], in.Uses[1], false
	if in.Uses[0].Reg != x {
		other, not = in.Uses[0], true
	}
	copied := &Moves{Pos: in.Pos, For: in.From, List: []Move{{To: d, Span: 1, From: other}}}
	p.s.Moves = append(p.s.Moves, copied)
	g := in.Uses[2]
	if counts(op, other.Reg) {
		copied.List[0].From = in.Uses[0]
		if not {
			copied.List[0].From = in.Uses[1]
		}
		class, pipe := p.s.Maker.Describe("MOV")
		return &predicatedPair{copy: copied, in: &Instr{Op: "MOV", Class: class, Pipe: pipe, Defs: []Reg{d},
			Uses: []Operand{other}, Pos: in.Pos, From: in.From, Guard: Guard{Reg: g.Reg, Not: g.Not == not,
				Value: in.From.Args[0], Opposite: not == p.swapped(in)}}}
	}
	n := *op
	n.Defs, n.Uses = []Reg{d}, slices.Clone(op.Uses)
	for i := range n.Uses {
		if u := &n.Uses[i]; u.Kind == InReg && u.Reg == other.Reg {
			u.Reg = d // which has the same value, so that the other one can end
		}
	}
	n.Guard = Guard{Reg: g.Reg, Not: g.Not != not, Value: in.From.Args[0], Opposite: not != p.swapped(in)}
	return &predicatedPair{copy: copied, in: &n}
}
