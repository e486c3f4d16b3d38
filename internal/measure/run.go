package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
)

// Options are how points are measured. The zero value is the full measurement.
type Options struct {
	Repetitions int     // of each point at most; 0 is 5
	Narrow      float64 // half the 95% interval of a point's mean, relative, at which it is not repeated; 0 is 0.005
	Seconds     float64 // that the shortest launch of a class takes at least; 0 is 0.001
	ClockShift  float64 // by which the clock may differ before and after a launch; 0 is 0.01
	Attempts    int     // of a repetition whose clock moves; 0 is 3
}

// Quick are fewer and shorter launches.
var Quick = Options{Repetitions: 3, Seconds: 0.0003}

func (o Options) complete() Options {
	o.Repetitions, o.Attempts = cmp.Or(o.Repetitions, 5), cmp.Or(o.Attempts, 3)
	o.Narrow, o.Seconds, o.ClockShift = cmp.Or(o.Narrow, 0.005), cmp.Or(o.Seconds, 0.001), cmp.Or(o.ClockShift, 0.01)
	return o
}

// Run measures the points behind those that are done, and hands over the samples of each point in their order.
// It ends with an error when the device is lost, when the context ends, or when the samples cannot be taken.
func Run(ctx context.Context, b Bench, plan []Point, done []Sample, o Options, take func([]Sample) error) error {
	r := &runner{ctx: ctx, bench: b, Options: o.complete(), instructions: map[chainKey]int64{}}
	for _, s := range done {
		r.note(s)
	}
	plan = plan[pointsOf(plan, done, r.Options):]
	if p, ok := b.(Preparer); ok {
		p.Prepare(plan)
	}
	for _, p := range plan {
		samples, err := r.point(p)
		if err == nil {
			err = take(samples)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Completed returns the samples of the points of a plan that are measured whole: a file that was cut off
// can end in the midst of a point.
func Completed(plan []Point, done []Sample, o Options) []Sample {
	end := 0
	for range pointsOf(plan, done, o.complete()) {
		end += rows(done[end:], o.complete())
	}
	return done[:end]
}

// PointsDone is how many points of a plan are measured whole.
func PointsDone(plan []Point, done []Sample, o Options) int {
	return pointsOf(plan, done, o.complete())
}

// pointsOf is how many points of the plan the samples cover.
func pointsOf(plan []Point, done []Sample, o Options) int {
	n, at := 0, 0
	for n < len(plan) && at < len(done) && plan[n].made(done[at]) {
		k := rows(done[at:], o)
		if k == 0 {
			break
		}
		n, at = n+1, at+k
	}
	return n
}

// rows is how many samples the first point has; 0 if some are missing.
func rows(done []Sample, o Options) int {
	for n := range done {
		switch {
		case !done[n].Skipped() && done[n].Repetition != n:
			return 0
		case o.enough(done[:n+1]):
			return n + 1
		}
	}
	return 0
}

// enough reports whether a point with these samples is not repeated: as often as may be, or not executed, or wrong,
// which it would be again, or known well enough.
func (o Options) enough(list []Sample) bool {
	last := &list[len(list)-1]
	if len(list) >= o.Repetitions || last.Skipped() || last.Marked != "" && !last.moved() {
		return true
	}
	var times []float64
	for _, s := range list {
		switch {
		case s.Marked != "":
		case s.Cycles > 0:
			times = append(times, s.Cycles)
		default:
			times = append(times, s.Seconds)
		}
	}
	return uncertain(times) <= o.Narrow
}

// uncertain is half the 95% interval of the mean by Student's t, relative to it.
func uncertain(times []float64) float64 {
	t := [...]float64{12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26} // of 1, 2, ... degrees of freedom
	n := float64(len(times))
	if n < 2 {
		return math.Inf(1)
	}
	mean, squares := 0.0, 0.0
	for _, x := range times {
		mean += x / n
	}
	for _, x := range times {
		squares += (x - mean) * (x - mean)
	}
	return t[min(len(times)-2, len(t)-1)] * math.Sqrt(squares/(n-1)/n) / mean
}

// made reports whether a sample is of the point.
func (p Point) made(s Sample) bool {
	return s.Class == p.Class.Name && s.Chains == p.Chains && s.GroupSize == p.GroupSize && s.Groups == p.Groups &&
		s.WarpsPerUnit == p.WarpsPerUnit
}

func (p Point) sample() Sample {
	return Sample{Class: p.Class.Name, Chains: p.Chains, GroupSize: p.GroupSize, Groups: p.Groups,
		WarpsPerUnit: p.WarpsPerUnit, Repetition: p.Repetition}
}

type chainKey struct {
	class  string
	chains int
}

// runner measures points one after the other.
type runner struct {
	Options
	ctx          context.Context
	bench        Bench
	instructions map[chainKey]int64 // that are chosen for a class
	failed       chainKey           // what cannot be built
	reason       string
}

// note takes the number of instructions from what was measured before.
func (r *runner) note(s Sample) {
	if k := (chainKey{s.Class, s.Chains}); s.Instructions > 0 && r.instructions[k] == 0 {
		r.instructions[k] = s.Instructions
	}
}

// point measures all repetitions.
func (r *runner) point(p Point) ([]Sample, error) {
	k := chainKey{p.Class.Name, p.Chains}
	skip := r.bench.Skip(p.Class)
	if k == r.failed {
		skip = r.reason
	}
	if skip != "" {
		return p.skipped(skip), nil
	}
	if r.instructions[k] == 0 {
		n, err := r.choose(p)
		if err != nil {
			return r.refused(k, p, err)
		}
		device := r.bench.Properties()
		r.instructions[k] = max(n, device.least(p.Class, p.GroupSize*p.Groups))
	}
	p.Instructions = r.instructions[k]
	var samples []Sample
	for p.Repetition = range r.Repetitions {
		s, err := r.repetition(p)
		if err != nil {
			return r.refused(chainKey{}, p, err)
		}
		if samples = append(samples, s); r.enough(samples) {
			break
		}
	}
	return samples, nil
}

// refused is a point that the device cannot execute: the others go on, unless the device is lost. A class of
// which no point was executed is not tried again.
func (r *runner) refused(k chainKey, p Point, err error) ([]Sample, error) {
	if _, lost := errors.AsType[*LostError](err); lost || r.ctx.Err() != nil {
		return nil, err
	}
	reason, _, _ := strings.Cut(strings.Join(strings.Fields(err.Error()), " "), "\n")
	if k != (chainKey{}) {
		r.failed, r.reason = k, reason
	}
	return p.skipped(reason), nil
}

func (p Point) skipped(reason string) []Sample {
	s := p.sample()
	s.Repetition, s.Marked = 0, reason
	return []Sample{s}
}

// choose finds how many instructions take long enough at a point.
func (r *runner) choose(p Point) (int64, error) {
	const first, growth, most = 512, 8.0, 1 << 31
	switch p.Class.Kind {
	case Launch, Stream:
		return 1, nil
	case Replacement:
		return first, nil // short groups show what replacing them takes
	}
	p.Repetition = -1
	n := int64(first)
	for {
		p.Instructions = n
		reading, err := r.time(p)
		if err != nil {
			return 0, err
		}
		if reading.Seconds >= r.Seconds || reading.Seconds == 0 {
			return n, nil
		}
		if n >= most {
			return 0, fmt.Errorf("%d instructions take %.3g s: the device's compiler leaves them out", n,
				reading.Seconds)
		}
		n = int64(float64(n) * max(2, min(growth, math.Ceil(1.2*r.Seconds/reading.Seconds))))
	}
}

// time is one launch; a wrong result is not an error of the measurement here.
func (r *runner) time(p Point) (Reading, error) {
	reading, err := r.bench.Time(r.ctx, p)
	if _, wrong := errors.AsType[*WrongError](err); wrong {
		err = nil
	}
	if err == nil && !(reading.Seconds > 0) && !(reading.Cycles > 0) {
		err = errors.New("the device measures no time")
	}
	return reading, err
}

// repetition measures once, again while the clock moves, and marks what is not to be used.
func (r *runner) repetition(p Point) (Sample, error) {
	s := p.sample()
	for p.Attempt = range r.Attempts {
		reading, err := r.bench.Time(r.ctx, p)
		s.Instructions, s.Seconds, s.Cycles = reading.Instructions, reading.Seconds, reading.Cycles
		s.ClockBefore, s.ClockAfter, s.Marked = reading.ClockBefore, reading.ClockAfter, ""
		if wrong, ok := errors.AsType[*WrongError](err); ok {
			s.Marked = wrong.Error()
			return s, nil
		}
		if err != nil {
			return s, err
		}
		if s.Skipped() {
			return s, errors.New("the device measures no time")
		}
		if before, after := s.ClockBefore, s.ClockAfter; before == 0 || after == 0 ||
			math.Abs(after-before) <= r.ClockShift*before {
			return s, nil
		}
		s.Marked = fmt.Sprintf(clockMoved+" from %.0f to %.0f MHz", s.ClockBefore, s.ClockAfter)
	}
	return s, nil
}
