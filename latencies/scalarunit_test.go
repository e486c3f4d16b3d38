package latencies

import "testing"

// A loop's counter and a branch keep AMD's scalar unit busy, not the vector units: a loop of one
// multiply-add is bound by that.
func TestScalarUnit(t *testing.T) {
	for _, gpu := range []string{"mi210", "mi250x", "mi300x"} {
		d := builtin(t, gpu)
		for name, cpi := range map[string]float64{"loop": 2, "branch": 1} {
			e := entryOf(t, d, op{op: name})
			if s := d.Subsystems[e.Subsystem].Name; s != "constant" || e.Timing.CPI.Float() != cpi {
				t.Errorf("%s: %s is on %s with %v cycles, want the scalar unit with %v", gpu, name, s, e.Timing.CPI.Float(), cpi)
			}
		}
	}
}
