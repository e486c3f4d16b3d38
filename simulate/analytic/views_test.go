package analytic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestWorksheet: the bound is the row of most cycles, and 1/cycles is the
// throughput bound.
func TestWorksheet(t *testing.T) {
	in := Mix{CompCPI: 0.25, CompLatency: 6, MemCPI: 12, MemLatency: 345, IssueLimit: 4}.Input(10, 3)
	w := NewWorksheet(in)
	want := []WorksheetRow{{mixComp, 30, 7.5}, {mixMem, 3, 36}, {nameIssue, 33, 8.25}}
	if len(w.Rows) != len(want) {
		t.Fatalf("%+v", w)
	}
	for i := range want {
		if w.Rows[i] != want[i] {
			t.Errorf("row %d: %+v, want %+v", i, w.Rows[i], want[i])
		}
	}
	if w.Bound != mixMem || w.Cycles != 36 || w.WarpsPerCycle != 1./36 {
		t.Errorf("%+v", w)
	}
}

// TestLittle: concurrency is latency × throughput, by hand, and the verdict names
// what is not hidden.
func TestLittle(t *testing.T) {
	in := Mix{CompCPI: 1, CompLatency: 10, MemCPI: 8, MemLatency: 400}.Input(4, 1) // roof 1/8, Λ_app 440
	l := NewLittle(in, 11, 11./440)
	if l.NeededWarps != 55 || l.Warps != 11 {
		t.Errorf("%v of %v warps, want 11 of 55", l.Warps, l.NeededWarps)
	}
	want := []Concurrency{
		{Subsystem: mixComp, CPI: 1, Latency: 10, Saturating: 10, SaturatingWarps: 110, Needed: 5, Available: 1,
			Chain: 40. / 440},
		{Subsystem: mixMem, CPI: 8, Latency: 400, Saturating: 50, SaturatingWarps: 55, Needed: 50, Available: 10,
			Chain: 400. / 440},
	}
	for i := range want {
		if got := l.Subsystems[i]; got != want[i] {
			t.Errorf("%+v, want %+v", got, want[i])
		}
	}
	for _, c := range []struct {
		warps, rate float64
		want        string
	}{
		{11, 11. / 440, "the latency of memory is not hidden: it is 91% of a warp's longest chain, and 11 of 55 " +
			"warps are there"},
		{60, 1. / 8, "all latency is hidden: the bound is subsystem memory"},
		{60, 0.1, "55 warps should be enough, but they run in lockstep: 80% of the bound by subsystem memory " +
			"is reached"},
	} {
		other := *in // the order of subsystems says nothing
		other.Subsystems = slices.Clone(in.Subsystems)
		slices.Reverse(other.Subsystems)
		for _, in := range []*Input{in, &other} {
			if got := NewLittle(in, c.warps, c.rate).Verdict; got != c.want {
				t.Errorf("%v warps at %v: %q, want %q", c.warps, c.rate, got, c.want)
			}
		}
	}
	small := *in // shares of the chain do not depend on how long it is
	small.Subsystems = slices.Clone(in.Subsystems)
	for i := range small.Subsystems {
		small.Subsystems[i].Chain /= 1000
	}
	for i, s := range NewLittle(&small, 11, 11./440).Subsystems {
		if math.Abs(s.Chain-want[i].Chain) > 1e-12 {
			t.Errorf("%v of a short chain, want %v", s.Chain, want[i].Chain)
		}
	}
	in.Memory.Loaded = &Loaded{Queueing: 30, Capacity: 170}
	if got := NewLittle(in, 60, 0.1).Verdict; !strings.Contains(got, "grows with it: 80%") {
		t.Errorf("%q", got)
	}
	in.Memory.Loaded = nil
	in.IssueLimit, in.IssueSlots = 0.1, 5
	if got := NewLittle(in, 60, 1./50).Verdict; !strings.Contains(got, "the issue limit") {
		t.Errorf("%q", got)
	}
}

