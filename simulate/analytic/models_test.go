package analytic

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestModelsAreNamed: names are unique, and every model says where it comes from
// and what it assumes.
func TestModelsAreNamed(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Models() {
		a := m.About()
		if a.Name == "" || a.Title == "" || a.Source == "" || a.Assumes == "" {
			t.Errorf("incomplete: %+v", a)
		}
		if seen[a.Name] || seen[a.Title] {
			t.Errorf("%s (%s) is not unique", a.Name, a.Title)
		}
		seen[a.Name], seen[a.Title] = true, true
	}
}

// randomMix is a mix with parameters of the size of GPUs'.
func randomMix(r *rand.Rand) Mix {
	m := Mix{
		CompCPI: 0.25 * float64(1+r.IntN(16)), MemCPI: float64(1 + r.IntN(40)),
		CompLatency: float64(4 + r.IntN(40)), MemLatency: float64(50 + r.IntN(600)),
	}
	if r.IntN(2) == 0 {
		m.IssueLimit = float64(int(1) << r.IntN(3))
		m.Schedulers = m.IssueLimit
	}
	return m
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// TestTheorem1 is A's Theorem 1: without ILP and issue limit the Transit model is
// Volkov's, at every occupancy, and so is the X-model.
func TestTheorem1(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		m := randomMix(r)
		m.IssueLimit = 0
		in := m.Input(r.IntN(60), r.IntN(4))
		if in.Comp.Count+in.Mem.Count == 0 {
			continue
		}
		n := float64(1 + r.IntN(64))
		want := Evaluate(volkov{}, in, n).WarpsPerCycle
		for _, model := range []Model{transit{}, xModel{}} {
			if got := Evaluate(model, in, n).WarpsPerCycle; !near(got, want) {
				t.Fatalf("%s of %+v, %v warps: %v warps per cycle, Volkov %v", model.About().Name, m, n, got, want)
			}
		}
	}
}

// TestXModelOverlapsComputations: ILP shortens the computations' latency, down
// to their λ.
func TestXModelOverlapsComputations(t *testing.T) {
	in := Mix{CompCPI: 1, CompLatency: 20, MemCPI: 2, MemLatency: 100}.Input(10, 1)
	for _, c := range []struct{ ilp, latency float64 }{{1, 300}, {2, 200}, {4, 150}, {1000, 110}} {
		in.ILP = c.ilp
		if got := Evaluate(xModel{}, in, 1).WarpsPerCycle; !near(got, 1/c.latency) {
			t.Errorf("ILP %v: a warp takes %v cycles, want %v", c.ilp, 1/got, c.latency)
		}
	}
}

// TestMWPCWPLimits: for ever more warps both forms go to the roof of the two
// subsystems, the published one with an exception: where CI·λ_comp is the
// larger, but by less than the 1 in CWP makes up for, its case is the memory's.
// One warp takes Λ_app in the corrected form, which is never faster than the
// occupancy roofline.
func TestMWPCWPLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	misjudged := 0
	for range 2000 {
		m := randomMix(r)
		m.IssueLimit = 0
		in := m.Input(1+r.IntN(60), 1+r.IntN(4))
		roof, _ := in.Throughput()
		const many = 1e9
		limit := func(model Model, roof float64) {
			if got := Evaluate(model, in, many).WarpsPerCycle; math.Abs(got-roof) > 1e-5*roof {
				t.Fatalf("%s of %+v: %v warps per cycle for many warps, roof %v", model.About().Name, m, got, roof)
			}
		}
		limit(mwpcwp{corrected: true}, roof)
		if mwp, cwp := Parallelism(in, 0); mwp < cwp && in.Comp.Busy > in.Mem.Busy {
			misjudged++
			limit(mwpcwp{}, 1/in.Mem.Busy)
		} else {
			limit(mwpcwp{}, roof)
		}
		one := Evaluate(mwpcwp{corrected: true}, in, 1).WarpsPerCycle
		if in.Comp.Busy <= in.Comp.Wait && in.Mem.Busy <= in.Mem.Wait && !near(one, 1/in.WarpLatency) {
			t.Fatalf("%+v: one warp takes %v cycles, want Λ_app = %v", m, 1/one, in.WarpLatency)
		}
		n := float64(1 + r.IntN(64))
		if c, v := Evaluate(mwpcwp{corrected: true}, in, n),
			Evaluate(volkov{}, in, n); c.WarpsPerCycle > v.WarpsPerCycle*(1+1e-9) {
			t.Fatalf("%+v, %v warps: corrected %v above the occupancy roofline %v", m, n, c.WarpsPerCycle,
				v.WarpsPerCycle)
		}
	}
	if misjudged == 0 {
		t.Error("the exception never came up")
	}
}

