package tidy

import (
	"gpupipe/lower/flow"
	"gpupipe/lower/ir"
)

// Selected is a kernel of which the instructions have been selected.
type Selected struct {
	Code    *Code
	Flow    *flow.Flow
	Options *Options
	Maker   Maker
	Moves   []*Moves
	Elects  bool // several updates are made one for all lanes
}

// Maker makes what a set of instructions has for what selection leaves open.
type Maker interface {
	// Move copies an operand to a word of a register.
	Move(to Reg, word int, from Operand) []*Instr
	// Branch, Exit and Sync are the instructions of control flow, for an operation.
	Branch(at *ir.Instr, g Guard, back bool) *Instr
	Exit(at *ir.Instr) *Instr
	Sync(at *ir.Instr) (enter, leave *Instr)
	Condition(v *ir.Value) Guard
	// Pairs are the loads of a word of a constant bank that one of two words may stand for.
	Pairs() map[string]string
	// Part is the byte or half (B0, H1) that an instruction takes out of an operand, "" for others. Reading is what a
	// conversion is called that reads such a part itself, and Operand.Part with it; "" for what cannot; part "": any.
	Part(in *Instr) (part string, of Operand)
	Reading(op, part string) (name, operand string)
	// Describe is the class of an instruction and what executes it.
	Describe(op string) (class, pipe string)
}

// Run brings the moves of a kernel into registers or instructions and gives control flow its instructions.
func Run(s *Selected) {
	if s.Code.Target.Predication.Most > 0 {
		predicateSelects(s)
	}
	if s.Elects {
		electOnce(s.Code)
	}
	readParts(s)
	pairUniform(s)
	coalesce(s.Code, s.Moves)
	hoist(s.Code)
	settle(s.Code, s.Maker)
	switch {
	case s.Code.Target.Has("packed"):
		pack(s, s.Code.Body, false)
	case s.Code.Target.Has("dual"):
		pairUp(s, s.Code.Body)
	}
	tidy(s)
}

// tidy gives control flow the shape that compilers lay out, and branches their instructions: a branch with
// nothing but a jump on one side is a jump under a condition, a loop ends in one jump back, and what falls
// through has no instruction.
func tidy(s *Selected) {
	t := &tidier{s: s}
	s.Code.Body.Nodes = t.list(s.Code.Body.Nodes, place{end: true})
	s.Code.Body.Nodes = (&predicator{s: s}).list(s.Code.Body.Nodes, true, false)
	held(s.Code)
	constants(s.Code, s.Maker)
	if s.Options.Hoist {
		hoistParameters(s.Code, s.Maker)
	}
	balance(s.Code, s.Maker, s.Options.VIADD)
	t.branches(s.Code.Body, place{end: true})
}

type tidier struct {
	s  *Selected
	at *ir.Instr // what instructions are for
}

// place is where a block stands.
type place struct {
	end    bool // nothing but the kernel's end follows
	region *Region
	loop   *Loop
	synced bool // lanes come together behind the block anyway
}

func ends(b *Block) bool {
	if b == nil || len(b.Nodes) == 0 {
		return false
	}
	j, ok := b.Nodes[len(b.Nodes)-1].(*Jump)
	return ok && j.Guard.Reg == 0
}

func onlyJump(b *Block) *Jump {
	if len(b.Nodes) != 1 {
		return nil
	}
	j, ok := b.Nodes[0].(*Jump)
	if !ok || j.Guard.Reg != 0 {
		return nil
	}
	return j
}

func opposite(g Guard) Guard { g.Not, g.Opposite = !g.Not, !g.Opposite; return g }

// list reshapes nodes.
func (t *tidier) list(nodes []Node, p place) []Node {
	out := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case *If:
			n.Then.Nodes = t.list(n.Then.Nodes, p)
			n.Else.Nodes = t.list(n.Else.Nodes, p)
			out = t.branch(out, n)
		case *Loop:
			n.Body.Nodes = t.loop(t.list(n.Body.Nodes, place{loop: n}), n)
			out = append(out, n)
		case *Region:
			n.Body.Nodes = t.list(n.Body.Nodes, place{region: n})
			out = t.region(out, n)
		default:
			out = append(out, n)
		}
	}
	return out
}

