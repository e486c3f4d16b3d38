package arithmetic

import (
	"math"
	"math/bits"

	"gpupipe/lower"
)

// Endless is the trip count of a loop whose condition never becomes false.
const Endless = math.MaxInt64

// Countless is the trip count of a loop that ends, but not within this many.
const Countless = math.MaxInt64 - 1

// TripCount returns how often a counted loop's body is executed by one lane:
// the variable starts at v, steps by "step by" and the loop goes on while
// "v cmp bound". ok is false where the count cannot be told.
func TripCount(cmp, step lower.Op, t lower.Type, v, by, bound uint64) (n int64, ok bool) {
	if t == lower.Ptr {
		t = lower.S64
	}
	if t.IsFloat() {
		return 0, false
	}
	if step == lower.Add || step == lower.Sub {
		if step == lower.Sub {
			by = -by
		}
		if t.IsSigned() {
			return additiveTrips(cmp, t, v, by, bound)
		}
		return unsignedTrips(cmp, t, v, by, bound)
	}
	if (step == lower.Shl || step == lower.Shr) && by != ShiftCount(t, by, false) {
		return 0, false // what it shifts by depends on the instruction
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

// unsignedTrips is additiveTrips for unsigned variables, which wrap around.
func unsignedTrips(cmp lower.Op, t lower.Type, v, by, bound uint64) (int64, bool) {
	unused := 64 - 8*t.Size()
	by = uint64(int64(by<<unused) >> unused) // adding 2^n - 1 is subtracting 1
	largest := Canon(t, math.MaxUint64)
	if cmp == lower.Ge && bound == 0 || cmp == lower.Le && bound == largest {
		return Endless, true
	}
	n, ok := additiveTrips(cmp, t, v, by, bound)
	switch {
	case !ok || by == 0:
		return n, ok
	case n < Endless:
		return n, !wraps(t, v, by, n)
	case cmp == lower.Ne:
		return n, (bound-v)&(by&-by-1) != 0 // the bound is on no number of rounds
	}
	// It moves away from the bound, and wraps around to the other side.
	if int64(by) < 0 {
		n = int64(min(v/-by, Countless-1)) + 1
	} else {
		n = int64(min((largest-v)/by, Countless-1)) + 1
	}
	beyond, _ := Binary(cmp, t, Canon(t, v+uint64(n)*by), bound)
	return n, beyond == 0
}

// wraps reports whether an unsigned variable that starts at v leaves its range within n steps.
func wraps(t lower.Type, v, by uint64, n int64) bool {
	if int64(by) < 0 {
		hi, lo := bits.Mul64(uint64(n), -by)
		return hi != 0 || lo > v
	}
	hi, lo := bits.Mul64(uint64(n), by)
	end, carry := bits.Add64(v, lo, 0)
	return hi != 0 || carry != 0 || Canon(t, end) != end
}

// additiveTrips is TripCount where each step adds by, taken as a signed number, without wrapping
// around. Counts that no int64 holds are Countless.
func additiveTrips(cmp lower.Op, t lower.Type, v, by, bound uint64) (int64, bool) {
	before := func(a, b uint64) bool { return a < b }
	if t != lower.U64 {
		before = func(a, b uint64) bool { return int64(a) < int64(b) }
	}
	up := cmp == lower.Lt || cmp == lower.Le || cmp == lower.Ne && before(v, bound)
	distance, step := bound-v, by // to go, by each step
	if !up {
		distance, step = v-bound, -by
	}
	away := by == 0 || (int64(by) > 0) != up // no step comes nearer
	switch cmp {
	case lower.Lt, lower.Gt:
		if up && !before(v, bound) || !up && !before(bound, v) {
			return 0, true
		}
		distance--
	case lower.Le, lower.Ge:
		if up && before(bound, v) || !up && before(v, bound) {
			return 0, true
		}
	case lower.Ne:
		if v == bound {
			return 0, true
		}
		if away || distance%step != 0 {
			return Endless, true
		}
		distance--
	default:
		return 0, false
	}
	if away {
		return Endless, true
	}
	if distance/step >= Countless {
		return Countless, true
	}
	return int64(distance/step) + 1, true
}
