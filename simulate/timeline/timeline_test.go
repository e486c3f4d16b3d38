package timeline

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// twoWaves is a run of 4 groups of one warp, two at a time, each a chain of
// three instructions on one pipeline (λ 1, Λ 6).
func twoWaves(t *testing.T) (*simulate.Result, *idg.Graph) {
	t.Helper()
	cycles := func(n uint32) latencies.Cycles { return latencies.WholeCycles(n) }
	b := idg.NewBuilder()
	in := b.Instr(idg.Instr{Op: "ld.global", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 1}})
	b.Begin(0)
	for i := range idg.Executed(3) {
		if i == 0 {
			b.Add(in)
		} else {
			b.Add(in, idg.Edge{From: i - 1, Kind: idg.Data})
		}
	}
	g, err := b.Build(idg.Header{
		Source: idg.Source{File: "k.cl", Dialect: "opencl"}, Kernel: "k", Level: "O2", Compiler: "none",
		Launch: idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{4, 1, 1}, WarpSize: 32},
	})
	if err != nil {
		t.Fatal(err)
	}
	m := &latencies.Mapping{
		Device: &latencies.Device{Name: "d", ComputeUnits: 1, ClockHz: 1e9, WarpSize: 32, Partitions: 1,
			Subsystems: []latencies.Subsystem{{Name: "alu"}}},
		Subsystems: []string{"alu"},
		Entries:    []latencies.Entry{{Timing: latencies.Timing{CPI: cycles(1), Latency: cycles(6)}}},
	}
	r, err := simulate.Run(context.Background(), g, m, simulate.Config{Concurrent: 2, Profile: true})
	if err != nil {
		t.Fatal(err)
	}
	return r, g
}

// TestTimeline: groups 0 and 1 start at 0 and end at 18 and 19; 2 and 3 take
// their places and end at 36 and 37.
func TestTimeline(t *testing.T) {
	r, _ := twoWaves(t)
	l, err := New(r.Profile)
	if err != nil {
		t.Fatal(err)
	}
	want := []Lifetime{{0, 0, 0, 18}, {1, 0, 0, 19}, {2, 0, 18, 36}, {3, 0, 19, 37}}
	if len(l.Lifetimes) != len(want) {
		t.Fatalf("lifetimes %v", l.Lifetimes)
	}
	for i := range want {
		if l.Lifetimes[i] != want[i] {
			t.Errorf("lifetime %d: %v, want %v", i, l.Lifetimes[i], want[i])
		}
	}
	if l.End != 37 || l.Peak != 2 || math.Abs(l.Mean-73./37) > 1e-12 {
		t.Errorf("end %v, peak %d, mean %v; want 37, 2, 73/37", l.End, l.Peak, l.Mean)
	}
	// A place that is taken over at once is not a step.
	steps := []Step{{0, 2}, {18, 2}, {19, 2}, {36, 1}, {37, 0}}
	for i, s := range steps {
		if l.Steps[i] != s {
			t.Errorf("step %d: %v, want %v", i, l.Steps[i], s)
		}
	}
	if got := l.Between(35, 37); got != 1.5 {
		t.Errorf("%v warps from 35 to 37, want 1.5", got)
	}
	// Little's law: the mean occupancy is throughput × mean life.
	if lives := l.Lives(); math.Abs(l.Mean-float64(lives.Count)/l.End*lives.Mean) > 1e-12 {
		t.Errorf("mean occupancy %v, throughput × life %v", l.Mean, float64(lives.Count)/l.End*lives.Mean)
	}
}

func TestSpread(t *testing.T) {
	s := newSpread([]float64{5, 1, 2, 4, 3})
	if s.Count != 5 || s.Min != 1 || s.Median != 3 || s.Mean != 3 || s.P90 != 5 || s.Max != 5 {
		t.Errorf("%+v", s)
	}
	bins := s.Bins(2)
	if len(bins) != 2 || bins[0] != (Bin{1, 3, 2}) || bins[1] != (Bin{3, 5, 3}) {
		t.Errorf("bins %v", bins)
	}
	if b := newSpread([]float64{7, 7}).Bins(4); len(b) != 1 || b[0] != (Bin{7, 7, 2}) {
		t.Errorf("bins of equal values: %v", b)
	}
	if b := newSpread(nil).Bins(4); b != nil {
		t.Errorf("bins of nothing: %v", b)
	}
}