// branch appends a branch in its simplest form.
func (t *tidier) branch(out []Node, n *If) []Node {
	if len(n.Then.Nodes) == 0 && len(n.Else.Nodes) == 0 {
		return out
	}
	if j := onlyJump(n.Then); j != nil {
		j.Guard = n.Cond
		return append(append(out, j), n.Else.Nodes...)
	}
	if j := onlyJump(n.Else); j != nil {
		j.Guard = opposite(n.Cond)
		return append(append(out, j), n.Then.Nodes...)
	}
	if len(n.Then.Nodes) == 0 || ends(n.Else) && !ends(n.Then) {
		n.Then, n.Else, n.Cond = n.Else, n.Then, opposite(n.Cond)
	}
	if ends(n.Then) && len(n.Else.Nodes) > 0 {
		rest := n.Else.Nodes
		n.Else = &Block{}
		return append(append(out, n), rest...)
	}
	return append(out, n)
}

// loop reshapes the end of a loop's body: "leave if c; continue" is "continue if not c; leave".
func (t *tidier) loop(nodes []Node, n *Loop) []Node {
	k := len(nodes)
	if k < 2 {
		return nodes
	}
	last, ok := nodes[k-1].(*Jump)
	before, ok2 := nodes[k-2].(*Jump)
	if ok && ok2 && last.Continue && last.Target == n.From && last.Guard.Reg == 0 && !before.Continue &&
		before.Target == n.From && before.Guard.Reg != 0 {
		last.Guard, before.Guard = opposite(before.Guard), Guard{}
		nodes[k-2], nodes[k-1] = last, before
	}
	return nodes
}

// region appends a region, or its body alone where nothing leaves it early.
func (t *tidier) region(out []Node, n *Region) []Node {
	if k := len(n.Body.Nodes); k > 0 {
		if j, ok := n.Body.Nodes[k-1].(*Jump); ok && j.Target == n.From && !j.Continue {
			n.Body.Nodes, n.End = n.Body.Nodes[:k-1], j.From
		}
	}
	left := false
	n.Body.Each(func(m Node) {
		if j, ok := m.(*Jump); ok && j.Target == n.From {
			left = true
		}
	})
	if !left {
		return append(out, n.Body.Nodes...)
	}
	return append(out, n)
}

// branches gives what costs an instruction one.
func (t *tidier) branches(b *Block, p place) {
	isa := t.s.Maker
	for i, n := range b.Nodes {
		t.at = origin(n)
		here := place{end: p.end && t.last(b, i), synced: p.synced && i == len(b.Nodes)-1}
		switch n := n.(type) {
		case *If:
			t.sides(n, here)
		case *Loop:
			inner := place{}
			if t.s.Flow.Separate(n.From) && !here.end && !here.synced {
				n.Enter, n.Leave = isa.Sync(t.at)
			}
			t.branches(n.Body, inner)
		case *Region:
			inner := place{end: here.end, synced: here.synced}
			if t.s.Flow.Separate(n.From) && !here.end && !here.synced {
				n.Enter, n.Leave = isa.Sync(t.at)
				inner.synced = true
			}
			if here.end {
				t.exits(n)
			}
			t.branches(n.Body, inner)
		case *Jump:
			if n.Branch == nil && !t.falls(b, i, n) {
				n.Branch = isa.Branch(t.at, n.Guard, n.Continue)
			}
		}
	}
}

// origin is the operation that a node stands for, whose place its instructions have; of a jump without one that of what
// it jumps out of or back to.
func origin(n Node) *ir.Instr {
	switch n := n.(type) {
	case *If:
		if n.From == nil { // the slow path of a sequence
			return firstOf(n.Then)
		}
		return n.From
	case *Loop:
		return n.From
	case *Region:
		return n.From
	case *Jump:
		if n.From != nil && n.From.Pos.IsValid() {
			return n.From
		}
		return n.Target
	}
	return nil
}

// firstOf is the operation of the first instruction in a block.
func firstOf(b *Block) *ir.Instr {
	for _, n := range b.Nodes {
		if in, ok := n.(*Instr); ok && in.From != nil {
			return in.From
		}
	}
	return nil
}

// last reports whether nothing but the end of the kernel comes behind node i.
func (t *tidier) last(b *Block, i int) bool {
	if i == len(b.Nodes)-1 {
		return true
	}
	if i != len(b.Nodes)-2 {
		return false
	}
	in, ok := b.Nodes[i+1].(*Instr)
	return ok && exitsKernel(in)
}

func exitsKernel(in *Instr) bool { return in.Class == "exit" }

// exits makes the jumps that leave a region at the kernel's end end the kernel.
func (t *tidier) exits(n *Region) {
	n.Body.Each(func(m Node) {
		if j, ok := m.(*Jump); ok && j.Target == n.From && !j.Continue {
			t.at = origin(j)
			j.Branch = t.s.Maker.Exit(t.at)
			j.Branch.Guard = j.Guard
			j.Branch.Uses = nil
		}
	})
}

