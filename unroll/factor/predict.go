package factor

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/structure"
)

// holdsRolledLoop reports whether a block contains a loop that will not be fully
// unrolled.
func (u *Unroller) holdsRolledLoop(b lower.Block) bool {
	for i, st := range b {
		if l, ok := st.(*lower.Loop); ok && !u.unrollsFully(l, b[:i]) {
			return true
		}
		held := false
		structure.Blocks(st, func(x lower.Block) { held = held || u.holdsRolledLoop(x) })
		if held {
			return true
		}
	}
	return false
}

// staticTrips returns the trip count of an inner loop whose start is assigned a
// constant just before it.
func (u *Unroller) staticTrips(l *lower.Loop, before lower.Block) (int64, bool) {
	ind := l.Induction
	if ind == nil || ind.By.Kind != lower.OperandConst {
		return 0, false
	}
	bound, ok := u.staticOperand(ind.Bound)
	if !ok {
		return 0, false
	}
	for i := len(before) - 1; i >= 0; i-- {
		in, ok := before[i].(*lower.Instr)
		if !ok || len(in.Dsts) != 1 || in.Dsts[0] != ind.Var {
			continue
		}
		if in.Op != lower.Mov || in.Args[0].Kind != lower.OperandConst {
			return 0, false
		}
		n, ok := arithmetic.TripCount(ind.Cmp, ind.Step, in.Type, arithmetic.Compared(ind, in.Type, in.Args[0].Bits),
			ind.By.Bits, bound)
		return n, ok && n != arithmetic.Endless
	}
	return 0, false
}

// staticOperand is the contents of an operand that is a constant in all iterations.
func (u *Unroller) staticOperand(o lower.Operand) (uint64, bool) {
	if o.Kind == lower.OperandConst {
		return o.Bits, true
	}
	if o.Kind == lower.OperandReg && !slices.Contains(u.counters, o.Reg) {
		if bits, ok := u.values.Constant(o.Reg); ok {
			return bits, true
		}
		return u.kernel.Constant(o.Reg)
	}
	return 0, false
}

// unrollsFully predicts whether an inner loop will be fully unrolled.
func (u *Unroller) unrollsFully(l *lower.Loop, before lower.Block) bool {
	n, ok := u.staticTrips(l, before)
	if !ok {
		return false
	}
	return u.predict(l, plan{trips: n, constant: true, counted: true, factor: 1}).full
}

// predict is what will be done with an inner loop.
func (u *Unroller) predict(l *lower.Loop, p plan) predicted {
	key := prediction{l, p.trips}
	if was, ok := u.predicted[key]; ok {
		return was
	}
	predicting := u.predicting
	u.predicting = true
	u.choose(l, &p)
	u.predicting = predicting
	u.predicted[key] = predicted{p.full, p.factor}
	return u.predicted[key]
}

// copiesRolled is how many copies of its body there are of an inner loop that stays rolled, those for
// the iterations left over included.
func (u *Unroller) copiesRolled(l *lower.Loop, before lower.Block) int64 {
	p := plan{trips: -1, counted: l.Induction != nil, factor: 1}
	if n, ok := u.staticTrips(l, before); ok {
		p.trips, p.constant = n, true
	}
	factor := u.predict(l, p).factor
	if factor > 1 && (p.trips < 0 || p.trips%factor != 0) {
		factor++
	}
	return factor
}

// prediction asks about a loop with a number of iterations, below 0 where it is known at run time.
type prediction struct {
	loop  *lower.Loop
	trips int64
}

// predicted is the answer.
type predicted struct {
	full   bool
	factor int64
}