// TestMWPCWPCountsTheAccess: V16 7.1 on GT200 with 32 additions of 4 cycles to an
// access of 434, at pin bandwidth. The access is issued like an addition.
func TestMWPCWPCountsTheAccess(t *testing.T) {
	const α, many = 32, 1 << 40
	m := Mix{CompCPI: 4, CompLatency: 24, MemCPI: 128 * 30 * 1.296 / 141.7, MemLatency: 434, IssueLimit: 0.5}
	in := m.Input(α, many)
	if mwp, cwp := Parallelism(in, 4); math.Round(10*mwp) != 124 || math.Round(10*cwp) != 43 {
		t.Errorf("MWP %v and CWP %v, want 12.4 and 4.3", mwp, cwp)
	}
	for _, c := range []struct{ n, cycles float64 }{{1, 434 + 4*33}, {4, 566}, {10, 1320}, {32, 4 * 32 * 33}} {
		e := Evaluate(mwpcwp{issued: true}, in, c.n)
		if got := c.n / e.WarpsPerCycle / many; !near(got, c.cycles) {
			t.Errorf("%v warps: %v cycles for an access and its additions, want %v", c.n, got, c.cycles)
		}
	}
}

// TestCorrectedModelsStayBelowTheRoof: what the corrections are for. The
// published interval models do exceed it.
func TestCorrectedModelsStayBelowTheRoof(t *testing.T) {
	mayExceed := map[string]bool{ // the others must not
		"mwp-cwp": true, "mwp-cwp-issue": true, "gpumech-rr": true, "gpumech-gto": true, "gpumech-rr-full": true,
		"gpumech-gto-full": true, "mdm": true,
		"cuda-guide": true, // does not look at memory's throughput
	}
	r := rand.New(rand.NewPCG(3, 3))
	exceeds := map[string]bool{}
	for range 2000 {
		m := randomMix(r)
		m.IssueLimit, m.Schedulers = 1, 1
		m.CompCPI, m.MemCPI = 1, 1 // the interval models know issue only
		in := m.Input(1+r.IntN(60), r.IntN(2))
		in.IssueSlots = in.Comp.Count // most models count no slot for an access
		roof, _ := in.Throughput()
		n := float64(1 + r.IntN(64))
		for _, model := range Models() {
			e := Evaluate(model, in, n)
			if e.WarpsPerCycle <= roof*(1+1e-9) {
				continue
			}
			name := model.About().Name
			exceeds[name] = true
			if !strings.Contains(e.Note, "times what ") {
				t.Fatalf("%s: %v above the roof %v without a note", name, e.WarpsPerCycle, roof)
			}
			if !mayExceed[name] {
				t.Fatalf("%s of %+v, %v warps: %v above the roof %v", name, m, n, e.WarpsPerCycle, roof)
			}
		}
	}
	for _, name := range []string{"gpumech-rr", "gpumech-gto"} {
		if !exceeds[name] {
			t.Errorf("%s never exceeds the roof", name)
		}
	}
}

