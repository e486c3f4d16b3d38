package factor

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/structure"
)

// movesIn follows the counter through a loop's body.
func movesIn(l *lower.Loop) *counterMoves {
	m := &counterMoves{counter: l.Induction.Var, by: map[lower.Reg]move{l.Induction.Var: {bytes: 1, known: true}}}
	m.block(l.Body)
	return m
}

// move is by how much a value changes with a loop's counter.
type move struct {
	bytes int64 // per iteration; 0: not at all
	known bool  // to the compiler
}

// counterMoves follows a loop's counter through its body.
type counterMoves struct {
	counter  lower.Reg
	by       map[lower.Reg]move
	short    bool // an address moves by at most againStride bytes
	long     bool // or by more, a number that the compiler knows
	compared bool
	counts   bool // the counter, or what moves with it, is computed with as a number
}

func (m *counterMoves) block(b lower.Block) {
	for _, st := range b {
		if in, ok := st.(*lower.Instr); ok {
			m.instr(in)
		}
		structure.Blocks(st, m.block)
	}
}

func (m *counterMoves) of(o lower.Operand) move {
	if v, ok := m.by[o.Reg]; ok && o.Kind == lower.OperandReg {
		return v
	}
	return move{known: true}
}

func (m *counterMoves) instr(in *lower.Instr) {
	m.counts = m.counts || m.takesNumber(in)
	var v move
	switch in.Op {
	case lower.Mov, lower.Convert, lower.Bitcast:
		v = m.of(in.Args[0])
	case lower.Add, lower.PtrAdd, lower.Sub:
		x, y := m.of(in.Args[0]), m.of(in.Args[1])
		scale := int64(1)
		if in.Op == lower.PtrAdd {
			scale = in.Scale
		} else if in.Op == lower.Sub {
			scale = -1
		}
		v = move{x.bytes + scale*y.bytes, x.known && y.known}
	case lower.Mul, lower.Shl:
		v = m.product(in)
	case lower.Load, lower.Store, lower.Atomic:
		a := m.of(in.Args[0])
		size := max(a.bytes, -a.bytes)
		m.short = m.short || a.known && 0 < size && size <= againStride
		m.long = m.long || a.known && size > againStride && in.Space == idg.SpaceGlobal
		v.known = true
	case lower.Eq, lower.Ne, lower.Lt, lower.Le, lower.Gt, lower.Ge:
		for _, a := range in.Args {
			x := m.of(a)
			m.compared = m.compared || x.bytes != 0 || !x.known
		}
	default:
		v.known = true
		for _, a := range in.Args {
			x := m.of(a)
			v.known = v.known && x.known && x.bytes == 0
		}
	}
	for _, d := range in.Dsts {
		m.by[d] = v
	}
}

// takesNumber reports whether an instruction takes what moves with the counter for a number: not to step the
// counter, nor to compute or use an address.
func (m *counterMoves) takesNumber(in *lower.Instr) bool {
	args := in.Args
	switch {
	case in.Subscript, in.Op == lower.Mov, in.Op == lower.PtrAdd, structure.Free(in), in.Op.IsComparison(),
		slices.Contains(in.Dsts, m.counter):
		return false
	case in.Op == lower.Load, in.Op == lower.Store, in.Op == lower.Atomic:
		args = args[1:]
	}
	return slices.ContainsFunc(args, func(o lower.Operand) bool { v := m.of(o); return v.bytes != 0 || !v.known })
}

// product is how a product or shift moves: by a multiple, if the other factor is a constant.
func (m *counterMoves) product(in *lower.Instr) move {
	x, y := m.of(in.Args[0]), m.of(in.Args[1])
	if x.known && y.known && x.bytes == 0 && y.bytes == 0 {
		return x
	}
	if in.Op == lower.Mul && in.Args[0].Kind == lower.OperandConst {
		return move{int64(in.Args[0].Bits) * y.bytes, y.known}
	}
	if in.Args[1].Kind == lower.OperandConst {
		if in.Op == lower.Shl {
			return move{x.bytes << arithmetic.ShiftCount(in.Type, in.Args[1].Bits, in.Clamps()), x.known}
		}
		return move{int64(in.Args[1].Bits) * x.bytes, x.known}
	}
	return move{}
}
