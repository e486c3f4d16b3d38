package simulate

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

func instructions(g *idg.Graph) int64 {
	n := int64(0)
	for _, p := range g.Programs() {
		n += p.Len() * int64(len(p.Warps))
	}
	return n
}

// TestExtrapolationError compares the default mode with full runs. Where waves
// repeat it is exact; elsewhere its error is stated here for 3 waves, the least
// that is ever simulated (and then only if they have DefaultBudget instructions
// or more, while most of these kernels are tiny), and for 20.
func TestExtrapolationError(t *testing.T) {
	worst := map[int64]float64{}
	cases, within := 0, 0
	for _, c := range []struct {
		name  string
		f     *fixture
		m     int64
		exact bool // round-robin
	}{
		{"example", exampleKernel(t), 3, true},
		{"example", exampleKernel(t), 7, true},
		{"example", exampleKernel(t), 16, true},
		{"mixed", mixedKernel(t, 200), 8, false},
		{"mixed", mixedKernel(t, 200), 40, false},
		{"mmul 8x8", tiledKernel(t, 8, 8), 12, false},
		{"mmul 8x8", tiledKernel(t, 8, 8), 32, false},
		{"mmul 16x16", tiledKernel(t, 16, 4), 3, false},
		{"mmul 16x16", tiledKernel(t, 16, 4), 8, false},
	} {
		g := c.f.graph(1)
		n := 24*c.m + c.m/2
		for _, s := range latencies.Schedulers()[:tools.Cases(4, 1)] {
			full := c.f.run(g, Config{Full: true, Groups: n, Concurrent: c.m, Scheduler: s})
			for _, waves := range []int64{3, 20} {
				r := c.f.run(g, Config{Budget: waves * c.m * instructions(g), Groups: n, Concurrent: c.m, Scheduler: s,
					NoSkipping: true})
				if !r.Extrapolated || full.Extrapolated || r.SimulatedGroups != waves*c.m+c.m/2 {
					t.Fatalf("%s, %d waves: %d groups simulated, extrapolated %t", c.name, waves, r.SimulatedGroups,
						r.Extrapolated)
				}
				if r.Issued != full.Issued || r.Subsystems[0].Busy != full.Subsystems[0].Busy {
					t.Errorf("%s: %d issued and %v busy, fully simulated %d and %v", c.name, r.Issued,
						r.Subsystems[0].Busy, full.Issued, full.Subsystems[0].Busy)
				}
				e := math.Abs(r.Cycles.Float()/full.Cycles.Float() - 1)
				worst[waves] = max(worst[waves], e)
				if _, text, ok := strings.Cut(strings.Join(r.Notes, "; "), "cycles within about "); ok {
					percent, err := strconv.ParseFloat(text[:strings.Index(text, "%")], 64)
					if err != nil {
						t.Fatal(err)
					}
					if cases++; 100*e <= percent {
						within++
					}
				}
				if c.exact && s == RoundRobin && e != 0 {
					t.Errorf("%s, %d at once, %d waves: %v cycles, want %v", c.name, c.m, waves, r.Cycles, full.Cycles)
				}
			}
		}
	}
	t.Logf("largest error: %.2f%% with 3 waves, %.2f%% with 20; %d of %d within the stated bound", 100*worst[3],
		100*worst[20], within, cases)
	if cases == 0 || float64(within) < 0.97*float64(cases) {
		t.Errorf("%d of %d errors are within the stated bound", within, cases)
	}
	if worst[3] > 0.08 || worst[20] > 0.01 {
		t.Errorf("largest error %.2f%% with 3 waves, %.2f%% with 20: more than 8%% and 1%%", 100*worst[3],
			100*worst[20])
	}
}

