package latencies

import "testing"

// Conversions from and to double precision: where the CUDA programming guide (Table 3) has
// another rate for them than for double precision, it is that of the special function
// units; else they are on the double precision units.
func TestDoubleConversions(t *testing.T) {
	for gpu, want := range map[string]struct {
		subsystem string
		cpi       float64 // 32 / results per cycle
	}{
		"v100": {"sfu", 2}, "a100": {"sfu", 2}, "h100": {"sfu", 2},
		"rtx2080ti": {"fp64", 16}, "a4000": {"fp64", 16}, "a6000": {"fp64", 16},
	} {
		d := builtin(t, gpu)
		for _, name := range []string{"cvt.f64.f32", "cvt.f32.f64", "cvt.f64.s32", "cvt.s32.f64", "cvt.u32.f64"} {
			e := entryOf(t, d, op{op: name})
			if s := d.Subsystems[e.Subsystem].Name; s != want.subsystem || e.Timing.CPI.Float() != want.cpi {
				t.Errorf("%s: %s is on %s with %v cycles, want %s with %v", gpu, name, s, e.Timing.CPI.Float(),
					want.subsystem, want.cpi)
			}
		}
	}
}

// CDNA converts numbers of up to 32 bits at full rate (64 lanes per cycle), as GCN does (CLRX, GCN
// ISA instruction timings), where reciprocals take four times as long.
func TestConversionsOfCDNA(t *testing.T) {
	for _, gpu := range []string{"mi210", "mi250x", "mi300x"} {
		d := builtin(t, gpu)
		for name, want := range map[string]float64{
			"cvt.f32.s32": 1, "cvt.s32.f32": 1, "cvt.f32.s8": 1, "cvt.f32.u8": 1, "cvt.f16.f32": 1, "cvt.f32.f16": 1,
			"cvt.f64.f32": 1,
			"cvt.s64.s32": 1, "cvt.s8.s32": 1, "native_recip.f32": 4,
		} {
			if e := entryOf(t, d, op{op: name}); e.Timing.CPI.Float() != want {
				t.Errorf("%s: %s takes %v cycles, want %v (%s)", gpu, name, e.Timing.CPI.Float(), want, e.Source)
			}
		}
	}
}
