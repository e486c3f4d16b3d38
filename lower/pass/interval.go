package pass

import (
	"math"
	"math/bits"

	"gpupipe/lower/ir"
)

// interval is what is known of an integer's value, as LLVM's constant ranges say it.
type interval struct {
	lo, hi int64
	known  bool
}

// natural reports whether a number cannot be negative.
func (r interval) natural() bool { return r.known && r.lo >= 0 }

func smallest(t ir.Type) int64 {
	if t.IsSigned() {
		return math.MinInt64 >> (64 - 8*t.Size())
	}
	return 0
}

// largest is the greatest value of a type; that of 64 bits unsigned is taken for the greatest signed one.
func largest(t ir.Type) int64 {
	switch n := 8 * t.Size(); {
	case n >= 64:
		return math.MaxInt64
	case t.IsSigned():
		return 1<<(n-1) - 1
	default:
		return 1<<n - 1
	}
}

func (r interval) plus(x interval) interval {
	lo, hi := r.lo+x.lo, r.hi+x.hi
	ok := (x.lo >= 0) == (lo >= r.lo) && (x.hi >= 0) == (hi >= r.hi)
	return interval{lo, hi, r.known && x.known && ok}
}

// or has the values of both.
func (r interval) or(x interval) interval {
	return interval{min(r.lo, x.lo), max(r.hi, x.hi), r.known && x.known}
}

// and has the values that both have.
func (r interval) and(x interval) interval {
	switch {
	case !r.known:
		return x
	case !x.known:
		return r
	}
	return interval{max(r.lo, x.lo), min(r.hi, x.hi), true}
}

// in reports whether another interval has all values of this one.
func (r interval) in(x interval) bool { return r.known && r.lo >= x.lo && r.hi <= x.hi }

func (r interval) times(x interval) interval {
	if !r.known || !x.known {
		return interval{}
	}
	out := interval{math.MaxInt64, math.MinInt64, true}
	for _, a := range [...]int64{r.lo, r.hi} {
		for _, b := range [...]int64{x.lo, x.hi} {
			p := a * b
			if a != 0 && (p/a != b || a == -1 && b == math.MinInt64) {
				return interval{}
			}
			out.lo, out.hi = min(out.lo, p), max(out.hi, p)
		}
	}
	return out
}

// filled is n with all bits below its highest set.
func filled(n int64) int64 { return 1<<bits.Len64(uint64(n)) - 1 }

// powerOfTwo reports whether a positive number is one.
func powerOfTwo(n int64) bool { return n > 0 && bits.OnesCount64(uint64(n)) == 1 }