// TestLeastTime: a run is given up, before half of it is simulated, if it takes a quarter more than the limit, and on
// average so if it takes 5% more; not if it takes less: the least time is too long for no more than 1 run in 100.
func TestLeastTime(t *testing.T) {
	runs, over := 0, 0
	var simulated, issued int64 // of runs slower than the limit by 5%
	kernels := sampledKernels(t)
	for _, name := range slices.Sorted(maps.Keys(kernels)) {
		f := kernels[name]()
		g := f.graph(1)
		for i, m := range []int64{3, 6, 1, 12}[:tools.Cases(4, 2)] {
			for _, n := range []int64{40*m + m/2, 24 * m, 8*m + 1, 3*m + m/2} {
				cfg := Config{Full: true, Groups: n, Concurrent: m, Scheduler: Scheduler(1 + (i+len(name))%4),
					Issue: InOrder, NoSkipping: true}
				l := &Launch{kinds: []GroupKind{{g, &f.mapping, n}}}
				full, err := l.Run(t.Context(), cfg)
				if err != nil {
					t.Fatal(err)
				}
				within := func(limit float64) (*Result, float64, int64) {
					before := l.Simulated()
					r, least, err := l.RunWithin(t.Context(), cfg, limit)
					if err != nil {
						t.Fatal(err)
					}
					return r, least, l.Simulated() - before
				}
				if n > 20*m {
					if r, _, some := within(full.Seconds / 1.25); r != nil || 2*some > full.Issued {
						t.Errorf("%s, %d groups, %d at once: %d of %d instructions simulated, given up: %t", name, n, m,
							some, full.Issued, r == nil)
					}
					_, _, some := within(full.Seconds / 1.05)
					simulated, issued = simulated+some, issued+full.Issued
				}
				runs++
				r, least, _ := within(full.Seconds)
				if r == nil && least > full.Seconds*(1+1e-9) {
					t.Logf("%s, %d groups, %d at once: at least %.3f of the time", name, n, m, least/full.Seconds)
					over++
				}
			}
		}
	}
	share := float64(simulated) / float64(issued)
	t.Logf("%d of %d given up in vain, others with %.0f%% simulated", over, runs, 100*share)
	if share > 0.5 {
		t.Errorf("%.0f%% of runs are simulated that take 5%% more than the limit", 100*share)
	}
	if 100*over > runs {
		t.Errorf("%d of %d runs are given up that are as fast as the limit", over, runs)
	}
}

// TestExtrapolationOfMmul is the case that the default is made for: mmul 8x8 with
// the 128 iterations of 1024x1024, though for an eighth of the groups that a
// compute unit of a GTX 1060 runs; within 0.5%.
func TestExtrapolationOfMmul(t *testing.T) {
	f := tiledKernel(t, 8, 128)
	g := f.graph(211)
	r, full := f.run(g, Config{}), f.run(g, Config{Full: true})
	if !r.Extrapolated || r.ConcurrentGroups != 32 || full.Issued < 1.6e6 {
		t.Fatalf("%d groups simulated of %d, %d at once, %d instructions", r.SimulatedGroups, r.Groups,
			r.ConcurrentGroups, full.Issued)
	}
	if e := r.Cycles.Float()/full.Cycles.Float() - 1; math.Abs(e) > 0.005 {
		t.Errorf("%v cycles, fully simulated %v: error %.2f%%", r.Cycles, full.Cycles, 100*e)
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		cfg            Config
		n, m, perGroup int64
		want           extent
	}{
		// fits the budget
		{Config{Budget: 1000}, 100, 10, 10, extent{total: 100, concurrent: 10, simulated: 100, measured: 0}},
		// ten waves and a rest
		{Config{Budget: 1000}, 101, 10, 10, extent{total: 101, concurrent: 10, simulated: 101, measured: 0}},
		// the rest is kept
		{Config{Budget: 1000}, 111, 10, 10, extent{total: 111, concurrent: 10, simulated: 101, measured: 4}},
		// as asked
		{Config{Budget: 1000, Full: true}, 111, 10, 10, extent{total: 111, concurrent: 10, simulated: 111,
			measured: 0}},
		// never below three waves
		{Config{Budget: 1}, 45, 10, 10, extent{total: 45, concurrent: 10, simulated: 35, measured: 1}},
		// nothing to gain
		{Config{Budget: 1}, 39, 10, 10, extent{total: 39, concurrent: 10, simulated: 39, measured: 0}},
		// whatever the size
		{Config{Budget: 1}, 1e12, 1, 10, extent{total: 1e12, concurrent: 1, simulated: 3, measured: 1}},
		//
		{Config{Budget: 1000}, 1e12, 3, 10, extent{total: 1e12, concurrent: 3, simulated: 33*3 + 1, measured: 15}},
		// one wave
		{Config{Budget: 1}, 5, 5, math.MaxInt64 / 8, extent{total: 5, concurrent: 5, simulated: 5, measured: 0}},
		// mmul
		{Config{Budget: 1e6}, 1639, 32, 7938, extent{total: 1639, concurrent: 32, simulated: 3*32 + 1639%32,
			measured: 1}},
	} {
		c.want.perGroup, c.want.issues = c.perGroup, c.n*c.perGroup
		if got := plan(c.cfg, c.n, c.m, c.n*c.perGroup); got != c.want {
			t.Errorf("budget %d, N %d, M %d, G %d: %+v, want %+v", c.cfg.Budget, c.n, c.m, c.perGroup, got, c.want)
		}
	}
}
