package simulate

import (
	"math/bits"

	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// Tick is a point in simulated time, or a span of it, counted in the largest
// unit of which every time of the run is a whole multiple. It is what makes a
// run exact: λ = 0.25 and λ = 1/6 meet at multiples of 1/12 cycle.
type Tick int64

// maxSpan bounds every delay and maxTime the time that a run may reach, so that
// time + delay cannot overflow.
const (
	maxSpan = Tick(1) << 60
	maxTime = Tick(1) << 61
)

// timebase converts between cycles and ticks.
type timebase struct {
	perCycle int64 // ticks per cycle: the common denominator
}

// newTimebase returns the timebase in which all spans are whole.
func newTimebase(spans []latencies.Cycles) (timebase, error) {
	per := int64(1)
	for _, c := range spans {
		d := c.Den()
		d /= gcd(per, d)
		hi, lo := bits.Mul64(uint64(per), uint64(d))
		if hi != 0 || lo > uint64(maxSpan) {
			return timebase{}, diag.Errorf(diag.Pos{}, "TIME",
				"the λ and Λ of this run have no common denominator below 2^60 (at %v cycles)", c).
				WithNote("round them, e.g. to multiples of 1/(issue limit) as A Table 5 does")
		}
		per = int64(lo)
	}
	return timebase{per}, nil
}

// ticks converts a span that newTimebase was told of.
func (b timebase) ticks(c latencies.Cycles) (Tick, error) {
	hi, lo := bits.Mul64(uint64(c.Num()), uint64(b.perCycle/c.Den()))
	if hi != 0 || lo > uint64(maxSpan) {
		return 0, diag.Errorf(diag.Pos{}, "TIME", "%v cycles are too long for a time step of 1/%d cycle", c, b.perCycle)
	}
	return Tick(lo), nil
}

// cycles converts t ≥ 0 back, in lowest terms.
func (b timebase) cycles(t Tick) latencies.Cycles {
	c, err := latencies.NewCycles(int64(t), b.perCycle)
	if err != nil {
		panic("simulate: negative time: " + err.Error())
	}
	return c
}

func (b timebase) float(t Tick) float64 { return float64(t) / float64(b.perCycle) }

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, 1)
}
