package tidy

import (
	"slices"

	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// coalesce gives both sides of a move one register where they are never live at the same time with different
// values (Chaitin's coalescing, aggressively, on live ranges with holes), words of wide registers included:
// so most moves disappear. Moves of inner loops are first. Moves that nobody reads go.
func coalesce(c *Code, list []*Moves) {
	f := flatten(c)
	spans := f.liveness()
	g := newGroups(c, f, spans)
	order := slices.Clone(list)
	for _, m := range order {
		m.dropDead(f, spans)
	}
	slices.SortStableFunc(order, func(a, b *Moves) int {
		if a.loop != b.loop {
			return b.loop - a.loop
		}
		return a.at - b.at
	})
	for _, m := range order {
		for _, v := range m.List {
			if unchanged(v.From) {
				g.join(v.To, v.Word, v.From.Reg, max(0, v.From.Word))
			}
		}
	}
	g.rewrite(c)
}

// unchanged reports whether a move copies words of a register as they are.
func unchanged(o Operand) bool { return o.Kind == InReg && !o.Not && !o.Abs && !o.High }

// dropDead removes what nobody reads.
func (m *Moves) dropDead(f *flat, spans [][]span) {
	m.List = slices.DeleteFunc(m.List, func(v Move) bool {
		for k := range v.Span {
			if lives(spans[f.base[v.To-1]+v.Word+k], 4*m.at+2, 4*m.at+3) {
				return false
			}
		}
		return true
	})
}

// groups are registers that have become one: a forest with the place of each register in that above it.
type groups struct {
	c      *Code
	parent []Reg
	offset []int
	words  []int
	spans  [][]spanList // of roots, by word
	merged bool
}

func newGroups(c *Code, f *flat, spans [][]span) *groups {
	n := len(c.Regs)
	g := &groups{c: c, parent: make([]Reg, n), offset: make([]int, n), words: make([]int, n),
		spans: make([][]spanList, n)}
	value := copies(f)
	for i, r := range c.Regs {
		g.parent[i], g.words[i] = Reg(i+1), r.Words
		g.spans[i] = make([]spanList, r.Words)
		for k := range r.Words {
			cell := f.base[i] + k
			for j := range spans[cell] {
				spans[cell][j].value = int32(value[cell])
			}
			g.spans[i][k] = newSpanList(spans[cell])
		}
	}
	return g
}

// copies numbers what cells hold: a cell that is only written by a move of another one that is written once
// has the same number.
func copies(f *flat) []int {
	writes := make([]int, f.n)
	for _, n := range f.nodes {
		f.visit(n, func(int) {}, func(cell int) { writes[cell]++ })
	}
	value := make([]int, f.n)
	for i := range value {
		value[i] = i
	}
	for _, n := range f.nodes { // a write is in front of what reads it
		m, ok := n.(*Moves)
		if !ok {
			continue
		}
		for _, v := range m.List {
			if !unchanged(v.From) {
				continue
			}
			for k := range v.Span {
				to, from := f.base[v.To-1]+v.Word+k, f.base[v.From.Reg-1]+max(0, v.From.Word)+k
				if writes[to] == 1 && writes[from] <= 1 { // 0: when the kernel starts
					value[to] = value[from]
				}
			}
		}
	}
	return value
}

// find follows a register to the root of its group, and says at which word of it the register lies.
func (g *groups) find(r Reg) (Reg, int) {
	at, root := 0, r
	for g.parent[root-1] != root {
		at += g.offset[root-1]
		root = g.parent[root-1]
	}
	for left := at; g.parent[r-1] != root && r != root; { // shortens the way
		up, offset := g.parent[r-1], g.offset[r-1]
		g.parent[r-1], g.offset[r-1] = root, left
		r, left = up, left-offset
	}
	return root, at
}

// alignment is what a register of so many words is aligned to.
func alignment(words int) int {
	switch {
	case words <= 1:
		return 1
	case words == 2:
		return 2
	}
	return 4
}

// given reports whether a register is filled before the kernel starts.
func (g *groups) given(r Reg) bool { return g.c.Regs[r-1].Given }

// join makes one register of two where nothing is in the way: word a of register to is word b of from.
func (g *groups) join(to Reg, a int, from Reg, b int) {
	rt, at := g.find(to)
	rf, bt := g.find(from)
	if rt == rf || g.c.Regs[rt-1].Class != g.c.Regs[rf-1].Class {
		return
	}
	if g.given(rt) && g.words[rf-1] > 1 || g.given(rf) && g.words[rt-1] > 1 || g.given(rt) && g.given(rf) {
		return // it has its place
	}
	shift := at + a - bt - b // of from's root in to's
	if g.words[rf-1] > g.words[rt-1] || g.words[rf-1] == g.words[rt-1] && (shift < 0 || g.given(rf)) {
		rt, rf, shift = rf, rt, -shift
	}
	if shift < 0 || shift+g.words[rf-1] > g.words[rt-1] || shift%alignment(g.words[rf-1]) != 0 {
		return
	}
	for k := range g.spans[rf-1] {
		if g.spans[rf-1][k].meets(&g.spans[rt-1][shift+k]) {
			return
		}
	}
	for k := range g.spans[rf-1] {
		g.spans[rt-1][shift+k] = g.spans[rt-1][shift+k].join(&g.spans[rf-1][k])
	}
	g.parent[rf-1], g.offset[rf-1] = rt, shift
	g.spans[rf-1] = nil
	g.merged = true
}

// rewrite names registers by their groups, and drops those that are in others.
func (g *groups) rewrite(c *Code) {
	names, words := make([]Reg, len(c.Regs)), make([]int, len(c.Regs))
	regs := c.Regs[:0]
	for i, info := range c.Regs {
		words[i] = info.Words
		if g.parent[i] == Reg(i+1) {
			regs = append(regs, info)
			names[i] = Reg(len(regs))
		}
	}
	place := func(r Reg) (Reg, int, bool) {
		root, at := g.find(r)
		return names[root-1], at, g.words[root-1] == g.words[r-1]
	}
	operand := func(o *Operand) {
		if o.Kind != InReg {
			return
		}
		r, at, whole := place(o.Reg)
		if o.Word < 0 && !whole {
			o.Word, o.Span = 0, words[o.Reg-1]
		}
		if o.Word >= 0 {
			o.Word += at
		}
		o.Reg = r
	}
	guard := func(gd *Guard) {
		if gd.Reg != 0 {
			gd.Reg, _, _ = place(gd.Reg)
		}
	}
	c.Body.Each(func(n Node) {
		switch n := n.(type) {
		case *Instr:
			for i := range n.Uses {
				operand(&n.Uses[i])
			}
			guard(&n.Guard)
			for i, d := range n.Defs {
				r, at, whole := place(d)
				if i == 0 && !whole && n.Part == 0 {
					n.Part, n.Span = 1, words[d-1]
				}
				if i == 0 && n.Part > 0 {
					n.Part += at
				}
				n.Defs[i] = r
			}
		case *Moves:
			for i := range n.List {
				v := &n.List[i]
				operand(&v.From)
				r, at, _ := place(v.To)
				v.To, v.Word = r, v.Word+at
			}
		case *If:
			guard(&n.Cond)
		case *Jump:
			guard(&n.Guard)
		}
	})
	c.Regs = regs
}

// rewriteLists rewrites the nodes of a block and of those inside, which come after what they stand in.
func rewriteLists(b *Block, rewrite func([]Node) []Node) {
	b.Each(func(n Node) {
		switch n := n.(type) {
		case *If:
			n.Then.Nodes, n.Else.Nodes = rewrite(n.Then.Nodes), rewrite(n.Else.Nodes)
		case *Loop:
			n.Body.Nodes = rewrite(n.Body.Nodes)
		case *Region:
			n.Body.Nodes = rewrite(n.Body.Nodes)
		}
	})
	b.Nodes = rewrite(b.Nodes)
}

// Moves are parallel moves: all are read before one is written. They are what is left of SSA where values meet
// (Sreedhar et al., Translating Out of Static Single Assignment Form, 1999), and how the words of a wide
// register come together. None is left when selection ends.
type Moves struct {
	machine.Instr // unused: it makes moves a node of a block
	List          []Move
	Pos           ir.Pos
	For           *ir.Instr
	at            int // the number of the node
	loop          int // how many loops are around it
}

// Move gives the words of a register from word on the value of an operand.
type Move struct {
	To         Reg
	Word, Span int
	From       Operand
}

// settle makes instructions of the moves of a kernel once registers are what they stay.
func settle(c *Code, isa Maker) {
	settleBlock(c.Body, c, isa)
}

func settleBlock(b *Block, c *Code, isa Maker) {
	out := make([]Node, 0, len(b.Nodes))
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *Moves:
			for _, in := range n.sequence(c, isa) {
				out = append(out, in)
			}
			continue
		case *If:
			settleBlock(n.Then, c, isa)
			settleBlock(n.Else, c, isa)
		case *Loop:
			settleBlock(n.Body, c, isa)
		case *Region:
			settleBlock(n.Body, c, isa)
		}
		out = append(out, n)
	}
	b.Nodes = out
}

