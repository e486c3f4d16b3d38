package isel

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/flow"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
)

// register is the register that holds a value.
func (s *selector) register(v *ir.Value) Reg {
	if s.mates.high[v.ID] {
		v = s.mates.of[v.ID]
	}
	if s.place[v.ID] == 0 {
		class := Vector
		if v.Type == lower.Pred && s.flow.Scalar(v) {
			class = UniformPredicate
		} else if v.Type == lower.Pred {
			class = Predicate
		} else if s.flow.Scalar(v) {
			class = Uniform
		}
		s.place[v.ID] = s.c.NewReg(RegInfo{Class: class, Words: max(1, s.flow.Words(v)), Value: v, Name: v.Name})
	}
	return s.place[v.ID]
}

// operand is what a value is read as: a register, a constant, a word of the constant bank.
func (s *selector) operand(v *ir.Value) Operand {
	if o, ok := s.constant(v); ok {
		return o
	}
	s.want[v.ID] = 3
	o := Operand{Kind: InReg, Reg: s.register(v), High: s.mates.high[v.ID]}
	if mate := s.mates.of[v.ID]; mate != nil {
		s.want[mate.ID] = 3
	}
	if s.flow.Words(v) > 1 {
		o.Word = -1
	}
	return o
}

// half is one word of a value of two.
func (s *selector) half(v *ir.Value, k int) Operand {
	if v.DefOp() != lower.Index {
		if o, ok := s.constant(v); ok {
			return tidy.Word(o, k)
		}
	}
	if v.Kind == ir.Result {
		switch d := v.Def; d.Op {
		case lower.Convert: // the upper half of a number without sign is 0, the lower one the number itself
			if d.From.IsInteger() && d.From.Size() <= 4 && k == 0 {
				return s.operand(d.Args[0])
			}
			if d.From.IsInteger() && d.From.Size() <= 4 && !d.From.IsSigned() {
				return Operand{Kind: Immediate}
			}
		case lower.Bitcast:
			if s.flow.Words(d.Args[0]) == 2 {
				return s.half(d.Args[0], k)
			}
		case lower.Shl, lower.Shr:
			if other := moved(d, k); other == empty {
				return Operand{Kind: Immediate}
			} else if other >= 0 {
				return s.half(d.Args[0], other)
			}
		case lower.Or, lower.Xor:
			for i, x := range d.Args {
				if noBits(x, k) && s.flow.Words(d.Args[1-i]) == 2 {
					return s.half(d.Args[1-i], k)
				}
			}
		case lower.Index:
			if k == 1 {
				return Operand{Kind: Immediate}
			}
			if o, ok := s.isa.folded(v); ok {
				return o
			}
		}
	}
	s.want[v.ID] |= 1 << k
	return Operand{Kind: InReg, Reg: s.register(v), Word: k}
}

// constant is the operand of what is no register: constants, parameters, addresses.
func (s *selector) constant(v *ir.Value) (Operand, bool) {
	switch v.Kind {
	case ir.Const:
		bits := v.Bits
		if v.Type.Size() <= 4 {
			bits = uint64(uint32(bits))
		}
		return Operand{Kind: Immediate, Bits: bits}, true
	case ir.Undef:
		return Operand{Kind: Immediate}, true
	case ir.KernelArg:
		return s.isa.parameter(v), true
	case ir.Address:
		return s.isa.address(v), true
	}
	if v.Kind == ir.Result && (v.Def.Op == lower.Load || v.Def.Op == lower.Index && s.flow.Words(v) == 1) {
		return s.isa.folded(v)
	}
	return Operand{}, false
}

// predicateOperand is what a condition is read as.
func (s *selector) predicateOperand(v *ir.Value) Operand {
	if v.Kind == ir.Const || v.Kind == ir.Undef {
		return Operand{Kind: Immediate, Bits: 1, Name: "PT", Not: v.Bits == 0}
	}
	g := s.isa.condition(v)
	return Operand{Kind: InReg, Reg: g.Reg, Not: g.Not}
}

// dest is where a value goes, all its words.
func (s *selector) dest(v *ir.Value) dest {
	r := s.register(v)
	return dest{reg: r, span: s.c.Reg(r).Words}
}

