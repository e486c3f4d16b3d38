package simulate

import (
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// iterative adds the rounds of A's iterative barrier kernel: I, B, I, B, ...,
// where each I depends on the one before. The barrier waits for the completion
// of I (the article's chain) or for its issue only.
func iterative(f *fixture, i, b idg.InstrID, rounds int, forIssue bool) {
	if !forIssue {
		f.chain(repeat(rounds, i, b)...)
		return
	}
	f.begin()
	for r := range idg.Executed(rounds) {
		var before []idg.Edge
		if r > 0 {
			before = []idg.Edge{data(2*r - 2), control(2*r - 1)}
		}
		v := f.builder.Add(i, before...)
		f.builder.Add(b, order(v))
	}
}

// TestIterativeBarrier is golden 6, A Fig. 15. One group of G warps alone,
// m = max(λ_I, λ_B). All warps leave a barrier together, issue I one λ_I after
// the other, and arrive at the barrier m after each other:
//
//   - It waits for completion: the first warp arrives Λ_I after the start of the
//     round, the last (G-1)·m later, and Λ_B after that the next round starts: a
//     round takes Λ_I + (G-1)·m + Λ_B, and R rounds R times that.
//   - It waits for issue only: the first warp arrives after λ_I; but I depends on
//     the I before, so that a round takes at least Λ_I. R rounds take R-1 times
//     max(Λ_I, λ_I + (G-1)·m + Λ_B), and the last one until its barrier and its
//     last I, issued at (G-1)·λ_I, are complete.
//
// I and B on the same subsystem: no difference where it waits for completion and
// all G have issued I before the first completes, G·λ_I ≤ Λ_I.
func TestIterativeBarrier(t *testing.T) {
	const rounds = 7.0
	for _, p := range []struct {
		iCPI, iLatency, bCPI, bLatency float64
		texts                          [4]string
	}{
		{1, 18, 2, 40, [4]string{"1", "18", "2", "40"}},           // Fermi, A T.5
		{0.25, 6, 2.25, 70, [4]string{"0.25", "6", "2.25", "70"}}, // Pascal, A T.5
		{0.5, 4, 1.5, 17, [4]string{"0.5", "4", "1.5", "17"}},     // Turing, A T.5
		{4, 100, 1, 10, [4]string{"4", "100", "1", "10"}},         // λ_I above λ_B; Λ_I hides the barrier
		{4, 60, 4, 40, [4]string{"4", "60", "4", "40"}},
	} {
		for G := 1.0; G <= 32; G++ {
			run := func(subsystem string, forIssue bool) float64 {
				f := newFixture(t, int(G), "alu", "sync")
				i, b := f.class("add.f32", "alu", p.texts[0], p.texts[1]),
					f.class("barrier", subsystem, p.texts[2], p.texts[3])
				iterative(f, i, b, rounds, forIssue)
				return f.run(f.graph(1), Config{}).Cycles.Float()
			}
			m := max(p.iCPI, p.bCPI)
			if got, want := run("sync", false), rounds*(p.iLatency+(G-1)*m+p.bLatency); got != want {
				t.Errorf("%v, G %v, waits for completion: %v cycles, want %v", p.texts, G, got, want)
			}
			if G*p.iCPI <= p.iLatency {
				if got, want := run("alu", false), run("sync", false); got != want {
					t.Errorf("%v, G %v, same subsystem: %v cycles, want %v", p.texts, G, got, want)
				}
			}
			round := p.iCPI + (G-1)*m + p.bLatency
			want := (rounds-1)*max(p.iLatency, round) + max(round, p.iLatency+(G-1)*p.iCPI)
			if got := run("sync", true); got != want {
				t.Errorf("%v, G %v, waits for issue: %v cycles, want %v", p.texts, G, got, want)
			}
		}
	}
}

// TestLargeGroupsAreSlower is A Fig. 16: 32 warps at a time, in groups of 1 to
// 32; the larger the groups, the less their waiting at barriers is hidden.
func TestLargeGroupsAreSlower(t *testing.T) {
	for _, s := range latencies.Schedulers() {
		for _, forIssue := range []bool{false, true} {
			var before latencies.Cycles
			for _, G := range []int{8, 16, 32} {
				f := newFixture(t, G, "alu", "sync")
				i, b := f.class("add.f32", "alu", "0.25", "6"), f.class("barrier", "sync", "2.25", "70")
				iterative(f, i, b, 20, forIssue)
				r := f.run(f.graph(1), Config{Groups: int64(320 / G), Concurrent: int64(32 / G), Scheduler: s})
				if r.Cycles.Cmp(before) <= 0 {
					t.Errorf("%v, groups of %d: %v cycles, not slower than %v", s, G, r.Cycles, before)
				}
				if before = r.Cycles; G >= 16 && r.Bound.Kind != BoundBarrier {
					t.Errorf("%v, groups of %d: bound by %s", s, G, r.Bound.Text)
				}
			}
		}
	}
}

// TestMeasuredBarrier is V16 Listing 3.3 on Fermi: FADD issued at 540, the
// barrier at 546 (the issue interval, although FADD takes 18 cycles), the next
// instruction at 580 (the barrier's latency, 34).
func TestMeasuredBarrier(t *testing.T) {
	f := newFixture(t, 1, "alu", "sync")
	f.mapping.Device.IssueInterval = cycles(t, "6")
	iterative(f, f.class("add.f32", "alu", "1", "18"), f.class("barrier", "sync", "2", "34"), 2, true)
	r := f.run(f.graph(1), Config{Profile: true})
	for i, want := range []Tick{0, 546 - 540, 580 - 540, 586 - 540} {
		if got := r.Profile.Issues[i].Issued; got != want {
			t.Errorf("instruction %d issues at %d, want %d", i, got, want)
		}
	}
}

// TestFinishedWarpsArrive: a barrier that a warp never executes counts its end
// as its arrival, so that unequal programs do not wait for ever.
func TestFinishedWarpsArrive(t *testing.T) {
	for _, c := range []struct {
		name   string
		second func(f *fixture, i, st, b idg.InstrID)
		want   string
	}{
		// Warp 0: one barrier, then I. Barrier Λ = 10, I λ = 1, Λ = 4.
		// arrivals 0 and 1, 10, 4
		{"both execute it", func(f *fixture, i, st, b idg.InstrID) { f.builder.Add(b) }, "15"},
		// arrivals 0 and 4, 10, 4
		{"ends without it", func(f *fixture, i, st, b idg.InstrID) { f.builder.Add(i) }, "18"},
		// stores end after λ = 3
		{"ends with a store", func(f *fixture, i, st, b idg.InstrID) { f.builder.Add(st) }, "17"},
		{"has no instructions", func(f *fixture, i, st, b idg.InstrID) {}, "14"}, // arrivals 0 and 0
	} {
		f := newFixture(t, 2, "alu", "sync", "mem")
		i, st, b := f.class("add.f32", "alu", "1", "4"), f.class("st.global", "mem", "3", "100"),
			f.class("barrier", "sync", "1", "10")
		f.builder.Begin(0)
		first := f.builder.Add(b)
		f.builder.Add(i, control(first))
		f.builder.Begin(1)
		c.second(f, i, st, b)
		if r := f.run(f.graph(1), Config{}); r.Cycles.String() != c.want {
			t.Errorf("%s: %v cycles, want %s", c.name, r.Cycles, c.want)
		}
	}
}
