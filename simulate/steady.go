package simulate

import (
	"fmt"
	"math/bits"

	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// Steady state
//
// A launch of many groups repeats itself: after the first wave of M groups
// (which starts at once) a new group starts whenever one ends, until the last M
// drain. Of N groups of G instructions, n = N - k·M are simulated, with their
// true start and drain, so that an incomplete last wave is also true. The
// instructions of the k waves left out take the time that as many took in the
// steady state:
//
//	T(N) = T(n) + (issues left out) · (end[n-M] - end[n-M-v·M]) / (issued[n-M] - issued[n-M-v·M])
//
// where end[i] is when the i-th group to end does so, issued[i] what was issued
// until then, and v the number of waves measured: those between the first wave
// and the drain, or the later half of them if there are more than two. Counting
// instructions rather than groups makes the rule insensitive to how far the
// resident groups are; where waves repeat, it is exact. TestExtrapolationError
// states its error elsewhere. The result is never below the lower bounds, and never above T(n)·N/n.
//
// Where the fast engine finds that waves repeat exactly, it skips them instead
// (see recurrence) and nothing is extrapolated.

// minWaves is the least number of whole waves that are simulated for an
// extrapolation: one that starts, at least one to measure, one that drains.
const minWaves = 3

// extent is how much of a run is simulated.
type extent struct {
	total      int64 // N
	concurrent int64 // M
	simulated  int64 // n
	measured   int64 // v: waves; 0 = nothing is extrapolated
	perGroup   int64 // G, on average, rounded up
	issues     int64 // N·G
}

// plan decides what to simulate of n groups, m of them at once, that execute so
// many instructions in all.
func plan(cfg Config, n, m, issues int64) extent {
	perGroup := (issues-1)/n + 1
	e := extent{total: n, concurrent: m, simulated: n, perGroup: perGroup, issues: issues}
	if cfg.Full || cfg.Budget == 0 {
		return e
	}
	waves := max(minWaves, cfg.Budget/perGroup/m)
	if waves >= n/m {
		return e
	}
	e.simulated = waves*m + n%m
	steady := waves - 2 // without the first wave and the drain
	e.measured = max(min(steady, 2), steady/2)
	return e
}

// mark is a point of a run: how many instructions have been issued by the end
// of a group.
type mark struct {
	at     Tick
	issued int64
}

// window is the marks between which the instruction rate was measured.
func (e *extent) window(o *outcome) (from, to int) {
	if s := &o.sampler; s.converged {
		return s.from, s.to
	}
	last := e.simulated - e.concurrent - 1
	return int(last - e.measured*e.concurrent), int(last)
}

// time is what the whole run of a workload takes, from what its engine reports.
func (e *extent) time(w *workload, o *outcome) (Tick, error) {
	if !e.extrapolates(o) {
		return o.end, nil
	}
	from, to := e.window(o)
	more, ok := scale(o.marks[to].at-o.marks[from].at, e.issues-o.stats.issued, o.marks[to].issued-o.marks[from].issued)
	if !ok || o.end > maxTime-more {
		return 0, diag.Errorf(diag.Pos{}, "TIME", "the run of %d groups takes more than %v cycles", e.total,
			w.time.cycles(maxTime))
	}
	// pieces of the launch one after the other, each drained before the next starts, take no less; a rate that has
	// converged, with its bound, knows better what groups take that differ from those pieces
	if pieces, ok := scale(o.end, e.issues, o.stats.issued); ok && !o.sampler.converged {
		return min(o.end+more, pieces), nil
	}
	return o.end + more, nil
}

// extrapolates reports whether the engine left groups out.
func (e *extent) extrapolates(o *outcome) bool { return o.ended < e.total }

// scale is t · a / b, rounded to the nearest tick; false if that is beyond
// maxTime.
func scale(t Tick, a, b int64) (Tick, bool) {
	hi, lo := bits.Mul64(uint64(t), uint64(a))
	lo, carry := bits.Add64(lo, uint64(b)/2, 0)
	hi += carry
	if hi >= uint64(b) {
		return 0, false
	}
	q, _ := bits.Div64(hi, lo, uint64(b))
	if q > uint64(maxTime) {
		return 0, false
	}
	return Tick(q), true
}

// tooSlow ends a run that takes at least so many seconds, which is more than setup.limit.
type tooSlow float64

func (s tooSlow) Error() string { return fmt.Sprintf("the run takes at least %v seconds", float64(s)) }

// overestimates are the errors of the least time by checkLimit, by the number of waves that have ended (the last one:
// and after more of them; TestLeastTime).
var overestimates = [...]float64{2: 0.08, 3: 0.06, 4: 0.03}

// checkLimit refuses a run that takes more than the limit even if all that is left is as fast as the fastest wave so
// far but for the first one. A wave is as many groups as are resident, whichever of them it begins with.
func (m *machine) checkLimit() {
	e, last := &m.setup.extent, len(m.marks)-1
	wave := int(e.concurrent)
	if last < 2*wave-1 {
		return
	}
	from, to := m.marks[last-wave], m.marks[last]
	if r := float64(to.at-from.at) / float64(to.issued-from.issued); last == 2*wave-1 || r < m.fastest {
		m.fastest = r
	}
	end := min(float64(to.at)+m.fastest*float64(e.issues-to.issued), float64(maxTime))
	err := overestimates[min((last+1)/wave, len(overestimates)-1)]
	if least := (1 - err) * m.setup.seconds(m.time.cycles(Tick(end))); least > m.setup.limit {
		m.refused = tooSlow(least)
	}
}

// boundedWaves is how many measured waves give a bound of the error.
const boundedWaves = 4

// note says what was extrapolated, and how far it may be off: as far as a sampled run
// (errorBound), and by where between the ends of two groups the run ends.
func (e *extent) note(o *outcome) string {
	if o.sampler.converged {
		return o.sampler.note(e, o)
	}
	measured := "the wave in the middle"
	if e.measured > 1 {
		measured = fmt.Sprintf("%d waves in the middle", e.measured)
	}
	if e.measured < boundedWaves {
		measured += " (may be off by a few percent)"
	} else {
		from, to := e.window(o)
		measured += fmt.Sprintf(": cycles within about %.2g%%",
			100*(e.errorBound(o.marks, from, to, e.simulated)+1/float64(e.simulated)))
	}
	return fmt.Sprintf("%d of %d groups were simulated; the others were extrapolated from the instruction rate of %s",
		e.simulated, e.total, measured)
}

// exact adds, multiplies and divides cycles and keeps the first error.
type exact struct{ err error }

func (x *exact) keep(c latencies.Cycles, err error) latencies.Cycles {
	if err != nil && x.err == nil {
		x.err = err
	}
	return c
}

func (x *exact) count(n int64) latencies.Cycles             { return x.keep(latencies.NewCycles(n, 1)) }
func (x *exact) add(a, b latencies.Cycles) latencies.Cycles { return x.keep(a.Add(b)) }
func (x *exact) mul(a, b latencies.Cycles) latencies.Cycles { return x.keep(a.Mul(b)) }
func (x *exact) div(a, b latencies.Cycles) latencies.Cycles { return x.keep(a.Div(b)) }
