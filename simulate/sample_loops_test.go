package simulate

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/cputime"
	"gpupipe/internal/tools"
	"gpupipe/latencies"
)

// The kernels of TestLoopSampling, and the longest full run that it makes:
//
//	go test ./simulate -run TestLoopSampling -v -loops.kernels 100 -loops.seed 7 -loops.issues 10000000
var (
	loopKernels = flag.Int("loops.kernels", tools.Cases(8, 2),
		"random kernels with long loops on which sampling is tested")
	loopSeed   = flag.Uint64("loops.seed", 1, "seed of the random kernels with long loops")
	loopIssues = flag.Int64("loops.issues", 1_000_000,
		"full runs of random kernels with long loops are at most so long")
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

// sampledLoops are the errors of sampled runs.
type sampledLoops struct {
	errs            []float64
	within          int
	beyond, left    float64
	full, quick     int64 // instructions simulated
	time, quickTime float64
}

func (s *sampledLoops) add(r, full *Result) {
	e := math.Abs(r.Cycles.Float()/full.Cycles.Float() - 1)
	s.errs = append(s.errs, e)
	s.left += float64(r.LeftOutIssues) / float64(r.Issued)
	s.full, s.quick = s.full+full.Issued-full.SkippedIssues, s.quick+r.Issued-r.SkippedIssues-r.LeftOutIssues
	if e <= r.Sampling.Bound+1e-12 {
		s.within++
	} else {
		s.beyond = max(s.beyond, e-r.Sampling.Bound)
	}
}

func (s *sampledLoops) String() string {
	n := len(s.errs)
	if n == 0 {
		return "none"
	}
	slices.Sort(s.errs)
	at := func(q float64) float64 { return 100 * s.errs[min(n-1, int(q*float64(n)))] }
	return fmt.Sprintf("%d sampled, %.0f%% of their instructions left out; error %.3f%% in the middle, %.2f%% at "+
		"95%%, %.2f%% at most; %d (%.1f%%) within the bound, others beyond it by at most %.2f%%; full runs simulated "+
		"%.1f times as much, in %.1f s, not %.1f s",
		n, 100*s.left/float64(n), at(0.5), at(0.95), at(1), s.within, 100*float64(s.within)/float64(n), 100*s.beyond,
		float64(s.full)/float64(s.quick), s.time, s.quickTime)
}

// TestLoopSampling compares runs in which iterations of long loops are left out with
// full ones: the error is within the bound that is stated in at least 95 of 100 cases, and
// what was not simulated is said.
func TestLoopSampling(t *testing.T) {
	var precise, coarse, short sampledLoops
	cases := 0
	for k := range uint64(*loopKernels) {
		r := rand.New(rand.NewPCG(*loopSeed, k))
		trips := []int{1500 + r.IntN(3000)}
		if r.IntN(2) == 0 {
			trips = append(trips, 1000+r.IntN(8000))
		}
		f := longLoopKernel(t, *loopSeed<<32+k, 1+r.IntN(2), trips)
		g := f.graph(1)
		l := NewLaunch(g, &f.mapping)
		for _, m := range []int64{1, 3, 8, 16} {
			if m*int64(f.warps) > maxFastPlaces {
				continue
			}
			for _, mode := range []IssueMode{InOrder, Blocks} {
				cfg := Config{Full: true, Issue: mode, Scheduler: Scheduler(1 + r.IntN(len(latencies.Schedulers()))),
					Concurrent: m, Groups: m*(1+r.Int64N(2)) + m/2*r.Int64N(2), MaxEvents: *loopIssues}
				cases++
				start := cputime.Used()
				full, err := l.Run(context.Background(), cfg)
				took := (cputime.Used() - start).Seconds()
				if err != nil {
					if !strings.Contains(err.Error(), "the limit of") {
						t.Fatal(err)
					}
					continue
				}
				run := func(into *sampledLoops, precision float64) {
					c := cfg
					c.Full, c.Precision = false, precision
					start := cputime.Used()
					got := f.run(g, c)
					name := fmt.Sprintf("kernel %d, %v, %v, %d groups, %d at once, precision %v", k, mode,
						cfg.Scheduler, cfg.Groups, m, precision)
					if got.LeftOutIssues == 0 {
						if got.Extrapolated || got.Cycles != full.Cycles {
							t.Errorf("%s: nothing left out, but %v cycles, not %v", name, got.Cycles, full.Cycles)
						}
						return
					}
					into.quickTime += (cputime.Used() - start).Seconds()
					into.time += took
					if s := got.Sampling; !got.Extrapolated || s == nil || s.Bound > s.Asked || len(got.Notes) == 0 ||
						got.Issued != full.Issued ||
						got.SimulatedGroups != full.SimulatedGroups+full.SkippedGroups-got.SkippedGroups {
						t.Errorf("%s: %+v, notes %q, %d groups simulated", name, s, got.Notes, got.SimulatedGroups)
					}
					if a, b := got.Waiting, full.Waiting; math.Abs(a.Resident/b.Resident-1) > 0.1 {
						t.Errorf("%s: warps live %v cycles, not %v", name, a.Resident, b.Resident)
					}
					before := into.within
					into.add(got, full)
					if before == into.within {
						t.Logf("%s: error %.3f%%, bound %.3f%%", name, 100*(got.Cycles.Float()/full.Cycles.Float()-1),
							100*got.Sampling.Bound)
					}
				}
				run(&precise, 0.03)
				run(&coarse, 0.04)
				run(&short, phaseShift)
			}
		}
	}
	t.Logf("%d cases; to 3%%: %v", cases, &precise)
	t.Logf("to 4%%: %v", &coarse)
	if len(short.errs) > 0 {
		t.Errorf("%d runs are sampled to less than phases may be worth", len(short.errs))
	}
	for _, s := range []*sampledLoops{&precise, &coarse} {
		if len(s.errs) < cases/20 || float64(s.within) < 0.95*float64(len(s.errs)) {
			t.Errorf("%d of %d cases sampled, %d within the bound", len(s.errs), cases, s.within)
		}
	}
}

// leaps records what a loopSampler does to an engine.
type leaps struct {
	fastEngine
	turns []int64 // by place
	time  Tick
	idle  int // warps that stayed where they were
}

func (l *leaps) skipTurns(place, loop int, iterations int64) {
	l.turns[place] += iterations
	l.fastEngine.skipTurns(place, loop, iterations)
}

func (l *leaps) shift(t, warps Tick) {
	l.time += t
	l.fastEngine.shift(t, warps)
}

func (l *leaps) stay(place int, t Tick) {
	l.idle++
	l.fastEngine.stay(place, t)
}

// TestLeapIsFewerIterations holds what leaving out iterations does to a run: but
// for the time of those, it is to the tick the run, by the reference engine, of a launch
// whose warps have as many iterations less. The time in which warps are resident is
// still the sum of the times for which they wait.
func TestLeapIsFewerIterations(t *testing.T) {
	leapt, uneven, idle := 0, 0, 0
	for k := range uint64(tools.Cases(18, 6)) {
		r := rand.New(rand.NewPCG(k, 9))
		trips := []int{600 + r.IntN(900), 600 + r.IntN(900)}[:1+r.IntN(2)]
		f := longLoopKernel(t, k, 1, trips)
		m := 1 + r.Int64N(4)
		for _, mode := range []IssueMode{InOrder, Blocks} {
			cfg := Config{Precision: 0.9, NoSkipping: true, Issue: mode,
				Scheduler: Scheduler(1 + r.IntN(len(latencies.Schedulers()))), Groups: m, Concurrent: m}
			s, err := (&Launch{kinds: []GroupKind{{f.graph(1), &f.mapping, 1}}}).prepare(cfg)
			if err != nil {
				t.Fatal(err)
			}
			e := s.newFastEngine()
			l := &leaps{fastEngine: e.engine, turns: make([]int64, e.slots*e.perSlot)}
			e.engine = l
			for slot := range e.slots {
				e.start(slot)
			}
			if err := l.run(context.Background()); err != nil {
				t.Fatal(err)
			}
			if l.time == 0 {
				continue
			}
			leapt++
			idle += l.idle
			var waits span
			for i := range e.table {
				waits.addBig(e.table[i].waited.big())
				waits.addBig(e.table[i].queued.big())
			}
			if waits != e.resident {
				t.Errorf("kernel %d, %v, %v: warps are resident for %v ticks and wait for %v", k, mode, cfg.Scheduler,
					e.resident, waits)
			}
			if slices.Min(l.turns) != slices.Max(l.turns) {
				uneven++
			}
			var kinds []GroupKind
			for slot := range int(m) {
				if turns := l.turns[slot*e.perSlot:][:e.perSlot]; e.kinds[0].programs[0].barrierCount > 0 &&
					slices.Min(turns) != slices.Max(turns) {
					t.Errorf("kernel %d, %v, %v: warps that meet at barriers have %v iterations less", k, mode,
						cfg.Scheduler, turns)
				}
				left := make([]int, f.warps)
				for w := range left {
					left[w] = trips[w%len(trips)] - int(l.turns[slot*int(f.warps)+w])
				}
				short := longLoopKernel(t, k, 1, left)
				short.mapping.Device = f.mapping.Device
				kinds = append(kinds, GroupKind{short.graph(1), &short.mapping, 1})
			}
			want := f.runKinds(kinds, Config{Full: true, Engine: EngineReference, Issue: mode, Scheduler: cfg.Scheduler,
				Groups: m, Concurrent: m})
			if got := e.time.cycles(e.end - l.time); got != want.Cycles || e.issued-e.loops.leftOut != want.Issued {
				t.Errorf("kernel %d, %v, %v: %v cycles of %d instructions without what was left out, want %v of %d", k,
					mode, cfg.Scheduler, got, e.issued-e.loops.leftOut, want.Cycles, want.Issued)
			}
		}
	}
	t.Logf("iterations were left out of %d runs, of these not equally many of all warps in %d; %d warps did nothing",
		leapt, uneven, idle)
	if leapt < tools.Cases(15, 5) || uneven < 3 || idle < tools.Cases(1, 0) {
		t.Errorf("iterations were left out of %d runs only, not equally many of all warps of %d, with %d warps that "+
			"did nothing", leapt, uneven, idle)
	}
}