// destWord is where a word of a value goes, nowhere if nobody reads it.
func (s *selector) destWord(v *ir.Value, k int) dest {
	if s.want[v.ID]&(1<<k) == 0 {
		return dest{}
	}
	return dest{reg: s.register(v), word: k, span: 1}
}

// temp is a new register.
func (s *selector) temp(class Class, words int) dest {
	return dest{reg: s.c.NewReg(RegInfo{Class: class, Words: words}), span: words}
}

// read is a destination as an operand.
func (d dest) read() Operand {
	o := Operand{Kind: InReg, Reg: d.reg, Word: d.word, Span: d.span}
	if d.span > 1 && d.word == 0 {
		o.Word, o.Span = -1, 0
	}
	return o
}

// only reports whether a value is an operation's that nobody else reads, in the same block, so that the
// operation that reads it may take it into itself.
func (s *selector) only(v *ir.Value, by *ir.Instr, ops ...lower.Op) *ir.Instr {
	if v.Kind != ir.Result || s.uses[v.ID] != 1 || v.Def.Parent != by.Parent {
		return nil
	}
	for _, op := range ops {
		if v.Def.Op == op {
			return v.Def
		}
	}
	return nil
}

const (
	empty    = -1 // a word without bits
	computed = -2
)

// moved is the word of its operand that a word of a shift of two is, empty or computed.
func moved(in *ir.Instr, k int) int {
	if in.Type.Size() != 8 || !in.Args[1].IsConst() || in.Args[1].Bits < 32 || in.Args[1].Bits > 63 {
		return computed
	}
	from := 0 // the word that is shifted out of
	if in.Op == lower.Shr {
		from = 1
	}
	switch {
	case k != from && in.Args[1].Bits == 32:
		return from
	case k == from && (in.Op == lower.Shl || !in.Type.IsSigned()):
		return empty
	}
	return computed
}

// noBits reports whether a word of a value of two is empty.
func noBits(v *ir.Value, k int) bool {
	switch v.DefOp() {
	case lower.Convert:
		return k == 1 && v.Def.From.IsInteger() && v.Def.From.Size() <= 4 && !v.Def.From.IsSigned()
	case lower.Shl, lower.Shr:
		return moved(v.Def, k) == empty
	}
	return false
}

// inReg brings a constant into a register: one for each basic block, or, where everywhere is set, one for the
// kernel.
func (s *selector) inReg(o Operand, class Class, words int, everywhere bool) Operand {
	l := s.list
	if everywhere {
		l = s.entry
	}
	return s.inRegOf(l, o, class, words)
}

// inRegOf is that at the beginning of the basic block that a list has come to.
func (s *selector) inRegOf(l *list, o Operand, class Class, words int) Operand {
	if o.Kind == InReg {
		return o
	}
	plain := o
	plain.Not, plain.Abs = false, false
	key := readyKey{class, words, plain}
	r, ok := l.ready[key]
	if !ok {
		d := s.temp(class, words)
		r = d.reg
		l.ready[key] = r
		before, in := s.seq, s.in
		s.seq, s.in = nil, nil
		s.isa.load(d, plain)
		for _, n := range s.seq { // no operation's own, but it stands where somebody needs it
			if load, ok := n.(*Instr); ok {
				load.Pos = posOf(in)
			}
		}
		l.pending = append(l.pending, s.seq...)
		s.seq, s.in = before, in
	}
	out := Operand{Kind: InReg, Reg: r, Not: o.Not, Abs: o.Abs}
	if words > 1 {
		out.Word = -1
	}
	return out
}

// layout is where parameters lie behind the first one's place: each at a multiple of its size, parts of a
// struct at their offset in it.
func layout(f *ir.Func, w *flow.Flow) []int64 {
	at := make([]int64, len(f.Params))
	end, base := int64(0), int64(0)
	for i, p := range f.Params {
		size := p.Type.Size()
		if p.Type == lower.Ptr && p.Object != 0 && f.Object(p.Object).Space == idg.SpaceLocal {
			size = 4
		}
		if p.Offset == 0 {
			base = (end + size - 1) / size * size
		}
		at[i] = base + p.Offset
		end = max(end, at[i]+size)
	}
	return at
}

