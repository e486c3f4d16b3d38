package latencies

import "testing"

// Half precision has one rate for additions, products and both: that of its own units where a
// device has them (CUDA programming guide, Table 3; of the H100 the units that nvcc 13 uses), else that of
// single precision.
func TestHalfPrecision(t *testing.T) {
	for gpu, want := range map[string]struct {
		subsystem string
		cpi       float64 // 32 / pairs per cycle
	}{
		"v100": {"fp16", 0.5}, "a100": {"fp16", 0.25}, "h100": {"fp16", 0.5}, "a6000": {"fp16", 0.5},
		"gtx980": {"alu", 0.25},
	} {
		d := builtin(t, gpu)
		for _, name := range []string{"add.f16", "sub.f16", "mul.f16", "fma.f16"} {
			e := entryOf(t, d, op{op: name})
			if s := d.Subsystems[e.Subsystem].Name; s != want.subsystem || e.Timing.CPI.Float() != want.cpi {
				t.Errorf("%s: %s is on %s with %v cycles, want %s with %v", gpu, name, s, e.Timing.CPI.Float(),
					want.subsystem, want.cpi)
			}
		}
	}
}
