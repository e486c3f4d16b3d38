package comparison

import (
	"context"
	"testing"

	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
)

// TestErrorRange: V16 7.1, GT200 with 32 additions to an access. Volkov's model is a bound, and
// was within 9% of what was measured, most at the knee; without arithmetic latency few warps are too fast by
// (434 + 24·32) / (434 + 4·33) = 2.1.
func TestErrorRange(t *testing.T) {
	d, err := latencies.Builtin("gtx280")
	if err != nil {
		t.Fatal(err)
	}
	var models []analytic.Model
	for _, m := range analytic.Models() {
		if name := m.About().Name; name == "volkov" || name == "mwp-cwp-issue" {
			models = append(models, m)
		}
	}
	mix := analytic.Mix{CompCPI: 4, CompLatency: 24, MemCPI: 35.96, MemLatency: 434, IssueLimit: 0.5}
	r, err := errorRange(context.Background(), mix, 32, d, Options{Models: models, Config: simulate.Config{}}, 1, 32)
	if err != nil {
		t.Fatal(err)
	}
	if r.Intensity != 32 || r.Least[0] < 1 || r.Most[0] < 1.05 || r.Most[0] > 1.09 {
		t.Errorf("α = %d, Volkov: %.3f to %.3f of the simulated rate, want 1 to 1.09", r.Intensity,
			r.Least[0], r.Most[0])
	}
	if r.Needed[0] != 9 || r.SimulatedNeeded < 9 || r.SimulatedNeeded > 10 {
		t.Errorf("90%% of the roof: Volkov %d warps, simulated %d, want 9 and 9 or 10", r.Needed[0], r.SimulatedNeeded)
	}
	if r.Most[1] < 2 || r.Most[1] > 2.2 {
		t.Errorf("MWP-CWP: up to %.3f of the simulated rate, V16 measured 2.1", r.Most[1])
	}
}

// TestErrorRangesWithoutAccess: a kernel without accesses is not a mix.
func TestErrorRangesWithoutAccess(t *testing.T) {
	in := analytic.Mix{CompCPI: 4, CompLatency: 24}.Input(5, 0)
	if _, err := ErrorRanges(context.Background(), in, &latencies.Device{}, Options{}, 8); err == nil {
		t.Error("no error")
	}
}