// falls reports whether a jump without a condition goes where execution goes on anyway.
func (t *tidier) falls(b *Block, i int, j *Jump) bool {
	if j.Guard.Reg != 0 || j.Continue {
		return false
	}
	return i == len(b.Nodes)-1 && i > 0 && isBack(b.Nodes[i-1], j)
}

// isBack reports whether a node is the jump back of the loop that j leaves.
func isBack(n Node, j *Jump) bool {
	k, ok := n.(*Jump)
	return ok && k.Continue && k.Target == j.Target
}

// sides gives a branch its instructions.
func (t *tidier) sides(n *If, p place) {
	isa := t.s.Maker
	n.Branch = isa.Branch(t.at, opposite(n.Cond), false)
	if p.end && len(n.Else.Nodes) == 0 {
		n.Branch = isa.Exit(t.at)
		n.Branch.Guard = opposite(n.Cond)
	}
	differ := n.From == nil || !t.s.Flow.Uniform(n.From.Args[0])
	inner := p
	if differ && !p.end && !p.synced && !ends(n.Then) {
		n.Enter, n.Leave = isa.Sync(t.at)
		inner.synced = true
	}
	if len(n.Else.Nodes) > 0 && !ends(n.Then) {
		n.Skip = isa.Branch(t.at, Guard{}, false)
		if p.end {
			n.Skip = isa.Exit(t.at)
		}
	}
	t.branches(n.Then, inner)
	t.branches(n.Else, inner)
}

// hoist puts the moves of a side of a branch that has nothing else, but for a jump at its end, in front of the
// branch, where the other side does not read what they overwrite: what PHI elimination does with the copies of
// an edge without a block. Then a side with a jump is a jump under a condition, and one without it is empty.
func hoist(c *Code) {
	f := flatten(c)
	h := &hoister{f: f, spans: f.liveness()}
	c.Body.Nodes = h.list(c.Body.Nodes)
}

type hoister struct {
	f     *flat
	spans [][]span
}

func (h *hoister) list(nodes []Node) []Node {
	out := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case *If:
			n.Then.Nodes = h.list(n.Then.Nodes)
			n.Else.Nodes = h.list(n.Else.Nodes)
			at := h.f.sides[n]
			for i, side := range [...]*Block{n.Then, n.Else} {
				other := [...]*Block{n.Else, n.Then}[i]
				if m := onlyMoves(side); m != nil && !(onlyMoves(other) != nil && i == 0) && h.free(m, at[1-i], n) {
					out = append(out, m)
					side.Nodes = side.Nodes[1:]
				}
			}
		case *Loop:
			n.Body.Nodes = h.list(n.Body.Nodes)
		case *Region:
			n.Body.Nodes = h.list(n.Body.Nodes)
		}
		if m, ok := n.(*Moves); ok && h.passes(out, m) {
			out = append(out[:len(out)-1], m, out[len(out)-1])
			continue
		}
		out = append(out, n)
	}
	return out
}

// passes reports whether moves can stand in front of the branch before them, of which one side leaves and the
// other one is empty.
func (h *hoister) passes(out []Node, m *Moves) bool {
	if len(out) == 0 {
		return false
	}
	n, ok := out[len(out)-1].(*If)
	if !ok {
		return false
	}
	for i, side := range [...]*Block{n.Then, n.Else} {
		if other := [...]*Block{n.Else, n.Then}[i]; onlyJump(side) != nil && len(other.Nodes) == 0 {
			return h.free(m, h.f.sides[n][i], n)
		}
	}
	return false
}

// onlyMoves are the moves of a block that has nothing else but a jump at its end.
func onlyMoves(b *Block) *Moves {
	if len(b.Nodes) == 0 || len(b.Nodes) > 2 {
		return nil
	}
	m, ok := b.Nodes[0].(*Moves)
	if !ok {
		return nil
	}
	if len(b.Nodes) == 2 {
		if _, ok := b.Nodes[1].(*Jump); !ok {
			return nil
		}
	}
	return m
}

// free reports whether nothing that moves write is live at a place, or decides the branch.
func (h *hoister) free(m *Moves, at int, n *If) bool {
	for _, v := range m.List {
		if v.From.Kind == InReg && v.From.Reg == v.To && max(0, v.From.Word) == v.Word {
			continue
		}
		if v.To == n.Cond.Reg {
			return false
		}
		for k := range v.Span {
			if lives(h.spans[h.f.base[v.To-1]+v.Word+k], 4*at, 4*at) {
				return false
			}
		}
	}
	return true
}
