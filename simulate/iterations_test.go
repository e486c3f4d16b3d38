package simulate

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

// The kernels of TestFewerIterations:
//
//	go test ./simulate -run TestFewerIterations -v -loops.kernels 100 -loops.seed 7
var (
	loopKernels = flag.Int("loops.kernels", tools.Cases(12, 6), "random kernels with long loops that are predicted")
	loopSeed    = flag.Uint64("loops.seed", 1, "seed of the random kernels with long loops")
)

// longLoopKernel is a random kernel of one or two long loops, one after the other,
// with barriers or without, perhaps a short loop in them, in one program or two. Trips says
// how many iterations the warps of a group execute, alternately of the two loops.
func longLoopKernel(t testing.TB, seed uint64, loops int, trips []int) *fixture {
	r := rand.New(rand.NewPCG(seed, 78))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	warps := []int{1, 2, 2, 4}[r.IntN(4)]
	f := randomUnit(t, r, warps)
	var classes []idg.InstrID
	for _, op := range []string{"add.f32", "ld.global", "st.global", "fma.f32", "cos.f32"} {
		classes = append(classes, f.class(op, pick("a", "b", "c"), pick("1/4", "1", "2", "3", "5"),
			pick("4", "7", "18", "40", "250")))
	}
	classes = append(classes, f.class("loop", pick("a", "b", "c"), "1", "18"), f.class("barrier", "c", "1", "10"))
	barriers, programs := r.IntN(2) == 0, 1+r.IntN(4)/3
	for w := range f.warps {
		f.builder.Begin(w)
		p := longLoopProgram{f.builder, classes, rand.New(rand.NewPCG(seed, uint64(int(w)%programs))), 0, 0}
		p.straight(p.rand.IntN(10))
		for i := range loops {
			p.loop(trips[(int(w)*loops+i)%len(trips)], barriers)
			p.straight(p.rand.IntN(6))
		}
	}
	return f
}

// longLoopProgram is a program of longLoopKernel while it is built.
type longLoopProgram struct {
	*idg.Builder
	classes []idg.InstrID // the last two are loop and barrier
	rand    *rand.Rand
	number  idg.Executed // of the next instruction
	gate    idg.Executed // what all wait for, plus 1
}

// straight adds so many instructions.
func (p *longLoopProgram) straight(n int) {
	for range n {
		kinds := map[idg.Executed]idg.EdgeKind{}
		for range p.rand.IntN(4) {
			back, kind := idg.Executed(1+p.rand.IntN(1+p.rand.IntN(14))), idg.EdgeKind(1+p.rand.IntN(3))
			if back <= p.number {
				kinds[p.number-back] = kind
			}
		}
		if p.gate > 0 {
			kinds[p.gate-1] = idg.Control
		}
		var edges []idg.Edge
		for back := idg.Executed(min(p.number, 100)); back > 0; back-- {
			if k, ok := kinds[p.number-back]; ok {
				edges = append(edges, idg.Edge{From: p.number - back, Kind: k})
			}
		}
		p.Add(p.classes[p.rand.IntN(len(p.classes)-2)], edges...)
		p.number++
	}
}

// end adds the instruction that ends a body, or a barrier.
func (p *longLoopProgram) end(class int, kind idg.EdgeKind) {
	var edges []idg.Edge
	if p.number > 0 {
		edges = append(edges, idg.Edge{From: p.number - 1, Kind: kind})
	}
	p.Add(p.classes[class], edges...)
	p.number++
	p.gate = p.number
}

// loop adds a loop of so many equal iterations.
func (p *longLoopProgram) loop(trips int, barriers bool) {
	n, inner, seed, outer := 2+p.rand.IntN(18), max(0, p.rand.IntN(15)-9), p.rand.Uint64(), p.rand
	p.BeginLoop()
	for i := range trips {
		if i > 0 {
			p.NextIteration()
		}
		p.rand = rand.New(rand.NewPCG(seed, 5))
		p.straight(n)
		if inner > 1 {
			p.BeginLoop()
			for j := range inner {
				if j > 0 {
					p.NextIteration()
				}
				p.rand = rand.New(rand.NewPCG(seed, 6))
				p.straight(3)
				p.end(5, idg.Control)
			}
			p.EndLoop()
		}
		if barriers {
			p.end(6, idg.Order)
		}
		p.end(5, idg.Control)
	}
	p.EndLoop()
	p.rand = outer
}

