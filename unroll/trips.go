package unroll

import (
	"math"
	"math/bits"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// endless is the trip count of a loop whose condition never becomes false.
const endless = math.MaxInt64

// tripCount returns how often a counted loop's body is executed by one lane:
// the variable starts at v, steps by "step by" and the loop goes on while
// "v cmp bound". ok is false where the count cannot be told.
func tripCount(cmp, step lower.Op, t lower.Type, v, by, bound uint64) (n int64, ok bool) {
	if t == lower.Ptr {
		t = lower.S64
	}
	if t.IsFloat() || t == lower.U64 && (int64(v) < 0 || int64(bound) < 0) {
		return 0, false
	}
	if step == lower.Add || step == lower.Sub {
		s := int64(by)
		if step == lower.Sub {
			s = -s
		}
		n, ok = additiveTrips(cmp, int64(v), s, int64(bound))
		if !ok || n == endless || t.IsSigned() || n <= (1<<62)/max(1, s, -s) && arithmetic.Canon(t, v+uint64(n*s)) == v+uint64(n*s) {
			return n, ok
		}
		// The variable wraps around, as unsigned ones do, before the condition fails.
		if cmp == lower.Ge && bound == 0 || cmp == lower.Le && bound == arithmetic.Canon(t, math.MaxUint64) {
			return endless, true
		}
		return 0, false
	}
	for n = 0; n <= 128; n++ {
		if go_, _ := arithmetic.Binary(cmp, t, v, bound); go_ == 0 {
			return n, true
		}
		next, ok := arithmetic.Binary(step, t, v, by)
		if !ok {
			return 0, false
		}
		if next == v {
			return endless, true
		}
		v = next
	}
	return 0, false
}

// compared is what a loop's condition compares for a value of its variable.
func compared(d *lower.Induction, t lower.Type, v uint64) uint64 {
	if d.Plus.Kind == 0 {
		return v
	}
	return arithmetic.Canon(t, v+d.Plus.Bits)
}

func additiveTrips(cmp lower.Op, v, s, bound int64) (int64, bool) {
	if v > 1<<62 || v < -1<<62 || bound > 1<<62 || bound < -1<<62 {
		return 0, false
	}
	ceil := func(d, s int64) int64 { return (d + s - 1) / s }
	switch cmp {
	case lower.Le:
		cmp, bound = lower.Lt, bound+1
	case lower.Ge:
		cmp, bound = lower.Gt, bound-1
	}
	switch cmp {
	case lower.Lt:
		if v >= bound {
			return 0, true
		}
		if s <= 0 {
			return endless, true
		}
		return ceil(bound-v, s), true
	case lower.Gt:
		if v <= bound {
			return 0, true
		}
		if s >= 0 {
			return endless, true
		}
		return ceil(v-bound, -s), true
	case lower.Ne:
		if v == bound {
			return 0, true
		}
		if s == 0 || (bound-v)%s != 0 || (bound-v)/s < 0 {
			return endless, true
		}
		return (bound - v) / s, true
	}
	return 0, false
}

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
		r.quietly(func() { r.block(l.Cond, m) }) // do-while: the bound is computed in the condition
	}
	r.quietly(func() { r.block(ind.ByCode, m) })
	v, by, bound := r.operand(lower.Operand{Kind: lower.OperandReg, Reg: ind.Var}), r.operand(ind.By), r.operand(ind.Bound)
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
		n, ok := tripCount(ind.Cmp, ind.Step, v.typ, compared(ind, v.typ, v.at(lane)), by.at(lane), bound.at(lane))
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
