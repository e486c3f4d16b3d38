package finding

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/idgtest"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/remedy"
)

// TestTrials: a remedy that a bound says to save nothing is not simulated, and equal ones are one.
func TestTrials(t *testing.T) {
	d, err := latencies.Builtin("gtx1060")
	if err != nil {
		t.Fatal(err)
	}
	mapper, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := idg.NewBuilder()
	in := b.Instr(idg.Instr{Op: "fma.f32", Lanes: 32})
	b.Begin(0)
	for range 1000 {
		b.Add(in)
	}
	r := &Run{Config: simulate.Config{Groups: 100}}
	if r.Kernel, err = remedy.NewKernel(idgtest.Build(t, b), mapper, latencies.Options{}); err != nil {
		t.Fatal(err)
	}
	r.Launch = simulate.NewLaunch(r.Graph, r.Mapping)
	if r.Result, err = r.Launch.Run(t.Context(), r.Config); err != nil {
		t.Fatal(err)
	}
	r.budget = &budget{math.MaxInt64}
	pick := func(*idg.Instr) bool { return true }
	hidden, _, err := r.Changed(remedy.Change{Kind: remedy.Hidden, Pick: pick})
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := r.Changed(remedy.Change{Kind: remedy.Hidden, Pick: pick})
	if err != nil {
		t.Fatal(err)
	}
	removed, _, err := r.Changed(remedy.Change{Kind: remedy.Removed, Pick: pick})
	if err != nil {
		t.Fatal(err)
	}
	trials := []trial{r.trial(Finding{}), r.trial(Finding{}), r.trial(Finding{})}
	trials[0].Remedied, trials[1].Remedied, trials[2].Remedied = hidden, again, removed
	if !trials[1].equal(trials[0]) || trials[2].equal(trials[0]) {
		t.Error("equal remedies are not found to be")
	}
	if err := r.simulate(t.Context(), trials); err != nil {
		t.Fatal(err)
	}
	planned, err := simulate.NewLaunch(hidden.Graph, hidden.Mapping).Plan(r.Config)
	if err != nil {
		t.Fatal(err)
	}
	if want := d.Seconds(planned.LowerBounds.Longest()) + r.Result.LaunchSeconds; trials[0].Seconds != want ||
		trials[1].Seconds != want || trials[0].Saved >= Least {
		t.Errorf("without latency it takes %v and %v s, as a bound says %v", trials[0].Seconds, trials[1].Seconds, want)
	}
	if trials[2].Saved < 0.5 {
		t.Errorf("without instructions %v are saved", trials[2].Saved)
	}
}

