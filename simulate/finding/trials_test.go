package finding

import (
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/idgtest"
	"gpupipe/latencies"
	"gpupipe/simulate"
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
	if r.Result, err = simulate.Run(t.Context(), r.Graph, r.Mapping, r.Config); err != nil {
		t.Fatal(err)
	}
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
	var floor simulate.LowerBounds
	res, err := simulate.NewLaunch(hidden.Graph, hidden.Mapping).RunIf(t.Context(), r.Config,
		func(b simulate.LowerBounds) bool { floor = b; return false })
	if err != nil || res != nil {
		t.Fatal(res, err)
	}
	if want := d.Seconds(floor.Longest()) + r.Result.LaunchSeconds; trials[0].Seconds != want ||
		trials[1].Seconds != want || trials[0].Saved >= Least {
		t.Errorf("without latency it takes %v and %v s, as a bound says %v", trials[0].Seconds, trials[1].Seconds, want)
	}
	if trials[2].Saved < 0.5 {
		t.Errorf("without instructions %v are saved", trials[2].Saved)
	}
}
