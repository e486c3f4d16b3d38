package unroll

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// The stage behind PTX unrolls loops with a run-time trip count once more that nvcc has unrolled by 4:
// into passes of 16 iterations, one of 8 and one of 4, for what is left of them. Which, was read
// off loops of growing bodies (docs/fidelity.md, Loops with run-time trip counts). An access and a special
// function have the size 2, divisions that of what PTX has for them, other operations 1, and the counter 1
// where it is a number and not only an index.
const (
	againPasses     = 4
	againPlain      = 4  // size of a body up to which it does
	againLocal      = 9  // the same with a load of local memory or a special function
	againGlobal     = 11 // and with a load of global memory
	divisionRoutine = 20 // size of a division by what the compiler does not know: too large
	againStride     = 8  // bytes that an address moves with the counter, up to which nvcc leaves a counter of its own
)

// passesTogether is how many passes of a loop without a pragma the stage behind PTX makes one.
func (r *resolver) passesTogether(l *lower.Loop, p *plan) int64 {
	_, chosen := r.decisions.unrollChoice(l.Pos, r.opt.Unrolls)
	if !r.opt.machineCode() || r.opt.Level != O2 || p.factor != nvccRuntime || p.constant || p.full || !p.counted || p.trips < 0 || p.varies ||
		l.Pragma != nil || chosen || !r.countsDown(l) || r.sizeAgain(l) > mostAgain(l) {
		return 1
	}
	return againPasses
}

func (r *resolver) sizeAgain(l *lower.Loop) int64 {
	n := r.census(l.Body)
	size := n.other + 2*n.memory
	structure.AnyInstr(l, func(in *lower.Instr) bool {
		switch in.Op {
		case lower.Call:
			size++
		case lower.Div, lower.Rem:
			if in.Type.IsInteger() && !in.Subscript {
				size += r.divisionSize(in) - 1
			}
		}
		return false
	})
	if m := movesIn(l); m.counts {
		size++
	}
	return size
}

// divisionSize is how many instructions of PTX an integer division is.
func (r *resolver) divisionSize(in *lower.Instr) int64 {
	if in.Args[1].Kind != lower.OperandConst {
		return divisionRoutine
	}
	_, power := powerOfTwo(r.operand(in.Args[1]))
	rem := in.Op == lower.Rem
	switch signed := in.Type.IsSigned(); {
	case power && !signed:
		return 1
	case power && rem:
		return 5
	case signed && rem:
		return 6
	case rem:
		return 5
	case signed:
		return 4
	}
	return 3
}

func mostAgain(l *lower.Loop) int64 {
	switch {
	case loadsFrom(l, idg.SpaceGlobal):
		return againGlobal
	case loadsFrom(l, idg.SpaceLocal) || structure.AnyInstr(l, func(in *lower.Instr) bool { return in.Op == lower.Call }):
		return againLocal
	}
	return againPlain
}

// countsDown reports whether the loop that nvcc leaves counts its iterations by themselves, which is
// what the next stage knows how to unroll. Where addresses of global memory move upwards by more than againStride
// bytes, a number that the compiler knows, or the counter is compared, it saves that register and computes the count
// from the counter.
func (r *resolver) countsDown(l *lower.Loop) bool {
	if l.HasBreak || l.Induction.StepType != lower.S32 || l.Induction.CmpType != lower.S32 {
		return false
	}
	m := movesIn(l)
	if m.counts && l.Induction.Bound.Kind == lower.OperandConst {
		return false // nvcc compares the counter before its step
	}
	up := l.Induction.By.Kind != lower.OperandConst || (int64(l.Induction.By.Bits) > 0) == (l.Induction.Step == lower.Add)
	return !m.compared && (m.short || !m.long || !up)
}

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
	case in.Subscript, in.Op == lower.Mov, in.Op == lower.PtrAdd, free(in), in.Op.IsComparison(), slices.Contains(in.Dsts, m.counter):
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
			return move{x.bytes << min(in.Args[1].Bits, 62), x.known}
		}
		return move{int64(in.Args[1].Bits) * x.bytes, x.known}
	}
	return move{}
}
