package simulate

import (
	"fmt"
	"math"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

// TestOnePipeline is golden 1, P19 Eq. 1: W warps of N dependent instructions
// on one (λ, Λ) pipeline take N·Λ + (W-1)·λ cycles if W ≤ Λ/λ, else
// Λ + (N·W-1)·λ; exactly, with the round-robin scheduler, when Λ is a multiple
// of λ.
func TestOnePipeline(t *testing.T) {
	for _, p := range []struct {
		cpi, latency string
		λ, Λ         float64
	}{
		{"1", "1", 1, 1}, {"1", "4", 1, 4}, {"1", "18", 1, 18}, {"2", "6", 2, 6}, {"8", "40", 8, 40},
		{"0.25", "6", 0.25, 6}, {"0.375", "6", 0.375, 6}, {"1/6", "9", 1. / 6, 9}, {"7", "210", 7, 210},
		{"3", "3", 3, 3},
	} {
		for n := 1; n <= 12; n++ {
			for w := 1; w <= 64; w += tools.Cases(1, 7) {
				f := newFixture(t, w, "alu")
				f.chain(repeat(n, f.class("add.f32", "alu", p.cpi, p.latency))...)
				got := f.run(f.graph(1), Config{}).Cycles.Float()
				want := float64(n)*p.Λ + float64(w-1)*p.λ
				if float64(w) > p.Λ/p.λ {
					want = p.Λ + float64(n*w-1)*p.λ
				}
				if math.Abs(got-want) > 1e-9*want {
					t.Fatalf("λ %s, Λ %s, N %d, W %d: %v cycles, want %v", p.cpi, p.latency, n, w, got, want)
				}
			}
		}
	}
}

// TestSchedulersThatStarve is the remark to golden 1: beyond W = Λ/λ, oldest
// first and greedy serve late warps last, whose chains then run alone at the
// end.
func TestSchedulersThatStarve(t *testing.T) {
	run := func(s Scheduler, warps int) float64 {
		f := newFixture(t, warps, "alu")
		f.chain(repeat(12, f.class("add.f32", "alu", "1", "6"))...)
		return f.run(f.graph(1), Config{Scheduler: s}).Cycles.Float()
	}
	for _, s := range []Scheduler{Oldest, GreedyThenOldest, GreedyThenYoungest} {
		for _, w := range []int{1, 3, 6} {
			if got, want := run(s, w), run(RoundRobin, w); got != want {
				t.Errorf("%v, %d warps up to Λ/λ: %v cycles, round-robin %v", s, w, got, want)
			}
		}
		for _, w := range []int{7, 9, 20} {
			if got, rr := run(s, w), run(RoundRobin, w); got <= rr {
				t.Errorf("%v, %d warps beyond Λ/λ: %v cycles, not later than round-robin's %v", s, w, got, rr)
			}
		}
	}
}

// TestFig1Kernel is golden 2, P19 Fig. 1: one warp takes
// Λ_index + λ_mem + Λ_mem + Λ_fmadd + λ_mem.
func TestFig1Kernel(t *testing.T) {
	for _, c := range []struct{ cpi, latency, want string }{
		{"23", "521", "603"}, // Fermi, P19 T.II: 18 + 23 + 521 + 18 + 23
		{"12", "378", "438"}, // 18 + 12 + 378 + 18 + 12
	} {
		f := newFixture(t, 1, "alu", "mem")
		index, load := f.class("index", "alu", "1", "18"), f.class("ld.global", "mem", c.cpi, c.latency)
		fma, store := f.class("fma.f32", "alu", "1", "18"), f.class("st.global", "mem", c.cpi, c.latency)
		f.begin()
		b := f.builder
		i := b.Add(index)
		x, y := b.Add(load, data(i)), b.Add(load, data(i))
		z := b.Add(fma, data(x), data(y))
		b.Add(store, data(z))
		if r := f.run(f.graph(1), Config{}); r.Cycles.String() != c.want {
			t.Errorf("λ %s, Λ %s: %v cycles, want %s", c.cpi, c.latency, r.Cycles, c.want)
		}
	}
}

// exampleKernel is the article's (A Fig. 1, Table 2): two independent
// computations, two reads and two more computations in a chain.
func exampleKernel(t testing.TB) *fixture {
	f := newFixture(t, 1, "comp", "mem")
	var comp, mem []idg.InstrID
	for range 4 {
		comp = append(comp, f.class("add.f32", "comp", "1", "4"))
	}
	for range 2 {
		mem = append(mem, f.class("ld.global", "mem", "2", "6"))
	}
	f.begin()
	b := f.builder
	c0, c1 := b.Add(comp[0]), b.Add(comp[1])
	m0 := b.Add(mem[0], data(c0), data(c1))
	c2 := b.Add(comp[2], data(m0))
	m1 := b.Add(mem[1], data(c2))
	b.Add(comp[3], data(m1))
	return f
}

// TestExampleKernel is golden 3: 25 cycles for one warp, a peak of 1/4 warp per
// cycle reached at 7 warps, and Volkov's min(1/4, ω/25) as the roof of what ω
// warps at a time achieve.
func TestExampleKernel(t *testing.T) {
	f := exampleKernel(t)
	g := f.graph(4000)
	if r := f.run(g, Config{Groups: 1}); r.Cycles.String() != "25" {
		t.Errorf("one warp takes %v cycles, want 25", r.Cycles)
	}
	for _, s := range latencies.Schedulers() {
		for ω := int64(1); ω <= 16; ω++ {
			r := f.run(g, Config{Concurrent: ω, Scheduler: s, Full: true})
			roof := min(0.25, float64(ω)/25)
			if r.WarpsPerCycle > roof {
				t.Errorf("%v, %d warps: %v warps per cycle above the roof %v", s, ω, r.WarpsPerCycle, roof)
			}
			// The roof is reached while warps do not meet, and beyond the cusp:
			// at 8 warps where the oldest goes first, while round-robin makes
			// warps ask for the same thing at the same time until there are 13.
			low := 0.79
			switch {
			case ω <= 2, s != RoundRobin && ω >= 8, ω >= 13:
				low = 0.997
			case s == GreedyThenYoungest:
				low = 0.8
			case s != RoundRobin:
				low = 0.88
			}
			if r.WarpsPerCycle < low*roof {
				t.Errorf("%v, %d warps: %v warps per cycle, below %v of the roof %v", s, ω, r.WarpsPerCycle, low, roof)
			}
			if need := r.Bound.NeededWarps; need != 7 {
				t.Errorf("%v, %d warps: %d needed, want 7 (%s)", s, ω, need, r.Bound.Text)
			}
		}
	}
}

// TestInstructionMix is golden 4, A Eqs. 43 to 45: β instructions of type 1
// (λ = 1), then one of type 2 (λ = 4), repeated, at full occupancy, on the three
// arrangements of subsystems. The instructions are independent of each other, so
// that the throughput is all there is to see. The run is longer than the steady
// state by the drain of the last instruction, Λ - λ; behind the issue limit, by
// the time until the two subsystems are in step.
func TestInstructionMix(t *testing.T) {
	const λ1, λ2, IL, warps, rounds = 1.0, 4.0, 1.0, 48, 40
	for _, s := range latencies.Schedulers() {
		for β := 1.0; β <= 16; β++ {
			drain := 18 - λ1
			if β/λ2 <= 1/λ1 {
				drain = 40 - λ2 // type 2 ends last
			}
			for _, c := range []struct {
				name       string
				subsystem2 string
				limit      string
				ipc        float64 // of type 1
				low, high  float64 // of what is not steady
			}{
				{"same subsystem", "one", "", β / (β*λ1 + λ2), 40 - λ2, 40 - λ2},
				{"separate subsystems", "two", "", min(1/λ1, β/λ2), drain, drain},
				{"separate behind the issue limit", "two", "1", min(1/λ1, β/λ2, β/(β+1)*IL), drain,
					mixStart(s, warps*λ2)},
			} {
				f := newFixture(t, warps, "one", "two")
				if c.limit != "" {
					f.mapping.Device.IssueLimit = cycles(t, c.limit)
				}
				one, two := f.class("add.f32", "one", "1", "18"), f.class("cos.f32", c.subsystem2, "4", "40")
				f.begin()
				for _, in := range repeat(rounds, append(repeat(int(β), one), two)...) {
					f.builder.Add(in)
				}
				r := f.run(f.graph(1), Config{Scheduler: s})
				over := r.Cycles.Float() - β*rounds*warps/c.ipc
				if over < c.low-1e-6 || over > c.high+1e-6 {
					t.Errorf("%v, β %v, %s: %v cycles, %v more than in steady state, want %v to %v", s, β, c.name,
						r.Cycles, over, c.low, c.high)
				}
			}
		}
	}
}

// mixStart bounds what is not steady of the instruction mix behind the issue
// limit: one Λ if the oldest warp goes first, but up to one and a half rounds of
// type 2 over all warps (round) if all warps come to it together.
func mixStart(s Scheduler, round float64) float64 {
	switch s {
	case Oldest:
		return 40
	case GreedyThenOldest, GreedyThenYoungest:
		return 62
	}
	return 1.5 * round
}

// TestDependentMix shows that a mix in which every instruction depends on the
// one before stays below A's curve behind an issue limit, because the valve is
// given to whoever asks first, not to whom the scarce subsystem needs: by up to
// 12% round-robin, by up to 45% oldest first.
func TestDependentMix(t *testing.T) {
	marginal := func(s Scheduler, β int) float64 {
		run := func(rounds int) float64 {
			f := newFixture(t, 48, "one", "two")
			f.mapping.Device.IssueLimit = cycles(t, "1")
			one, two := f.class("add.f32", "one", "1", "18"), f.class("cos.f32", "two", "4", "40")
			f.chain(repeat(rounds, append(repeat(β, one), two)...)...)
			return f.run(f.graph(1), Config{Scheduler: s}).Cycles.Float()
		}
		return (run(40) - run(20)) / (20 * 48 * max(4, float64(β+1)))
	}
	for β := 1; β <= 16; β++ {
		rr, old := marginal(RoundRobin, β), marginal(Oldest, β)
		if rr < 0.999 || rr > 1.12 || old < rr || old > 1.45 {
			t.Errorf("β %d: %.3f (rr) and %.3f (oldest) of the steady state", β, rr, old)
		}
	}
}

// TestWorkPerComputeUnit is golden 5: N = ceil(total / P), and time = cycles / f.
func TestWorkPerComputeUnit(t *testing.T) {
	for _, c := range []struct{ total, units, want int64 }{
		{16384, 10, 1639}, {4096, 14, 293}, {1, 10, 1}, {10, 10, 1}, {11, 10, 2},
	} {
		f := newFixture(t, 2, "alu")
		f.mapping.Device.ComputeUnits = int(c.units)
		f.mapping.Device.ClockHz = 1_506_000_000
		f.mapping.Device.Limits.Warps = 64
		f.chain(f.class("add.f32", "alu", "0.25", "6"))
		r := f.run(f.graph(c.total), Config{})
		if r.Groups != c.want {
			t.Errorf("%d groups on %d units: %d each, want %d", c.total, c.units, r.Groups, c.want)
		}
		if want := r.Cycles.Float() / 1.506e9; math.Abs(r.Seconds-want) > 1e-15 {
			t.Errorf("%v s, want %v", r.Seconds, want)
		}
	}
}

// TestReplacement shows that a finished group is replaced at once, or after the
// replacement time: groups one after the other.
func TestReplacement(t *testing.T) {
	for _, c := range []struct {
		replacement string
		want        string
	}{{"0", "60"}, {"201", "864"}, {"0.5", "62"}} { // 5·12 + 4·replacement
		f := newFixture(t, 1, "alu")
		f.mapping.Device.GroupReplacement = cycles(t, c.replacement)
		f.chain(repeat(2, f.class("add.f32", "alu", "1", "6"))...)
		if r := f.run(f.graph(5), Config{Concurrent: 1}); r.Cycles.String() != c.want {
			t.Errorf("replacement time %s: %v cycles, want %s", c.replacement, r.Cycles, c.want)
		}
	}
}

// TestPace shows that groups of 12 cycles start no faster than the GPU starts groups, one
// every so often on all its 4 compute units, and that the launch itself takes its time.
func TestPace(t *testing.T) {
	for _, c := range []struct {
		pace       string
		concurrent int64
		want       string
		bound      string
	}{
		{"5", 5, "392", BoundStarts}, // 19·20 + 12
		{"5", 1, "392", BoundStarts},
		{"5/8", 1, "240", BoundLatency},  // the one before has not ended
		{"5/8", 5, "59.5", BoundLatency}, // 19·2.5 + 12
	} {
		f := newFixture(t, 1, "alu")
		d := f.mapping.Device
		d.ComputeUnits, d.GroupStart, d.LaunchNs = 4, cycles(t, c.pace), cycles(t, "1000")
		f.chain(repeat(2, f.class("add.f32", "alu", "1/10", "6"))...)
		r := f.run(f.graph(80), Config{Concurrent: c.concurrent})
		if r.Cycles.String() != c.want || r.Bound.Kind != c.bound {
			t.Errorf("a group every %s cycles, %d at once: %v cycles, want %s, bound by %s", c.pace, c.concurrent,
				r.Cycles, c.want, r.Bound.Text)
		}
		if want := r.Cycles.Float()/1e9 + 1e-6; math.Abs(r.Seconds-want) > 1e-15 || r.LaunchSeconds != 1e-6 {
			t.Errorf("%v s, want %v, %v of them for the launch", r.Seconds, want, r.LaunchSeconds)
		}
	}
}

// TestFractionalTimes is golden 8: instructions issue at max(ready, subsystem
// free, valve free) in exact time. Polling once a cycle would let a pipeline of
// λ = 0.75 start 3 instructions in 3 cycles, not 4.
func TestFractionalTimes(t *testing.T) {
	for _, c := range []struct {
		cpi, latency, limit, want string
		warps                     int
	}{
		{"0.75", "1", "4", "3.25", 4},     // issues at 0, 0.75, 1.5, 2.25
		{"0.75", "1", "1", "4", 4},        // the valve: at 0, 1, 2, 3
		{"1/3", "1/3", "", "4/3", 4},      // at 0, 1/3, 2/3, 1
		{"0.375", "6", "", "8.625", 8},    // Maxwell's mul.f32: at 7·0.375
		{"0.25", "6", "1/0.3", "8.1", 8},  // the valve: at 7·0.3
		{"1/7", "1/11", "", "95/77", 9},   // 8/7 + 1/11
		{"0.001", "0.5", "", "0.503", 4},  // 3·0.001 + 0.5
		{"2.5", "2.5", "0.4", "10", 4},    // both the same
		{"2.5", "1", "", "8.5", 4},        // λ above Λ
		{"1.75", "29", "4", "139.25", 64}, // P19's loop overhead on Pascal
	} {
		f := newFixture(t, c.warps, "alu")
		if c.limit != "" {
			f.mapping.Device.IssueLimit = cycles(t, c.limit)
		}
		f.chain(f.class("add.f32", "alu", c.cpi, c.latency))
		if r := f.run(f.graph(1), Config{}); r.Cycles != cycles(t, c.want) {
			t.Errorf("λ %s, Λ %s, issue limit %s, %d warps: %v cycles, want %s", c.cpi, c.latency, c.limit, c.warps,
				r.Cycles, c.want)
		}
	}
}

// TestTotalOrder pins the order of issue at equal times: warps in the
// scheduler's order, then program order, and places that become free together
// are filled in ascending order.
func TestTotalOrder(t *testing.T) {
	for _, c := range []struct {
		scheduler Scheduler
		want      string
	}{
		// Two groups of two warps at once, each warp three independent
		// instructions on one pipeline (λ = 1, Λ = 2), group.warp/instruction.
		{RoundRobin, "0.0/0 0.1/0 1.0/0 1.1/0 0.0/1 0.1/1 1.0/1 1.1/1 0.0/2 0.1/2 1.0/2 1.1/2 2.0/0 2.1/0 2.0/1 " +
			"2.1/1 2.0/2 2.1/2"},
		{GreedyThenOldest, "0.0/0 0.0/1 0.0/2 0.1/0 0.1/1 0.1/2 1.0/0 1.0/1 1.0/2 1.1/0 1.1/1 1.1/2 2.0/0 2.0/1 " +
			"2.0/2 2.1/0 2.1/1 2.1/2"},
		{GreedyThenYoungest, "1.1/0 1.1/1 1.1/2 1.0/0 1.0/1 1.0/2 0.1/0 0.1/1 0.1/2 2.1/0 2.1/1 2.1/2 2.0/0 2.0/1 " +
			"2.0/2 0.0/0 0.0/1 0.0/2"},
		{Oldest, "0.0/0 0.0/1 0.0/2 0.1/0 0.1/1 0.1/2 1.0/0 1.0/1 1.0/2 1.1/0 1.1/1 1.1/2 2.0/0 2.0/1 2.0/2 2.1/0 " +
			"2.1/1 2.1/2"},
		{GroupPrecedence, "0.0/0 0.1/0 0.0/1 0.1/1 0.0/2 0.1/2 1.0/0 1.1/0 1.0/1 1.1/1 1.0/2 1.1/2 2.0/0 2.1/0 2.0/1 " +
			"2.1/1 2.0/2 2.1/2"},
	} {
		f := newFixture(t, 2, "alu")
		f.begin()
		in := f.class("add.f32", "alu", "1", "2")
		for range 3 {
			f.builder.Add(in)
		}
		r := f.run(f.graph(3), Config{Concurrent: 2, Scheduler: c.scheduler, Profile: true})
		got := ""
		for i, is := range r.Profile.Issues {
			if i > 0 {
				got += " "
			}
			got += fmt.Sprintf("%d.%d/%d", is.Group, is.Warp, is.Node)
		}
		if got != c.want {
			t.Errorf("%v:\n got %s\nwant %s", c.scheduler, got, c.want)
		}
	}
}