// TestNeeded: the fewest warps by search are those of the cusp formula, within
// the 1% that counts as reached.
func TestNeeded(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 300 {
		m := randomMix(r)
		α := r.IntN(40)
		in := m.Input(α, 1)
		need := m.Needed(float64(α))
		const most = 4000
		want := int(math.Ceil(nearRoof*need - 1e-9))
		if got := Needed(volkov{}, in, most); want <= most && got != max(want, 1) {
			t.Fatalf("%+v, α %d: %d warps, want %d", m, α, got, want)
		}
	}
	if got := Needed(volkov{}, Mix{CompCPI: 1, CompLatency: 10, MemCPI: 1, MemLatency: 400}.Input(0, 1), 64); got != 0 {
		t.Errorf("%d warps of at most 64, want none", got)
	}
	in := Mix{CompCPI: 1, CompLatency: 10, MemCPI: 1, MemLatency: 400}.Input(4, 1)
	for _, m := range Models() {
		one, many := Evaluate(m, in, 1), Evaluate(m, in, 500)
		static := one.Invalid == "" && one.WarpsPerCycle == many.WarpsPerCycle
		if m.About().Static != static || static && Needed(m, in, 64) != 0 {
			t.Errorf("%s: static %t, asks for %d warps", m.About().Name, m.About().Static, Needed(m, in, 64))
		}
	}
}

// TestCusp: no other intensity needs more warps, where the cusp is one.
func TestCusp(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for range 300 {
		m := randomMix(r)
		top := m.Needed(m.Cusp())
		for _, f := range []float64{0, 0.5, 0.9, 1.1, 2, 10} {
			// Before the cusp the need grows with α; behind it falls towards the
			// computations' own.
			if got := m.Needed(f * m.Cusp()); got > max(top, m.Needed(math.Inf(1)))*(1+1e-9) {
				t.Fatalf("%+v: %v warps at %v times the cusp, %v at the cusp", m, got, f, top)
			}
		}
	}
	if m := (Mix{CompCPI: 1, CompLatency: 5, MemCPI: 2, MemLatency: 100}); m.Needed(1e12)/m.Needed(
		math.Inf(1))-1 > 1e-9 {
		t.Errorf("%v warps for ever more computations, %v for computations alone", m.Needed(1e12),
			m.Needed(math.Inf(1)))
	}
}

// TestMixOf: a mix of a mix is itself.
func TestMixOf(t *testing.T) {
	m := Mix{CompCPI: 0.5, CompLatency: 6, MemCPI: 12, MemLatency: 345, IssueLimit: 4, Schedulers: 4}
	if got, ok := MixOf(m.Input(7, 3)); !ok || got != m {
		t.Errorf("%+v, %t", got, ok)
	}
	for _, in := range []*Input{m.Input(7, 0), m.Input(0, 3), m.Input(0, 0)} {
		if _, ok := MixOf(in); ok {
			t.Errorf("%+v is a mix", in)
		}
		if _, ok := TransitFlows(in); ok {
			t.Errorf("%+v has supply and demand", in)
		}
	}
	if f, ok := TransitFlows(m.Input(7, 3)); !ok || f.Supply(1) <= 0 || f.Demand(0) != 0 {
		t.Errorf("%+v, %t", f, ok)
	}
}

// BenchmarkModels evaluates every model at every occupancy, for a warp of so many
// different intervals; mmul has 14.
func BenchmarkModels(b *testing.B) {
	for _, intervals := range []int{2, 14, 300} {
		in := Mix{CompCPI: 0.25, CompLatency: 6, MemCPI: 12, MemLatency: 345, IssueLimit: 4,
			Schedulers: 4}.Input(16, 256)
		for i := range intervals - len(in.Intervals) {
			in.Intervals = append(in.Intervals, Interval{Count: 8, Instructions: float64(i + 1), Stall: 6})
		}
		in.Memory.BytesPerWarp, in.Memory.ClockHz = 128*256, 1.5e9
		in.Memory.Loaded = &Loaded{Queueing: 30, Capacity: 170}
		models := Models()
		b.Run(fmt.Sprintf("warps=64/intervals=%d", intervals), func(b *testing.B) {
			for b.Loop() {
				for n := 1; n <= 64; n++ {
					for _, m := range models {
						Evaluate(m, in, float64(n))
					}
				}
			}
			b.ReportMetric(float64(b.N)*64*float64(len(models))/b.Elapsed().Seconds(), "estimates/s")
		})
	}
}

// TestAbout: each model says where it comes from, what it computes and when that holds.
func TestAbout(t *testing.T) {
	names := map[string]bool{}
	for _, m := range Models() {
		a := m.About()
		if a.Title == "" || a.Source == "" || a.Formula == "" || a.Assumes == "" || names[a.Name] {
			t.Errorf("%+v", a)
		}
		names[a.Name] = true
	}
}