// TestOneWarp: a warp that is alone takes its latency in every model that knows
// latency and whose formula holds for one warp.
func TestOneWarp(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	exact := map[string]bool{
		"volkov": true, "transit": true, "x-model": true, "mwp-cwp-corrected": true, "wfg-corrected": true,
		"zhang-owens-additive": true, "gpumech-rr-full": true, "gpumech-gto-full": true,
	}
	for range 500 {
		m := randomMix(r)
		m.IssueLimit, m.Schedulers = 1, 1
		m.CompCPI = min(m.CompCPI, m.CompLatency)
		in := m.Input(1+r.IntN(30), 1)
		for _, model := range Models() {
			name := model.About().Name
			if !exact[name] {
				continue
			}
			e := Evaluate(model, in, 1)
			if e.Invalid != "" || !near(1/e.WarpsPerCycle, in.WarpLatency) {
				t.Fatalf("%s of %+v: one warp takes %v cycles, want %v (%s)", name, m, 1/e.WarpsPerCycle,
					in.WarpLatency, e.Invalid)
			}
		}
	}
}

// TestMoreWarpsAreNotSlower: where a model is a bound, more warps never lower
// the rate.
func TestMoreWarpsAreNotSlower(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 300 {
		in := randomMix(r).Input(1+r.IntN(60), 1+r.IntN(3))
		in.Memory.BytesPerWarp, in.Memory.ClockHz = 128, 1e9
		in.Memory.Loaded = &Loaded{Queueing: 30, Capacity: 130 / in.Mem.CPI()}
		for _, model := range []Model{volkov{}, contention{}, transit{}, xModel{}, wfg{corrected: true}, zhangOwens{},
			zhangOwens{additive: true}} {
			before := 0.0
			for n := 1.0; n <= 64; n++ {
				e := Evaluate(model, in, n)
				if e.Invalid != "" || e.WarpsPerCycle < before*(1-1e-9) {
					t.Fatalf("%s: %v warps give %v warps per cycle, fewer %v (%s)", model.About().Name, n,
						e.WarpsPerCycle, before, e.Invalid)
				}
				before = e.WarpsPerCycle
			}
		}
	}
}

// TestContention: the solution satisfies its equation, never exceeds the model
// without contention, and becomes it without queueing.
func TestContention(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 500 {
		in := randomMix(r).Input(r.IntN(60), 1+r.IntN(3))
		in.Memory.BytesPerWarp, in.Memory.ClockHz = 128*in.Mem.Count, 1e9
		b, c := float64(r.IntN(60)), (1+r.Float64())*128/in.Mem.CPI()
		in.Memory.Loaded = &Loaded{Queueing: b, Capacity: c}
		n := float64(1 + r.IntN(64))
		e, free := Evaluate(contention{}, in, n), Evaluate(volkov{}, in, n)
		if e.WarpsPerCycle > free.WarpsPerCycle*(1+1e-9) || b == 0 && !near(e.WarpsPerCycle, free.WarpsPerCycle) {
			t.Fatalf("b %v: %v warps per cycle, without contention %v", b, e.WarpsPerCycle, free.WarpsPerCycle)
		}
		if e.Bound != boundLatency {
			continue
		}
		τ := e.WarpsPerCycle * in.Memory.BytesPerWarp
		if latency := in.WarpLatency + in.ChainLoads*b*τ/(c-τ); math.Abs(e.WarpsPerCycle*latency-n) > 1e-6*n {
			t.Fatalf("x·Λ(x) = %v, want %v warps", e.WarpsPerCycle*latency, n)
		}
	}
}