// TestBudget: trials that could save most are simulated first, as far as there is work left; the others save at most
// what they are named with.
func TestBudget(t *testing.T) {
	d, err := latencies.Builtin("gtx1060")
	if err != nil {
		t.Fatal(err)
	}
	mapper, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := idg.NewBuilder()
	b.Begin(0)
	last := idg.Edge{}
	for line := range 4 { // each waits for the one before
		in := b.Instr(idg.Instr{Op: "fma.f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: line + 1}})
		for range 300 * (line + 1) {
			if last.Kind == 0 {
				last = idg.Edge{From: b.Add(in), Kind: idg.Data}
			} else {
				last.From = b.Add(in, last)
			}
		}
	}
	r := &Run{Config: simulate.Config{Groups: 8, Concurrent: 2}}
	if r.Kernel, err = remedy.NewKernel(idgtest.Build(t, b), mapper, latencies.Options{}); err != nil {
		t.Fatal(err)
	}
	r.Launch = simulate.NewLaunch(r.Graph, r.Mapping)
	if r.Result, err = r.Launch.Run(t.Context(), r.Config); err != nil {
		t.Fatal(err)
	}
	all := func(left int64, joined bool) (list []trial) {
		for line := range 4 {
			x := r.trial(Finding{})
			if x.symptom = !joined; joined { // of those that are simulated together
				x.Code = "occupancy"
			}
			if x.Remedied, _, err = r.Changed(remedy.Change{Kind: remedy.Hidden, Pick: func(in *idg.Instr) bool {
				return in.Pos.Line == line+1
			}}); err != nil {
				t.Fatal(err)
			}
			list = append(list, x)
		}
		r.budget = &budget{left}
		if err := r.simulate(t.Context(), list); err != nil {
			t.Fatal(err)
		}
		return list
	}
	own, most := r.work(r.Result.Issued), all(0, false)
	planned := -r.budget.left
	if planned < own/100 {
		t.Errorf("plans take %d", planned)
	}
	whole := all(math.MaxInt64, false)
	for _, simulated := range []int64{1, 2, 4} {
		left := simulated*own + planned
		for i, x := range all(left, false) {
			want := int64(i) < 4-simulated // the last ones have most to save
			if x.unsimulated != want {
				t.Errorf("with work for %d, trial %d is simulated: %t", simulated, i, !x.unsimulated)
			}
			saved := whole[i].Saved
			if want {
				saved = most[i].Saved
			}
			if x.Saved != saved {
				t.Errorf("with work for %d, trial %d saves %v, want %v", simulated, i, x.Saved, saved)
			}
		}
		if r.budget.left < -own {
			t.Errorf("with work for %d, %d of %d are left", simulated, r.budget.left, left)
		}
	}
	all(1<<60, false)
	left := r.budget.left
	if all(1<<60, true); r.budget.left != left || left > 1<<60-3*own {
		t.Errorf("%d are left of trials that may be simulated together, %d else", r.budget.left, left)
	}
	simulated := 0
	for _, x := range all(3*own+planned, true) {
		if !x.unsimulated {
			simulated++
		}
	}
	if simulated != 2 {
		t.Errorf("with work for 3, one of them for two together, %d are simulated", simulated)
	}
	for i := range whole {
		if whole[i].unsimulated || !most[i].unsimulated || whole[i].Saved > most[i].Saved+1e-9 || whole[i].Saved <= 0 {
			t.Errorf("trial %d saves %v, at most %v", i, whole[i].Saved, most[i].Saved)
		}
	}
}

// TestGain: the same mapping saves nothing; half of the latency of what warps wait for, half of their waiting; half of
// what the busiest resource is charged, half of its time.
func TestGain(t *testing.T) {
	d, err := latencies.Builtin("gtx1060")
	if err != nil {
		t.Fatal(err)
	}
	mapper, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, warps := range []int64{1, 32} { // each of a group of its own
		b := idg.NewBuilder()
		in := b.Instr(idg.Instr{Op: "fma.f32", Lanes: 32})
		b.Begin(0)
		last := b.Add(in)
		for range 999 {
			last = b.Add(in, idg.Edge{From: last, Kind: idg.Data})
		}
		r := &Run{Config: simulate.Config{Groups: warps}}
		if r.Kernel, err = remedy.NewKernel(idgtest.Build(t, b), mapper, latencies.Options{}); err != nil {
			t.Fatal(err)
		}
		if r.Result, err = simulate.Run(t.Context(), r.Graph, r.Mapping, r.Config); err != nil {
			t.Fatal(err)
		}
		if r.Causes, err = cause.Of(r.Result, d); err != nil {
			t.Fatal(err)
		}
		changed := func(change func(*latencies.Timing)) float64 {
			m := *r.Mapping
			m.Entries = slices.Clone(m.Entries)
			for i := range m.Entries {
				change(&m.Entries[i].Timing)
			}
			return r.gain(&m)
		}
		times := func(c latencies.Cycles, by string) latencies.Cycles {
			factor, err := latencies.ParseCycles(by)
			if err == nil {
				c, err = c.Mul(factor)
			}
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		c := &r.Result.Classes[0]
		waiting := (c.Waited + c.Queued) / r.Result.Waiting.Resident
		if warps == 1 && waiting < 0.8 || warps > 1 && r.Causes.Load(c) < 0.5 {
			t.Fatalf("%d warps wait for %v of the time, a resource is busy for %v", warps, waiting, r.Causes.Load(c))
		}
		for _, w := range []struct {
			name      string
			got, want float64
		}{
			{"nothing", changed(func(*latencies.Timing) {}), 0},
			{"latency", changed(func(x *latencies.Timing) { x.Latency = times(x.Latency, "1/2") }), waiting / 2},
			{"more latency", changed(func(x *latencies.Timing) { x.Latency = times(x.Latency, "2") }), 0},
			{"throughput", changed(func(x *latencies.Timing) { x.CPI = times(x.CPI, "1/2") }), r.Causes.Load(c) / 2},
		} {
			if math.Abs(w.got-w.want) > 1e-9 {
				t.Errorf("%d warps, %s: %v, want %v", warps, w.name, w.got, w.want)
			}
		}
	}
}

// TestAboveRoot: rsqrt stands for a quotient of one and a root.
func TestAboveRoot(t *testing.T) {
	for text, want := range map[string]bool{"1 / sqrt(x)": true, "y = 1.0f/sqrtf(x)": true, "f(a, 1.f / sqrt(x))": true,
		"a*1.0 / sqrt(x)": true, "11 / sqrt(x)": false, "x1 / sqrt(x)": false, "2 / sqrt(x)": false,
		"1 / cbrt(x)": false,
		"1 + sqrt(x)": false} {
		r := &Run{Kernel: remedy.Kernel{Graph: &idg.Graph{}}}
		r.Graph.Source = idg.Source{File: "k.cl", Text: text}
		at := strings.IndexAny(text, "/+")
		p := &place{word: text[at : at+1], pos: idg.Pos{File: "k.cl", Line: 1, Column: at + 1}}
		if got := r.aboveRoot(p); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
