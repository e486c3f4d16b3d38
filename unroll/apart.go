package unroll

import "math/bits"

// A loop that is unrolled for a run-time trip count is two in optimised code: one of
// whole passes and one of what is left over. Lanes with different trip counts go
// different ways there. Those with fewer whole passes wait while the others go on, and
// each executes its own left-over iterations: with 4 and 3 iterations by 4 a warp
// executes 4 + 3, although no lane has more than 4 (docs/evidence/fidelity.md, Machine code).
// nvcc has the left-over iterations first and clang last, which gives the same counts;
// here they are last.

// apartLanes says which lanes of a loop wait for its left-over iterations.
type apartLanes struct {
	trips  []int64  // by lane; nil: all execute the same loops
	parked laneMask // lanes that have no whole pass left
	until  int64    // the iteration at which the next lanes are parked
}

// setApart begins with the trip counts by lane, if they matter.
func (r *resolver) setApart(a *activeLoop, trips []int64) {
	p := &a.plan
	if r.opt.Optimises() && p.varies && p.counted && !p.constant && !p.full && p.factor > 1 && !p.given && !p.assumed {
		a.apart.trips = trips
	}
}

// park takes those lanes out, behind iteration i, which have no whole pass left, and
// brings them back for the left-over iterations. It returns the lanes that go on and the
// iteration that counts as the last: the last of all passes where no lane has another.
func (r *resolver) park(a *activeLoop, active laneMask, i int64) (laneMask, int64) {
	x, p := &a.apart, &a.plan
	if x.trips == nil {
		return active, i
	}
	next := i + 1
	if main := p.main(); next < main {
		if active != 0 && next%p.factor != 0 {
			return active, i
		}
		parked := laneMask(0)
		x.until = main
		for m := active; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros64(uint64(m))
			if whole := x.trips[lane] / p.factor * p.factor; whole <= next {
				parked |= 1 << lane
			} else {
				x.until = min(x.until, whole)
			}
		}
		if parked != 0 {
			r.endWatch(a)
			x.parked |= parked
			active &^= parked
		}
		if active != 0 {
			return active, i
		}
		next = main
	}
	active |= x.parked
	x.parked = 0
	return active, next - 1
}