// TestLimits states what the models say of kernels without computations or
// without accesses, and for no warps.
func TestLimits(t *testing.T) {
	m := Mix{CompCPI: 1, CompLatency: 10, MemCPI: 8, MemLatency: 400, IssueLimit: 1}
	for _, c := range []struct {
		name  string
		in    *Input
		warps float64
		want  map[string]string // reason, for models that refuse; others must give a number
	}{
		{"no access", m.Input(5, 0), 4, map[string]string{
			"mwp-cwp": "without memory access", "mwp-cwp-issue": "without memory access",
			"mwp-cwp-corrected": "without memory access"}},
		{"no computation", m.Input(0, 1), 4, map[string]string{"cuda-guide": "no computation"}},
		{"both", m.Input(50, 1), 40, nil},
		{"fewer warps than the guide asks for", m.Input(5, 1), 4, map[string]string{"cuda-guide": "asks for 80 warps"}},
		{"memory saturated", m.Input(50, 1), 50, nil},
	} {
		c.in.Memory.BytesPerWarp, c.in.Memory.ClockHz = 128, 1e9
		c.in.Memory.Loaded = &Loaded{Queueing: 10, Capacity: 20}
		for _, model := range Models() {
			name := model.About().Name
			e := Evaluate(model, c.in, c.warps)
			want, refuses := c.want[name]
			switch {
			case refuses && !strings.Contains(e.Invalid, want):
				t.Errorf("%s, %s: %+v, want a refusal with %q", c.name, name, e, want)
			case !refuses && (e.Invalid != "" || e.Bound == ""):
				t.Errorf("%s, %s: %+v", c.name, name, e)
			}
		}
	}
}

// TestNonsense: no input makes a model print NaN, Inf or a negative number.
func TestNonsense(t *testing.T) {
	m := Mix{CompCPI: 1, CompLatency: 10, MemCPI: 8, MemLatency: 400, IssueLimit: 1}
	change := func(f func(in *Input)) *Input {
		in := m.Input(5, 1)
		f(in)
		return in
	}
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name  string
		in    *Input
		warps float64
		want  string
	}{
		{"no warps", m.Input(5, 1), 0, "0 resident warps"},
		{"fewer than none", m.Input(5, 1), -3, "-3 resident warps"},
		{"NaN warps", m.Input(5, 1), nan, "NaN resident warps"},
		{"infinitely many", m.Input(5, 1), inf, "+Inf resident warps"},
		{"no instructions", m.Input(0, 0), 4, "no instructions"},
		{"λ 0", change(func(in *Input) { in.Mem = Uniform(1, 0, 400) }), 4, "memory accesses have λ 0"},
		{"Λ 0", change(func(in *Input) { in.Comp = Uniform(5, 1, 0) }), 4, "computations have λ 1 and Λ 0"},
		{"peak λ 0", change(func(in *Input) { in.PeakCPI = 0 }), 4, "fastest computation has λ 0"},
		{"Λ_app 0", change(func(in *Input) { in.WarpLatency = 0 }), 4, "a warp takes 0 cycles"},
		{"ILP 0", change(func(in *Input) { in.ILP = 0 }), 4, "ILP of 0"},
		{"no issue slots", change(func(in *Input) { in.IssueSlots = 0 }), 4, "0 issue slots"},
		{"limit NaN", change(func(in *Input) { in.IssueLimit = nan }), 4, "NaN per cycle"},
		{"α NaN", change(func(in *Input) { in.Comp.Count = nan }), 4, "NaN computations"},
		{"subsystem", change(func(in *Input) { in.Subsystems[1].Busy = 0 }), 4, "subsystem memory has Σ λ 0"},
	} {
		for _, model := range Models() {
			if e := Evaluate(model, c.in, c.warps); !strings.Contains(e.Invalid, c.want) || e.WarpsPerCycle != 0 {
				t.Errorf("%s, %s: %+v, want %q", c.name, model.About().Name, e, c.want)
			}
		}
	}
	// Extreme, but possible.
	r := rand.New(rand.NewPCG(7, 7))
	for range 3000 {
		size := func() float64 { return math.Pow(10, 12*r.Float64()-6) }
		m := Mix{CompCPI: size(), CompLatency: size(), MemCPI: size(), MemLatency: size(), IssueLimit: size(),
			Schedulers: 4}
		in := m.Input(r.IntN(9), r.IntN(3))
		in.Memory.BytesPerWarp, in.Memory.ClockHz = size(), size()
		in.Memory.Loaded = &Loaded{Queueing: size(), Capacity: size()}
		for _, model := range Models() {
			if e := Evaluate(model, in, size()); (e.Invalid == "") != positive(e.WarpsPerCycle) {
				t.Fatalf("%s of %+v: %+v", model.About().Name, m, e)
			}
		}
	}
}

