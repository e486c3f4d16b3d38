package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"

	"gpupipe/internal/diag"
)

// Fewer iterations
//
// From some number of iterations on, the time of a launch grows with their number: what
// starts and ends, and what it takes until warps are out of step, stays the same. So a run
// of more than wholeBudgets budgets that is not over after trialBudgets, although recurring
// states are skipped, is predicted from shortRuns launches whose long loops have 1/3, 2/3 and
// all of a share of their iterations, where shortWaves waves of the longest are about shortBudgets:
//
//	T = T(n) + (issues left out) · (T(n) - T(n')) / (issues(n) - issues(n'))
//
// with the longest and the shortest of them. It is a measurement at several sizes: no engine takes part
// in it, and of whatever phases a launch goes through, each has its share in every size. What is
// reported as the bound of the error is the sum of
//
//   - by how much the time per instruction differs between the sizes: a trend,
//   - by how much the classes that were left out differ from those that were measured,
//     where loops have too few iterations for their share (mixError),
//   - the bound of groups that the launches themselves extrapolate, and
//   - phaseShift: with a greedy scheduler even the exact time per iteration varies by percents
//     between launches that differ in their number of iterations only (TestFewerIterations;
//     docs/evidence/performance.md has the errors).

const (
	wholeBudgets = 6
	trialBudgets = 1
	shortBudgets = 1
	shortRuns    = 3
	shortWaves   = 10 // enough for a bound of extrapolated groups
	phaseShift   = 0.02
)

// canShorten reports whether the run may be predicted from launches with fewer iterations: its loops are
// what makes it long, and long enough.
func (s *setup) canShorten() bool {
	least := min(s.extent.total, minWaves*s.extent.concurrent)
	return !s.cfg.Full && !s.cfg.NoSkipping && s.cfg.Engine == EngineFast &&
		least > min(wholeBudgets*s.budget(), s.cfg.MaxEvents)/s.extent.perGroup && s.work.mostTrips() >= longTrips
}

func (s *setup) budget() int64 { return cmp.Or(s.cfg.Budget, DefaultBudget) }

// TooLarge reports whether a run was refused for its length.
func TooLarge(err error) bool {
	var e *diag.Error
	return errors.As(err, &e) && e.Code == "TOO-LARGE"
}

// fewer is what the launches with fewer iterations say of a run.
type fewer struct {
	runs  [shortRuns]shortRun // the shortest first
	trips [shortRuns]int64    // iterations of the longest loop
	of    int64
	bound float64
	left  int64 // instructions
}

// shortRun is a launch with fewer iterations, and what it takes.
type shortRun struct {
	s           *setup
	o           *outcome
	time, alone Tick
}

// runShort simulates one.
func (l *Launch) runShort(ctx context.Context, s *setup, c *cut) (r shortRun, err error) {
	short := &Launch{base: l, Brief: l.Brief}
	for _, k := range l.kinds {
		short.kinds = append(short.kinds, GroupKind{k.Graph.WithTrips(c.trips), k.Mapping, k.Count})
	}
	cfg := s.cfg
	cfg.Precision, cfg.Groups = 0, s.extent.total
	cfg.Budget = int64(c.issues(s.work)/float64(s.extent.total)*shortWaves*float64(s.extent.concurrent)) + 1
	if r.s, err = short.plan(cfg); err != nil {
		return r, err
	}
	if err = r.s.translate(); err != nil {
		return r, err
	}
	if r.o, err = r.s.simulate(ctx); err != nil {
		return r, err
	}
	if r.time, err = r.s.extent.time(r.s.work, r.o); err != nil {
		return r, err
	}
	r.alone, err = short.groupAlone(ctx, r.s)
	return r, err
}

// shortened is about how many instructions these simulate.
func (s *setup) shortened() int64 {
	c := s.shorten(shortBudgets * s.budget())
	sum, share, waves := 0.0, c.share, min(1, float64(shortWaves*s.extent.concurrent)/float64(s.extent.total))
	for i := range shortRuns {
		if !s.launch.Brief || i == 0 || i == shortRuns-1 {
			c.share = share * float64(i+1) / shortRuns
			sum += c.issues(s.work) * waves
		}
	}
	return int64(sum)
}

