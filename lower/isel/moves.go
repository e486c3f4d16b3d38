package isel

import (
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// moves are parallel moves: all are read before one is written. They are what is left of SSA where values meet
// (Sreedhar et al., Translating Out of Static Single Assignment Form, 1999), and how the words of a wide
// register come together. None is left when selection ends.
type moves struct {
	machine.Instr // unused: it makes moves a node of a block
	list          []move
	pos           ir.Pos
	from          *ir.Instr
	at            int // the number of the node
	loop          int // how many loops are around it
}

// move gives the words of a register from word on the value of an operand.
type move struct {
	to         Reg
	word, span int
	from       Operand
}

// add appends the move of a value.
func (m *moves) add(s *selector, to Reg, v *ir.Value) {
	info := s.c.Reg(to)
	m.list = append(m.list, move{to: to, span: info.Words, from: s.source(v, info.Class)})
}

// source is what a value that is moved is read from.
func (s *selector) source(v *ir.Value, class Class) Operand {
	if class == Predicate || class == UniformPredicate {
		return s.predicateOperand(v)
	}
	return s.operand(v)
}

// settle makes instructions of the moves of a kernel once registers are what they stay.
func settle(c *Code, isa lowering) {
	settleBlock(c.Body, c, isa)
}

func settleBlock(b *Block, c *Code, isa lowering) {
	out := make([]Node, 0, len(b.Nodes))
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *moves:
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
func (m *moves) sequence(c *Code, isa lowering) []*Instr {
	type step struct {
		to   Reg
		word int
		from Operand
	}
	var steps []step
	for _, v := range m.list {
		for k := range v.span {
			from := v.from
			if v.span > 1 {
				from = word(from, k)
			}
			if from.Kind == InReg && from.Reg == v.to && from.Word == v.word+k && !from.Not {
				continue
			}
			steps = append(steps, step{v.to, v.word + k, from})
		}
	}
	var out []*Instr
	emit := func(s step) {
		for _, in := range isa.move(dest{reg: s.to, word: s.word, span: 1}, s.from) {
			in.Pos = m.pos
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

// word is a word of a wide operand.
func word(o Operand, k int) Operand {
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
