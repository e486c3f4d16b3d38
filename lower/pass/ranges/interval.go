package ranges

import (
	"math"
	"math/bits"

	"gpupipe/lower/ir"
)

// Interval is what is known of an integer's value, as LLVM's constant ranges say it.
type Interval struct {
	Lo, Hi int64
	Known  bool
}

// natural reports whether a number cannot be negative.
func (r Interval) natural() bool { return r.Known && r.Lo >= 0 }

// Exactly is the interval of one number.
func Exactly(n int64) Interval { return Interval{n, n, true} }

// Smallest is the least value of a type.
func Smallest(t ir.Type) int64 {
	if t.IsSigned() {
		return math.MinInt64 >> (64 - 8*t.Size())
	}
	return 0
}

// Largest is the greatest value of a type; that of 64 bits unsigned is taken for the greatest signed one.
func Largest(t ir.Type) int64 {
	switch n := 8 * t.Size(); {
	case n >= 64:
		return math.MaxInt64
	case t.IsSigned():
		return 1<<(n-1) - 1
	default:
		return 1<<n - 1
	}
}

func (r Interval) Plus(x Interval) Interval {
	lo, hi := r.Lo+x.Lo, r.Hi+x.Hi
	ok := (x.Lo >= 0) == (lo >= r.Lo) && (x.Hi >= 0) == (hi >= r.Hi)
	return Interval{lo, hi, r.Known && x.Known && ok}
}

// Or has the values of both.
func (r Interval) Or(x Interval) Interval {
	return Interval{min(r.Lo, x.Lo), max(r.Hi, x.Hi), r.Known && x.Known}
}

// and has the values that both have.
func (r Interval) and(x Interval) Interval {
	switch {
	case !r.Known:
		return x
	case !x.Known:
		return r
	}
	return Interval{max(r.Lo, x.Lo), min(r.Hi, x.Hi), true}
}

// in reports whether another interval has all values of this one.
func (r Interval) in(x Interval) bool { return r.Known && r.Lo >= x.Lo && r.Hi <= x.Hi }

func (r Interval) Times(x Interval) Interval {
	if !r.Known || !x.Known {
		return Interval{}
	}
	out := Interval{math.MaxInt64, math.MinInt64, true}
	for _, a := range [...]int64{r.Lo, r.Hi} {
		for _, b := range [...]int64{x.Lo, x.Hi} {
			p := a * b
			if a != 0 && (p/a != b || a == -1 && b == math.MinInt64) {
				return Interval{}
			}
			out.Lo, out.Hi = min(out.Lo, p), max(out.Hi, p)
		}
	}
	return out
}

// filled is n with all bits below its highest set.
func filled(n int64) int64 { return 1<<bits.Len64(uint64(n)) - 1 }

// PowerOfTwo reports whether a positive number is one.
func PowerOfTwo(n int64) bool { return n > 0 && bits.OnesCount64(uint64(n)) == 1 }