// TestMissingBandwidth: models that need the memory's bandwidth say so.
func TestMissingBandwidth(t *testing.T) {
	in := Mix{CompCPI: 1, CompLatency: 10, MemCPI: 8, MemLatency: 400, IssueLimit: 1}.Input(5, 1)
	in.Memory, in.Contention = Memory{}, AllContention
	for model, want := range map[Model]string{
		contention{}: "no latency under load", gpuMech{}: "bandwidth of device memory",
		mdm{}: "bandwidth of device memory",
	} {
		if e := Evaluate(model, in, 2); !strings.Contains(e.Invalid, want) {
			t.Errorf("%s: %+v", model.About().Name, e)
		}
	}
	in.Memory.Loaded = &Loaded{Queueing: 1, Capacity: 1}
	if e := Evaluate(contention{}, in, 2); !strings.Contains(e.Invalid, "bytes") {
		t.Errorf("%+v", e)
	}
	in.Intervals, in.IssueLimit = nil, 0
	if e := Evaluate(mdm{}, in, 2); !strings.Contains(e.Invalid, "not given") {
		t.Errorf("%+v", e)
	}
	in = Mix{MemCPI: 8, MemLatency: 400}.Input(0, 1)
	if e := Evaluate(mdm{}, in, 2); !strings.Contains(e.Invalid, "issue limit") {
		t.Errorf("%+v", e)
	}
}

// TestMDMBatches: by hand. Two warps whose access touches 32 lines each, 16
// misses in flight: 4 batches.
func TestMDMBatches(t *testing.T) {
	in := Mix{CompCPI: 1, CompLatency: 10, MemCPI: 64, MemLatency: 400, IssueLimit: 1}.Input(0, 1)
	in.Intervals[0].Loads, in.Memory.Lines, in.Memory.MSHRs = 32, 32, 16
	// 2 cycles per line. The own time 1 + 399, q = 2·16 = 32, 3·(400 + 32) for
	// the further batches; the other warp fits into the stall.
	if e := Evaluate(mdm{}, in, 2); !near(e.WarpsPerCycle, 2/(400+32+3*432.)) || e.Bound != boundMemory {
		t.Errorf("%+v: %v cycles", e, 2/e.WarpsPerCycle)
	}
	in.Memory.MSHRs = 64 // all at once: q = 2·64/2
	if e := Evaluate(mdm{}, in, 2); !near(e.WarpsPerCycle, 2/(400+64.)) {
		t.Errorf("%+v: %v cycles", e, 2/e.WarpsPerCycle)
	}
}

// TestReplacement: of N groups, M at a time, N - M replace another one; all do where nobody knows how many there are.
func TestReplacement(t *testing.T) {
	for _, c := range []struct{ groups, warps, resident, want float64 }{
		{10, 4, 8, 80}, {10, 4, 40, 0}, {10, 4, 64, 0}, {10, 4, 4, 90}, {0, 4, 8, 100}, {10, 0, 8, 100},
	} {
		in := &Input{Groups: c.groups, WarpsPerGroup: c.warps, Replacement: 100}
		if got := in.replacement(c.resident); !near(got, c.want) {
			t.Errorf("%v warps of %v groups of %v: %v cycles, want %v", c.resident, c.groups, c.warps, got, c.want)
		}
	}
}