// TestFewerIterations compares runs that are predicted from launches with fewer iterations with full ones: the error
// is within the bound that is stated in at least 95 of 100 cases, and what was not simulated is said.
func TestFewerIterations(t *testing.T) {
	var errs []float64
	within, beyond := 0, 0.0
	for k := range uint64(*loopKernels) {
		r := rand.New(rand.NewPCG(*loopSeed, k))
		trips := []int{1500 + r.IntN(3000)}
		if r.IntN(2) == 0 {
			trips = append(trips, 1000+r.IntN(8000))
		}
		f := longLoopKernel(t, *loopSeed<<32+k, 1+r.IntN(2), trips)
		l := NewLaunch(f.graph(1), &f.mapping)
		m := 1 + r.Int64N(12)
		cfg := Config{Full: true, Issue: []IssueMode{InOrder, Blocks, Dataflow}[k%3], Concurrent: m,
			Scheduler: Scheduler(1 + r.IntN(len(latencies.Schedulers()))), Groups: m*(1+r.Int64N(3)) + r.Int64N(m)}
		p, err := l.Plan(cfg)
		if err != nil {
			t.Fatal(err)
		}
		full, err := p.Run(context.Background(), math.MaxInt64)
		if err != nil {
			t.Fatal(err)
		}
		if floor := p.LowerBounds; floor != full.LowerBounds || floor.Longest().Cmp(full.Cycles) > 0 {
			t.Errorf("kernel %d: at least %+v; %v cycles, at least %+v", k, floor, full.Cycles, full.LowerBounds)
		}
		cfg.Full, cfg.Budget = false, full.Issued/20
		got, err := l.Run(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Verify(); err != nil {
			t.Error(err)
		}
		if got.LeftOutIssues == 0 {
			if !got.Extrapolated && got.Cycles != full.Cycles {
				t.Errorf("kernel %d: %v cycles, not %v", k, got.Cycles, full.Cycles)
			}
			continue
		}
		e := math.Abs(got.Cycles.Float()/full.Cycles.Float() - 1)
		errs = append(errs, e)
		if bound := got.Sampling.Bound; e <= bound {
			within++
		} else {
			beyond = max(beyond, e-bound)
			t.Logf("kernel %d, %v, %v, %d groups, %d at once: error %.3f%%, bound %.3f%%", k, cfg.Issue, cfg.Scheduler,
				cfg.Groups, m, 100*e, 100*bound)
		}
		if !got.Extrapolated || len(got.Notes) == 0 || got.Issued != full.Issued {
			t.Errorf("kernel %d: extrapolated %t, notes %q, %d issued", k, got.Extrapolated, got.Notes, got.Issued)
		}
		if a, b := got.Waiting.Resident, full.Waiting.Resident; math.Abs(a/b-1) > 0.1 {
			t.Errorf("kernel %d: warps live %v cycles, not %v", k, a, b)
		}
		if a, b := got.GroupAlone.Float(), full.GroupAlone.Float(); math.Abs(a/b-1) > 0.15 {
			t.Errorf("kernel %d: a group alone takes %v cycles, not %v", k, a, b)
		}
	}
	slices.Sort(errs)
	n := len(errs)
	if n < 1+*loopKernels/6 || float64(within) < 0.95*float64(n) {
		t.Fatalf("%d of %d runs are predicted, %d within the bound", n, *loopKernels, within)
	}
	t.Logf("%d of %d runs are predicted: error %.3f%% in the middle, %.2f%% at most; %d within the bound, others beyond "+
		"it by at most %.2f%%", n, *loopKernels, 100*errs[n/2], 100*errs[n-1], within, 100*beyond)
}

// TestBriefIterations: where nobody asks how far off the prediction is, it is the same from fewer launches.
func TestBriefIterations(t *testing.T) {
	f := longLoopKernel(t, 3, 1, []int{20_000})
	l := NewLaunch(f.graph(1), &f.mapping)
	cfg := Config{Issue: InOrder, Concurrent: 4, Groups: 400, Budget: 20_000}
	want, err := l.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	l.Brief = true
	got, err := l.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Verify(); err != nil || got.Sampling != nil || len(got.Notes) != len(want.Notes)-1 {
		t.Errorf("%v, sampling %+v, notes %q", err, got.Sampling, got.Notes)
	}
	if got.LeftOutIssues == 0 || got.Cycles != want.Cycles || got.Waiting != want.Waiting {
		t.Errorf("%v cycles, %+v; and not %v, %+v", got.Cycles, got.Waiting, want.Cycles, want.Waiting)
	}
}

// TestShortWaves: the longest launch with fewer iterations has shortWaves waves, or all where groups recur and are
// skipped.
func TestShortWaves(t *testing.T) {
	for _, c := range []struct {
		seed               uint64
		concurrent, budget int64
		skipped            bool
	}{{3, 4, 20_000, false}, {1, 2, 5_000, true}} {
		f := longLoopKernel(t, c.seed, 1, []int{20_000})
		r, err := NewLaunch(f.graph(1), &f.mapping).Run(context.Background(), Config{Issue: InOrder,
			Concurrent: c.concurrent, Groups: 400, Budget: c.budget})
		if err != nil {
			t.Fatal(err)
		}
		want := shortWaves * c.concurrent
		if c.skipped {
			want = 400
		}
		n := r.SimulatedGroups + r.SkippedGroups
		if r.LeftOutIssues == 0 || r.SkippedGroups > 0 != c.skipped || n < want || n > want+c.concurrent {
			t.Errorf("kernel %d: %d instructions are left out, %d groups are simulated and %d skipped, %d in all", c.seed,
				r.LeftOutIssues, r.SimulatedGroups, r.SkippedGroups, want)
		}
	}
}

// TestMixError: half of what is left out is of a class that was not measured.
func TestMixError(t *testing.T) {
	mix := func(counts ...int64) *workload { return mixedWorkload(t, counts) }
	first, last := mix(10, 10), mix(20, 10)
	for _, c := range []struct {
		whole *workload
		want  float64
	}{{mix(100, 10), 0}, {mix(70, 60), 0.5}, {mix(20, 90), 1}} {
		if got := mixError(c.whole, first, last); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// mixedWorkload executes so many instructions of each class.
func mixedWorkload(t *testing.T, counts []int64) *workload {
	f := newFixture(t, 1, "alu")
	classes := make([]idg.InstrID, len(counts))
	for i := range classes {
		classes[i] = f.class([]string{"add.f32", "mul.f32"}[i], "alu", "1", "4")
	}
	f.builder.Begin(0)
	for i, n := range counts {
		for range n {
			f.builder.Add(classes[i])
		}
	}
	s, err := NewLaunch(f.graph(1), &f.mapping).plan(Config{})
	if err != nil {
		t.Fatal(err)
	}
	return s.work
}

// TestCut: loops within each other lose the share of instructions that others lose.
func TestCut(t *testing.T) {
	c := cut{0.01, map[int64]int{1000: 2, 10000: 1, 63: 0, 100: 1}}
	for count, want := range map[int64]int64{1000: 100, 10000: 100, 63: 63, 100: fewestTrips} {
		if got := c.trips(count); got != want {
			t.Errorf("of %d iterations %d are left, not %d", count, got, want)
		}
	}
}

// TestShorten: what is left of loops takes a budget, of ten waves where a launch has more.
func TestShorten(t *testing.T) {
	f := newFixture(t, 1, "alu")
	add := f.class("add.f32", "alu", "1", "4")
	f.begin()
	f.builder.BeginLoop()
	for i := range 50 {
		if i > 0 {
			f.builder.NextIteration()
		}
		f.builder.Add(add)
	}
	f.builder.EndLoop()
	g := repeated(t, f.graph(1), "10000000")
	for _, groups := range []int64{1, 7, 20, 21, 50, 1000} {
		s, err := NewLaunch(g, &f.mapping).plan(Config{Groups: groups, Concurrent: min(2, groups)})
		if err != nil {
			t.Fatal(err)
		}
		const budget = 100_000
		c := s.shorten(budget)
		issues := c.issues(s.work) / float64(groups) * float64(min(20, groups))
		if issues > budget || issues < 0.9*budget {
			t.Errorf("%d groups: %v issues of ten waves", groups, issues)
		}
	}
}
