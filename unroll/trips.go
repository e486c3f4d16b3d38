package unroll

import (
	"math/bits"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// counted is what is known about a loop's trip count before it starts.
type counted struct {
	trips    int64   // the largest over the lanes; -1 = not known
	constant bool    // known to the compiler
	varies   bool    // differs between lanes
	lanes    []int64 // by lane, if it may
	from     origin
}

// countTrips evaluates the trip count of a loop with an induction variable.
func (r *resolver) countTrips(l *lower.Loop, m laneMask) counted {
	ind := l.Induction
	if ind.Bound.Kind == lower.OperandReg && r.regs[ind.Bound.Reg-1] == nil {
		r.ahead(func() { r.block(l.Cond, m) }) // do-while: the bound is computed in the condition
	}
	r.ahead(func() { r.block(ind.ByCode, m) })
	v, by, bound := r.operand(lower.Operand{Kind: lower.OperandReg, Reg: ind.Var}), r.operand(ind.By),
		r.operand(ind.Bound)
	c := counted{trips: -1, from: v.from | by.from | bound.from}
	if v.typ == lower.Ptr && (v.root == 0 || v.root != bound.root) {
		return c
	}
	r.decided(v, by, bound)
	if !v.isKnown(m) || !by.isKnown(m) || !bound.isKnown(m) {
		return c
	}
	c.constant = v.konst && by.konst && bound.konst
	first := true
	for x := m; x != 0; x &= x - 1 {
		lane := bits.TrailingZeros64(uint64(x))
		n, ok := arithmetic.TripCount(ind.Cmp, ind.Step, v.typ, arithmetic.Compared(ind, v.typ, v.at(lane)),
			by.at(lane), bound.at(lane))
		if !ok {
			return counted{trips: -1, from: c.from}
		}
		if l.Kind == "do" {
			n = max(n, 1)
		}
		c.varies = c.varies || !first && n != c.trips
		c.trips = max(c.trips, n)
		first = false
		if v.lanes == nil && by.lanes == nil && bound.lanes == nil {
			break
		}
		if c.lanes == nil {
			c.lanes = make([]int64, maxLanes)
		}
		c.lanes[lane] = n
	}
	return c
}