func TestLatencies(t *testing.T) {
	r, _ := twoWaves(t)
	p := r.Profile
	list := Latencies(p, func(op string) bool { return strings.HasPrefix(op, "ld.") })
	if len(list) != 1 || list[0].Op != "ld.global" || list[0].Count != 12 || list[0].Min != 6 || list[0].Max != 6 {
		t.Errorf("%+v", list)
	}
	if list := Latencies(p, func(string) bool { return false }); list != nil {
		t.Errorf("%+v", list)
	}
}

func TestNoTimeline(t *testing.T) {
	for want, p := range map[string]*simulate.Profile{
		"no profile": nil, "the run has no": {},
		"before the run does": {Truncated: true, Issues: make([]simulate.Issue, 1)},
	} {
		if _, err := New(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestSpreadPercentiles: the percentiles of V16 T.6.6, of 0 to 100 in any order.
func TestSpreadPercentiles(t *testing.T) {
	var values []float64
	for i := range 101 {
		values = append(values, float64(i*37%101))
	}
	s := newSpread(values)
	if got := [6]float64{s.P5, s.P25, s.Median, s.P75, s.P90, s.P95}; got != [6]float64{5, 25, 50, 75, 90, 95} {
		t.Errorf("5%%, 25%%, 50%%, 75%%, 90%% and 95%% are %v", got)
	}
}

// TestCritical: the chain of a warp is all of its instructions, each for the latency of the one before.
func TestCritical(t *testing.T) {
	r, g := twoWaves(t)
	c, err := NewCritical(r.Profile, g)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Verify(); err != nil {
		t.Error(err)
	}
	// 18 or 19 cycles are as near the mean: the first is taken.
	if c.Warp.Cycles() != 18 || c.Last != 6 || len(c.Links) != 1 ||
		c.Links[0] != (Link{Op: "ld.global", Pos: idg.Pos{File: "k.cl", Line: 1}, Times: 3, Waited: 12}) {
		t.Errorf("%+v", c)
	}
}

// TestCriticalOfQueue: an instruction that depends on the order of one that waits in a queue waits for its issue, not
// for its turn.
func TestCriticalOfQueue(t *testing.T) {
	b := idg.NewBuilder()
	load := b.Instr(idg.Instr{Op: "ld.global", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 1}})
	add := b.Instr(idg.Instr{Op: "add.f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 2}})
	b.Begin(0)
	b.Add(load)
	queued := b.Add(load) // issues at 0, its turn is at 10
	sum := b.Add(add)     // complete at 12
	b.Add(add, idg.Edge{From: queued, Kind: idg.Order}, idg.Edge{From: sum, Kind: idg.Data})
	g, err := b.Build(idg.Header{
		Source: idg.Source{File: "k.cl", Dialect: "opencl"}, Kernel: "k", Level: "O2", Compiler: "none",
		Launch: idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{1, 1, 1}, WarpSize: 32},
	})
	if err != nil {
		t.Fatal(err)
	}
	timing := func(cpi, latency uint32) latencies.Timing {
		return latencies.Timing{CPI: latencies.WholeCycles(cpi), Latency: latencies.WholeCycles(latency)}
	}
	m := &latencies.Mapping{
		Device: &latencies.Device{
			Name: "d", ComputeUnits: 1, ClockHz: 1e9, WarpSize: 32, Partitions: 1,
			Subsystems: []latencies.Subsystem{{Name: "memory", Queue: 4}, {Name: "alu"}},
		},
		Subsystems: []string{"memory", "alu"},
		Entries:    []latencies.Entry{{Timing: timing(10, 10)}, {Subsystem: 1, Timing: timing(1, 12)}},
	}
	r, err := simulate.Run(t.Context(), g, m, simulate.Config{Profile: true})
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCritical(r.Profile, g)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Verify(); err != nil {
		t.Error(err)
	}
	if len(c.Links) != 1 || c.Links[0].Op != "add.f32" || c.Links[0].Times != 2 {
		t.Errorf("the sequence is %+v, want the two additions", c.Links)
	}
}

// TestCondense: what repeats is told once, with the number and the time of all.
func TestCondense(t *testing.T) {
	var links []Link
	for _, op := range strings.Fields("a b c c b c b c d") {
		links = append(links, Link{Op: op, Times: 1, Waited: 1})
	}
	want := []Link{{Op: "a", Times: 1, Waited: 1}, {Op: "b", Times: 3, Waited: 3}, {Op: "c", Times: 4, Waited: 4},
		{Op: "d", Times: 1, Waited: 1}}
	if got := condense(links); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}