// sequence orders the moves so that none overwrites what another one reads; where they go in a circle, a
// register more breaks it.
func (m *Moves) sequence(c *Code, isa Maker) []*Instr {
	type step struct {
		to   Reg
		word int
		from Operand
	}
	var steps []step
	for _, v := range m.List {
		for k := range v.Span {
			from := v.From
			if v.Span > 1 {
				from = Word(from, k)
			}
			if from.Kind == InReg && from.Reg == v.To && from.Word == v.Word+k && !from.Not &&
				!from.High {
				continue
			}
			steps = append(steps, step{v.To, v.Word + k, from})
		}
	}
	var out []*Instr
	emit := func(s step) {
		for _, in := range isa.Move(s.to, s.word, s.from) {
			in.Pos = m.Pos
			out = append(out, in)
		}
	}
	reads := func(s step, o step) bool { // s reads what o writes
		return s.from.Kind == InReg && s.from.Reg == o.to && max(0, s.from.Word) == o.word
	}
	for len(steps) > 0 {
		free := -1
		for i, s := range steps {
			blocked := false
			for j, o := range steps {
				if i != j && reads(o, s) {
					blocked = true
					break
				}
			}
			if !blocked {
				free = i
				break
			}
		}
		if free >= 0 {
			emit(steps[free])
			steps = append(steps[:free], steps[free+1:]...)
			continue
		}
		saved := steps[0].from
		r := c.NewReg(RegInfo{Class: c.Reg(saved.Reg).Class, Words: 1})
		emit(step{r, 0, saved})
		steps[0].from = Operand{Kind: InReg, Reg: r}
	}
	return out
}

// Word is a word of a wide operand.
func Word(o Operand, k int) Operand {
	switch o.Kind {
	case InReg:
		o.Word = max(0, o.Word) + k
		o.Span = 0
	case Immediate:
		o.Bits = o.Bits >> (32 * k) & 0xffffffff
	case Bank:
		if o.Span == 2 { // part of two words, which are loaded together
			o.Word = k + 1
		}
		o.Bits += 4 * uint64(k)
		o.Span = 0
	}
	return o
}
