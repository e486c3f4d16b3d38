package arithmetic

import (
	"math"

	"gpupipe/lower"
)

// Endless is the trip count of a loop whose condition never becomes false.
const Endless = math.MaxInt64

// TripCount returns how often a counted loop's body is executed by one lane:
// the variable starts at v, steps by "step by" and the loop goes on while
// "v cmp bound". ok is false where the count cannot be told.
func TripCount(cmp, step lower.Op, t lower.Type, v, by, bound uint64) (n int64, ok bool) {
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
		if !ok || n == Endless || t.IsSigned() || n <= (1<<62)/max(1, s, -s) && Canon(t, v+uint64(n*s)) == v+uint64(n*s) {
			return n, ok
		}
		// The variable wraps around, as unsigned ones do, before the condition fails.
		if cmp == lower.Ge && bound == 0 || cmp == lower.Le && bound == Canon(t, math.MaxUint64) {
			return Endless, true
		}
		return 0, false
	}
	for n = 0; n <= 128; n++ {
		if go_, _ := Binary(cmp, t, v, bound); go_ == 0 {
			return n, true
		}
		next, ok := Binary(step, t, v, by)
		if !ok {
			return 0, false
		}
		if next == v {
			return Endless, true
		}
		v = next
	}
	return 0, false
}

// Compared is what a loop's condition compares for a value of its variable.
func Compared(d *lower.Induction, t lower.Type, v uint64) uint64 {
	if d.Plus.Kind == 0 {
		return v
	}
	return Canon(t, v+d.Plus.Bits)
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
			return Endless, true
		}
		return ceil(bound-v, s), true
	case lower.Gt:
		if v <= bound {
			return 0, true
		}
		if s >= 0 {
			return Endless, true
		}
		return ceil(v-bound, -s), true
	case lower.Ne:
		if v == bound {
			return 0, true
		}
		if s == 0 || (bound-v)%s != 0 || (bound-v)/s < 0 {
			return Endless, true
		}
		return (bound - v) / s, true
	}
	return 0, false
}
