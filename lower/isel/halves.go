package isel

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Two numbers of 16 bits that the source computes with one operation on a vector of two lie in one register, and one
// instruction computes both: HADD2, HMUL2, HFMA2 (PTX ISA, .f16x2), v_pk_add_f16 and the like (VOP3P of GCN). So do the
// two that an access brings in one word, and what such pairs become in loops and behind branches. An instruction that
// reads one of the two names it (H0_H0, H1_H1; SDWA), for nothing.

// mates are, by value ID, the other number in the register of one of 16 bits, nil if there is none.
type mates struct {
	of   []*ir.Value
	high []bool // it is the upper one
}

// pair puts two numbers into one register.
func (m *mates) pair(low, high *ir.Value) bool {
	if low == high || !low.Type.IsHalf() || high.Type != low.Type || m.of[low.ID] != nil || m.of[high.ID] != nil {
		return false
	}
	m.of[low.ID], m.of[high.ID], m.high[high.ID] = high, low, true
	return true
}

// pairHalves finds the pairs of a kernel.
func (s *selector) pairHalves() {
	n := s.f.NumValues()
	s.mates = mates{make([]*ir.Value, n), make([]bool, n)}
	if !s.t.Has("half") {
		return
	}
	var meetings [][2][]*ir.Value // what values become
	var open []*ir.Instr          // operations on a first component that nobody has read yet
	s.f.Body.Walk(func(in *ir.Instr) {
		open = slices.DeleteFunc(open, func(o *ir.Instr) bool { return slices.Contains(in.Args, o.Result()) })
		switch {
		case in.Op == lower.Load && (in.Type == lower.F16 || in.Type == lower.BF16 && s.t.ISA == "sass"):
			s.pairLoaded(in)
		case in.Op == lower.OpLoop:
			meetings = append(meetings, [2][]*ir.Value{in.Args, in.Blocks[0].Params})
		case in.Op == lower.OpContinue:
			meetings = append(meetings, [2][]*ir.Value{in.Args, in.Target.Blocks[0].Params})
		case in.Op == lower.OpLeave:
			meetings = append(meetings, [2][]*ir.Value{in.Args, in.Target.Results})
		case in.Op == lower.OpYield && in.Parent.Owner != nil:
			meetings = append(meetings, [2][]*ir.Value{in.Args, in.Parent.Owner.Results})
		case in.Component%2 == 1 && s.isa.packs(in):
			open = append(open, in)
		case in.Component > 0 && s.isa.packs(in):
			if i := slices.IndexFunc(open, func(o *ir.Instr) bool {
				return o.Parent == in.Parent && o.Op == in.Op && o.Component+1 == in.Component && o.Fn == in.Fn &&
					o.Type == in.Type && o.From == in.From && o.Pos == in.Pos
			}); i >= 0 {
				s.mates.pair(open[i].Result(), in.Result())
				open = slices.Delete(open, i, i+1)
			}
		}
	})
	for again := true; again; {
		again = false
		for _, m := range meetings {
			for i, v := range m[0] {
				mate := (*ir.Value)(nil)
				if v.Kind != ir.Const && v.Type.IsHalf() && !s.mates.high[v.ID] {
					mate = s.mates.of[v.ID]
				}
				if j := slices.Index(m[0], mate); mate != nil && j > i {
					again = s.mates.pair(m[1][i], m[1][j]) || again
				}
			}
		}
	}
}

// pairLoaded pairs the numbers that an access brings in one word.
func (s *selector) pairLoaded(in *ir.Instr) {
	for _, p := range cut(in, len(in.Results), s.t.WidestAccess) {
		for i := p.first; i+1 < p.first+p.count; i += 2 {
			s.mates.pair(in.Results[i], in.Results[i+1])
		}
	}
}

// packed is two numbers in one register, which are brought there if they are not.
func (s *selector) packed(low, high *ir.Value) Operand {
	if low.Kind == ir.Const && high.Kind == ir.Const {
		return Operand{Kind: Immediate, Bits: low.Bits&0xffff | high.Bits&0xffff<<16}
	}
	if low.Kind != ir.Const && high.Kind != ir.Const && s.mates.of[low.ID] == high && !s.mates.high[low.ID] {
		return s.operand(low)
	}
	t := s.temp(Vector, 1)
	s.isa.join(t, low, high)
	return t.read()
}

// both is an operand of an operation on two numbers, with its sign; one number may stand for two.
func (s *selector) both(low, high *ir.Value) Operand {
	not, abs := false, false
	for low.DefOp() == high.DefOp() && (low.DefOp() == lower.Neg || low.DefOp() == lower.Abs) {
		not = not != (low.DefOp() == lower.Neg && !abs)
		abs = abs || low.DefOp() == lower.Abs
		low, high = low.Def.Args[0], high.Def.Args[0]
	}
	var o Operand
	if low == high && low.Kind != ir.Const {
		o = s.operand(low)
	} else {
		o = s.packed(low, high)
	}
	switch {
	case o.Kind != Immediate:
		o.Abs = abs
	case abs:
		o.Bits &^= signs
	}
	if not {
		o = opposite(o)
	}
	return o
}

// signs are those of two numbers in a word.
const signs = 0x80008000

// opposite is two numbers with their signs changed.
func opposite(o Operand) Operand {
	if o.Kind == Immediate {
		o.Bits ^= signs
		return o
	}
	o.Not = !o.Not
	return o
}
