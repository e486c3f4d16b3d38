package arithmetic

import (
	"math"

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
		if t == lower.S32 || t == lower.S64 { // which do not wrap around in C
			return additiveTrips(cmp, t, v, by, bound)
		}
		return wrappingTrips(cmp, t, v, by, bound)
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

// maxWraps bounds how often a variable is followed around.
const maxWraps = 64

// wrappingTrips is additiveTrips for variables that wrap around: unsigned ones, as the language has it, and
// those narrower than int, as compilers have the conversion back. The bound may be outside of the type.
func wrappingTrips(cmp lower.Op, t lower.Type, v, by, bound uint64) (total int64, ok bool) {
	unused := 64 - width(t)
	by = uint64(int64(by<<unused) >> unused) // adding 2^n - 1 is subtracting 1
	if always(cmp, t, bound) || cmp == lower.Ne && (bound-v)&(by&-by-1) != 0 {
		return Endless, true
	}
	least, most := limits(t)
	for range maxWraps {
		n, ok := additiveTrips(cmp, t, v, by, bound)
		if !ok || by == 0 {
			return n, ok
		}
		room, step := most-v, by
		if int64(by) < 0 {
			room, step = v-least, -by
		}
		inside := room / step
		switch {
		case uint64(n) <= inside && n != Endless:
			return total + n, true
		case inside >= Countless-uint64(total):
			return Countless, true
		}
		total += int64(inside) + 1
		v = Canon(t, v+(inside+1)*by)
	}
	return 0, false
}

// always reports whether a comparison with a bound holds for every value of a type.
func always(cmp lower.Op, t lower.Type, bound uint64) bool {
	least, most := limits(t)
	switch cmp {
	case lower.Lt:
		return before(t, most, bound)
	case lower.Le:
		return !before(t, bound, most)
	case lower.Gt:
		return before(t, bound, least)
	case lower.Ge:
		return !before(t, least, bound)
	case lower.Ne:
		return before(t, bound, least) || before(t, most, bound)
	}
	return false
}

// before reports whether a is less than b where both are compared as int64, or as uint64 if that is their type.
func before(t lower.Type, a, b uint64) bool {
	if t == lower.U64 {
		return a < b
	}
	return int64(a) < int64(b)
}

// additiveTrips is TripCount where each step adds by, taken as a signed number, without wrapping
// around. Counts that no int64 holds are Countless.
func additiveTrips(cmp lower.Op, t lower.Type, v, by, bound uint64) (int64, bool) {
	up := cmp == lower.Lt || cmp == lower.Le || cmp == lower.Ne && before(t, v, bound)
	distance, step := bound-v, by // to go, by each step
	if !up {
		distance, step = v-bound, -by
	}
	away := by == 0 || (int64(by) > 0) != up // no step comes nearer
	switch cmp {
	case lower.Lt, lower.Gt:
		if up && !before(t, v, bound) || !up && !before(t, bound, v) {
			return 0, true
		}
		distance--
	case lower.Le, lower.Ge:
		if up && before(t, bound, v) || !up && before(t, v, bound) {
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
