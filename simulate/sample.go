package simulate

import (
	"fmt"
	"math"
	"strconv"
)

// Sampling
//
// With Config.Precision a long launch is simulated until its throughput has
// converged: no further group starts then, apart from those that make the number
// left out a whole number of waves; the resident ones drain, and the instructions left
// out take the time that as many took in the measured waves, as in an extrapolation
// (steady.go). What is reported as the bound of the error is the sum of
//
//   - the half-width of the 99% confidence interval of the mean time per
//     instruction, from the means of up to sampleBatches batches of waves, which are
//     less dependent on each other than waves (the method of batch means),
//   - the difference of that time between the earlier and the later half of the
//     measured waves: a trend,
//
// both for the share of the run that is left out, and of
//
//   - how far the ends of groups lie off a straight line, as a share of the whole
//     run: the phase in which a drain begins.
//
// The earlier half of the waves is not measured. What is not measured and what is
// must both be longer than what a unit remembers: several of the longest latencies,
// and the time over which the load of memory is averaged. The bound is looked at after
// firstSample waves and then whenever there are a quarter more, not after each, so
// that chance has few occasions to look like convergence. A run that does not
// converge is simulated to its end, or as far as Config.Budget goes.
//
// For iterations of long loops see iterations.go.

const (
	firstSample   = 12 // waves
	sampleBatches = 8
	memories      = 4 // longest latencies
)

// studentT is the 99.5% quantile of Student's distribution, by degrees of freedom.
var studentT = [...]float64{2: 9.925, 3: 5.841, 4: 4.604, 5: 4.032, 6: 3.707, 7: 3.499}

// sampler decides when a run has converged. Both engines call it in the same
// place; it sees nothing but the marks.
type sampler struct {
	precision float64 // 0 = off
	extent    extent
	memory    Tick  // how long the unit remembers
	next      int64 // waves at which to look again

	converged bool
	from, to  int // marks: the measured waves
	bound     float64
}

func newSampler(precision float64, e extent, w *workload) sampler {
	s := sampler{precision: precision, extent: e, next: firstSample, memory: w.memory()}
	if e.total <= (firstSample+1)*e.concurrent {
		s.precision = 0 // nothing to gain
	}
	return s
}

// memory is how long a unit remembers.
func (w *workload) memory() Tick {
	t := w.load.span
	for i := range w.classes {
		t = max(t, memories*max(w.classes[i].latency, w.classes[i].hold))
	}
	return t
}

// look is called when a group has ended, after its mark was made, and when so
// many groups have started or are on their way. It returns how many groups are to start in all.
func (s *sampler) look(marks []mark, given int64) int64 {
	e := &s.extent
	m := e.concurrent
	waves := int64(len(marks)) / m
	if s.precision == 0 || s.converged || waves < s.next || int64(len(marks))%m != 0 {
		return e.simulated
	}
	s.next = waves + max(1, waves/4)
	quota := given + (e.total-given)%m
	if quota >= e.simulated {
		return e.simulated
	}
	from := waves/2*m - 1
	s.from, s.to = int(from), len(marks)-1
	if at := marks[s.from].at; at < s.memory || marks[s.to].at-at < s.memory {
		return e.simulated
	}
	s.bound = e.errorBound(marks, s.from, s.to, quota)
	if s.bound > s.precision {
		return e.simulated
	}
	s.converged = true
	return quota
}

// errorBound bounds the relative error of the cycles if so many groups are simulated and
// the rest takes the time per instruction between two marks.
func (e *extent) errorBound(marks []mark, from, to int, simulated int64) float64 {
	r := newRates(marks, from, to, int(e.concurrent))
	whole := float64(marks[to].at) + r.mean*float64(e.issues-marks[to].issued)
	left := r.mean * float64(e.issues) * float64(e.total-simulated) / float64(e.total) / whole
	return (r.half+r.trend)*left + r.phase/whole
}

// rates is the time per instruction between two marks.
type rates struct {
	mean  float64 // ticks
	half  float64 // of the confidence interval of the mean, relative
	trend float64 // relative
	phase float64 // how far marks lie off a straight line, ticks
}

// newRates measures it from one mark to another, so many of which make one
// observation.
func newRates(marks []mark, from, to, each int) rates {
	rate := func(a, b int) float64 {
		return float64(marks[b].at-marks[a].at) / float64(marks[b].issued-marks[a].issued)
	}
	r := rates{mean: rate(from, to)}
	n := (to - from) / each
	batches := min(n, sampleBatches)
	sum := 0.0
	for i := range batches {
		d := rate(from+i*n/batches*each, from+(i+1)*n/batches*each)/r.mean - 1
		sum += d * d
	}
	r.half = studentT[batches-1] * math.Sqrt(sum/float64(batches*(batches-1)))
	middle := from + n/2*each
	r.trend = math.Abs(rate(from, middle)-rate(middle, to)) / r.mean
	low, high := 0.0, 0.0
	for i := from; i <= to; i++ {
		off := float64(marks[i].at-marks[from].at) - r.mean*float64(marks[i].issued-marks[from].issued)
		low, high = min(low, off), max(high, off)
	}
	r.phase = high - low
	return r
}

// ErrorText prints a relative error with two digits, as in 0.5% or 0.043%. What is less than any
// difference between devices or runs is not written out.
func ErrorText(share float64) string {
	if share > 0 && share < 1e-6 {
		return "0.0001%"
	}
	return strconv.FormatFloat(100*share, 'g', 2, 64) + "%"
}

// note says what was sampled.
func (s *sampler) note(e *extent, o *outcome) string {
	return fmt.Sprintf("%d of %d groups were simulated, until the throughput had converged; the other %d were "+
		"extrapolated from the instruction rate of %d waves of %d groups: cycles within %s (asked for: %s)",
		o.ended, e.total, e.total-o.ended, (s.to-s.from)/int(e.concurrent), e.concurrent, ErrorText(s.bound),
		ErrorText(s.precision))
}