// converge predicts a run from launches with fewer iterations.
func (l *Launch) converge(ctx context.Context, s *setup) (*Result, error) {
	c := s.shorten(shortBudgets * s.budget())
	share := c.share
	f := &fewer{of: s.work.mostTrips()}
	for i := range f.runs {
		if l.Brief && i > 0 && i < shortRuns-1 { // they tell a trend alone
			continue
		}
		c.share = share * float64(i+1) / shortRuns
		f.trips[i] = c.trips(f.of)
		var err error
		before := l.Simulated()
		if f.runs[i], err = l.runShort(ctx, s, &c); err != nil {
			return nil, err
		}
		s.cfg.MaxEvents = max(1, s.cfg.MaxEvents-l.Simulated()+before)
	}
	first, last := &f.runs[0], &f.runs[shortRuns-1]
	f.left = s.extent.issues - last.s.extent.issues
	grow := float64(f.left) / float64(last.s.extent.issues-first.s.extent.issues)
	end := float64(last.time) + float64(last.time-first.time)*grow
	if !(end >= float64(last.time) && end < float64(maxTime)) {
		return nil, diag.Errorf(diag.Pos{}, "TIME", "the run takes more than %v cycles", s.work.time.cycles(maxTime))
	}
	if !l.Brief {
		f.bound = f.errorBound(s, end)
	}
	o := *last.o
	o.fewer, o.end, o.ended, o.skipped = f, Tick(end), s.extent.total, 0
	o.stats = tally{issued: s.extent.issues, warps: 1}
	o.stats.waited = f.ahead(grow, &o.stats.resident, func(t *tally) []span { return t.waited })
	o.stats.queued = f.ahead(grow, &o.stats.resident, func(t *tally) []span { return t.queued })
	r, err := s.result(&o, f.alone(s.work))
	if err == nil {
		r.SimulatedGroups, r.SkippedGroups = last.o.ended-last.o.skipped, last.o.skipped
	}
	return r, err
}

// errorBound bounds the relative error of a run that ends then.
func (f *fewer) errorBound(s *setup, end float64) float64 {
	first, last := &f.runs[0], &f.runs[shortRuns-1]
	bound := phaseShift + f.trend()*float64(f.left)/end + mixError(s.work, first.s.work, last.s.work)
	if e := &last.s.extent; e.extrapolates(last.o) {
		from, to := e.window(last.o)
		bound += e.errorBound(last.o.marks, from, to, e.simulated) + 1/float64(e.simulated)
	}
	return bound
}

// trend is by how much the time per instruction differs between the sizes, in ticks.
func (f *fewer) trend() float64 {
	var rates []float64
	for i := range f.runs[1:] {
		a, b := &f.runs[i], &f.runs[i+1]
		rates = append(rates, float64(b.time-a.time)/float64(b.s.extent.issues-a.s.extent.issues))
	}
	return math.Abs(rates[1] - rates[0])
}

// ahead is for how long an average warp waits, by class: what it is in the longest run, and how often it
// grows by what it did from the shortest. The sum is added up.
func (f *fewer) ahead(grow float64, sum *span, of func(*tally) []span) []span {
	first, last := &f.runs[0].o.stats, &f.runs[shortRuns-1].o.stats
	out := make([]span, len(of(last)))
	for i := range out {
		a, b := of(first)[i].float()/float64(first.warps), of(last)[i].float()/float64(last.warps)
		t, _ := big.NewFloat(max(0, b+(b-a)*grow)).Int(nil)
		out[i].addBig(t)
		sum.addBig(t)
	}
	return out
}

// alone is what a group of the usual kind takes alone.
func (f *fewer) alone(w *workload) Tick {
	first, last := &f.runs[0], &f.runs[shortRuns-1]
	a, b := first.s.work.kinds[w.usual()].perGroup, last.s.work.kinds[w.usual()].perGroup
	if a == b {
		return last.alone
	}
	more := float64(w.kinds[w.usual()].perGroup-b) / float64(b-a)
	return last.alone + Tick(min(float64(last.alone-first.alone)*more, float64(maxTime)))
}

// mixError is which share of the instructions left out would have to be of other classes to be like those by which
// two runs differ.
func mixError(whole, first, last *workload) float64 {
	a, b, c := first.countIssues(), last.countIssues(), whole.countIssues()
	measured, left := 0.0, 0.0
	for i := range c {
		measured, left = measured+float64(b[i]-a[i]), left+float64(c[i]-b[i])
	}
	off := 0.0
	for i := range c {
		off += math.Abs(float64(b[i]-a[i])/measured-float64(c[i]-b[i])/left) / 2
	}
	return off
}

// note says what was left out.
func (f *fewer) note() string {
	return fmt.Sprintf("loops were simulated with up to %d of %d iterations; the others were extrapolated from "+
		"launches with %d, %d and %d: cycles within about %s", f.trips[2], f.of, f.trips[0], f.trips[1], f.trips[2],
		ErrorText(f.bound))
}
