package simulate

import (
	"math"
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

// keplerMix is a warp of a GTX 680 that alternates between a load of device
// memory and so many additions, each waiting for the one before it.
func keplerMix(t testing.TB, adds, iterations int) *fixture {
	f := newFixture(t, 1, "alu", "memory")
	d := f.mapping.Device
	d.ComputeUnits, d.ClockHz, d.IssueLimit = 8, 1_124_000_000, cycles(t, "4") // V16 T.2.6, T.4.1
	d.Memory.SegmentBytes = 128
	// T.6.5
	d.Memory.Contention = &latencies.Contention{Unloaded: cycles(t, "300"), Queueing: cycles(t, "32"),
		Capacity: cycles(t, "170")}
	ld := f.class("ld.global", "memory", "7.474", "300") // 1 / 0.1338
	add := f.class("add.f32", "alu", "0.25", "9")
	f.chain(repeat(iterations, append([]idg.InstrID{ld}, repeat(adds, add)...)...)...)
	return f
}

// volkovKepler is V16 6.5 for the same, by bisection: loads per cycle of n warps.
func volkovKepler(n, adds float64) float64 {
	low, high := 0.0, 0.1338
	for range 60 {
		x := (low + high) / 2
		if x < min(n/(300+32*x/(0.1477-x)+9*adds), 0.1338, 4/(adds+1)) {
			low = x
		} else {
			high = x
		}
	}
	return low
}

// TestContention compares the simulated throughput with Volkov's formula, from
// few warps to saturation, where without contention the latency would already be
// hidden. Steady streams are what it is for; the rest is what start and end cost.
func TestContention(t *testing.T) {
	const iterations = 400
	for _, adds := range []int{0, 1, 8, 32} {
		f := keplerMix(t, adds, iterations)
		g := f.graph(1)
		for _, n := range []int64{40, 8, 64, 1, 16, 32, 36, 44, 48, 56}[:tools.Cases(10, 3)] {
			cfg := Config{Groups: n, Concurrent: n}
			r := f.run(g, cfg)
			got := float64(n*iterations) / r.Cycles.Float()
			want := volkovKepler(float64(n), float64(adds))
			if math.Abs(got/want-1) > 0.02 {
				t.Errorf("%d additions, %d warps: %.4f loads per cycle, V16 6.5 %.4f", adds, n, got, want)
			}
			c := r.Contention
			loaded := 300 + 32*want/(0.1477-want)
			if c == nil || c.Accesses != n*iterations || math.Abs(c.Mean/loaded-1) > 0.06 ||
				c.Longest.Float() < c.Mean {
				t.Errorf("%d additions, %d warps: contention %+v, expected a latency of %.0f", adds, n, c, loaded)
			}
			cfg.NoContention = true
			if r := f.run(g, cfg); r.Contention != nil ||
				adds == 0 && n == 40 && float64(n*iterations)/r.Cycles.Float() < 1.1*want {
				t.Errorf("%d warps without contention: %+v", n, r)
			}
		}
	}
}

// TestContentionParts: only accesses of device memory meet its load, and the end
// of a store does not.
func TestContentionParts(t *testing.T) {
	for op, want := range map[string]string{
		// s is 128 bytes / 3.2, 40 cycles: w² - 30·w = 40·63, w = 67.
		"ld.global": "77", "atomic.add.global": "77", "ld.private": "77",
		"st.global": "1", "ld.local": "10", "ld.constant": "10", "add.f32": "10",
	} {
		f := newFixture(t, 1, "memory")
		f.mapping.Device.Memory.Contention = &latencies.Contention{Queueing: cycles(t, "63"),
			Capacity: cycles(t, "3.2")}
		f.chain(f.class(op, "memory", "1", "10"))
		r := f.run(f.graph(1), Config{})
		if got := r.Cycles.String(); got != want {
			t.Errorf("%s takes %s cycles, want %s", op, got, want)
		}
		if counted := want == "77" || want == "1"; (r.Contention != nil) != counted {
			t.Errorf("%s: contention %+v", op, r.Contention)
		}
	}
	// What caches serve does not wait.
	f := newFixture(t, 1, "memory")
	f.mapping.Device.Memory.Contention = &latencies.Contention{Queueing: cycles(t, "63"), Capacity: cycles(t, "3.2")}
	f.chain(f.class("ld.global", "memory", "1", "10"))
	f.mapping.Entries[0].Served = latencies.Served{L2: 2, Memory: 2} // 64 bytes, b/2: w² - 10·w = 20·31
	if got := f.run(f.graph(1), Config{}).Cycles.String(); got != "40" {
		t.Errorf("half of it from L2: %s cycles, want 40", got)
	}
	// The number of transactions decides: four of 32 bytes, or one.
	for n, want := range map[int]string{4: "77", 1: "35"} {
		f := newFixture(t, 1, "memory")
		d := f.mapping.Device
		d.Memory.SegmentBytes = 32
		d.Memory.Contention = &latencies.Contention{Queueing: cycles(t, "63"), Capacity: cycles(t, "3.2")}
		f.chain(f.class("ld.global", "memory", "1", "10"))
		f.mapping.Entries[0].Transactions = n
		if got := f.run(f.graph(1), Config{}).Cycles.String(); got != want {
			t.Errorf("%d transactions take %s cycles, want %s", n, got, want)
		}
	}
}

// TestSpread has the latencies of a GTX 680's accesses lie around the mean of their load as V16 T.6.6 measured them, so
// that warps that do the same take different times; the mean time stays.
func TestSpread(t *testing.T) {
	kepler, err := latencies.Builtin("gtx680")
	if err != nil {
		t.Fatal(err)
	}
	f := keplerMix(t, 0, 124) // four times each latency
	g, cfg := f.graph(1), Config{Groups: 64, Concurrent: 64, Profile: true}
	mean := f.run(g, cfg)
	f.mapping.Device.Memory.Contention.Spread = kepler.Memory.Contention.Spread
	r := f.run(g, cfg)
	if got := r.Cycles.Float() / mean.Cycles.Float(); got < 1.02 || got > 1.15 {
		t.Errorf("the slowest warp ends %.2f times as late", got)
	}
	var all []float64
	for _, i := range r.Profile.Issues {
		all = append(all, float64(i.Complete-i.Issued)/float64(r.Profile.TicksPerCycle))
	}
	slices.Sort(all)
	for k, want := range []float64{340, 416, 488, 572, 708} {
		got := all[len(all)*latencies.SpreadPercents[k]/100]
		if math.Abs(got/want-1) > 0.05 {
			t.Errorf("%d%%: %.0f cycles, V16 %.0f", latencies.SpreadPercents[k], got, want)
		}
	}
}

// TestSpreadOffset: between two rows an offset is between theirs, beyond them that of the nearest; of an access that
// caches serve in part it is a part of that of the rest, which waits longer.
func TestSpreadOffset(t *testing.T) {
	s := spread{rows: []spreadRow{{wait: 100}, {wait: 200}}}
	for k := range draws {
		s.rows[0].offsets[k], s.rows[1].offsets[k] = Tick(1000+k), Tick(2000+k)
	}
	for i, c := range []struct {
		wait  Tick
		share float64
		want  Tick
	}{{50, 1, 1000}, {100, 1, 1000}, {125, 1, 1250}, {200, 1, 2000}, {500, 1, 2000}, {75, 0.5, 750}} {
		k := i * drawStep % draws
		if got, want := s.offset(c.wait, c.share), c.want+Tick(c.share*float64(k)); got != want {
			t.Errorf("an access that waits %d ticks, %v of it: %d, want %d", c.wait, c.share, got, want)
		}
	}
	if got := s.most(); got != 2000+draws-1 {
		t.Errorf("at most %d", got)
	}
}