// condition is the guard of a condition.
func (s *selector) condition(v *ir.Value) Guard {
	not := false
	for v.Kind == ir.Result && v.Def.Op == lower.Not {
		v, not = v.Def.Args[0], !not
	}
	if v.Kind == ir.Const || v.Kind == ir.Undef {
		o := s.inReg(always, Predicate, 1, false)
		return Guard{Reg: o.Reg, Not: (v.Bits == 0) != not}
	}
	s.want[v.ID] |= 1
	return Guard{Reg: s.register(v), Not: not}
}

// transfer moves an operand, by a move that may disappear.
func (s *selector) transfer(d dest, from Operand) {
	if d.reg == 0 {
		return
	}
	m := &tidy.Moves{Pos: posOf(s.in), For: s.in, List: []tidy.Move{{To: d.reg, Word: d.word, Span: d.span,
		From: from}}}
	s.moves = append(s.moves, m)
	s.seq = append(s.seq, m)
}

// taken are the instructions that were selected since the sequence was another one, which goes on.
func (s *selector) taken(before []Node) []*Instr {
	var out []*Instr
	for _, n := range s.seq {
		out = append(out, n.(*Instr))
	}
	s.seq = before
	return out
}

// placed is where objects lie in the memory of a group, of a lane, and among the program's constants; it notes how
// much of the former two they take. Only what code names lies there.
func (s *selector) placed() []int64 {
	f := s.f
	at := make([]int64, len(f.Objects))
	used := make([]bool, len(f.Objects))
	f.Body.Walk(func(in *ir.Instr) {
		for _, a := range in.Args {
			if a.Kind == ir.Address {
				used[a.Object-1] = true
			}
		}
	})
	var end [8]int64
	for i, o := range f.Objects {
		if int(o.Space) >= len(end) || !used[i] {
			continue
		}
		align := int64(16)
		if o.Elem != 0 && o.Size < 16 {
			align = max(4, o.Elem.Size())
		}
		at[i] = (end[o.Space] + align - 1) / align * align
		end[o.Space] = at[i] + o.Size
	}
	s.c.Resources.LocalBytes, s.c.Resources.PrivateBytes = end[idg.SpaceLocal], end[idg.SpacePrivate]
	return at
}

// call emits a call of a function that the table has no instructions of.
func (s *selector) call(op string, in *ir.Instr) {
	var uses []Operand
	for _, v := range in.Args {
		uses = append(uses, s.operand(v))
	}
	d := dest{}
	var more []Reg
	for i, v := range in.Results {
		s.want[v.ID] = 3
		if i == 0 {
			d = s.dest(v)
		} else {
			more = append(more, s.register(v))
		}
	}
	s.emit(op, d, more, uses...).Class = in.Fn + "." + in.Type.String()
}

// withSign is a number with a fraction as an operand: a negation and an absolute value are part of it.
func (s *selector) withSign(v *ir.Value) Operand {
	not, abs := false, false
	for v.Kind == ir.Result && v.Def.Type.IsFloat() {
		if v.Def.Op == lower.Neg && !abs {
			v, not = v.Def.Args[0], !not
			continue
		}
		if v.Def.Op == lower.Abs && !abs {
			v, abs = v.Def.Args[0], true
			continue
		}
		break
	}
	o := s.operand(v)
	if o.Kind == Immediate && v.Type.IsFloat() {
		bits := o.Bits
		sign := uint64(1) << (8*v.Type.Size() - 1)
		if abs {
			bits &^= sign
		}
		if not {
			bits ^= sign
		}
		o.Bits = bits
		return o
	}
	o.Not, o.Abs = not, abs
	return o
}

// classOf is the class of an access of memory; where its space is not known it is taken for global memory.
func classOf(m *Mem) string {
	class := "ld."
	switch {
	case m.Atomic:
		class = "atomic."
	case m.Store:
		class = "st."
	}
	space := m.Space
	if space == 0 {
		space = idg.SpaceGlobal
	}
	return class + space.String()
}
