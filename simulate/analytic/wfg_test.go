package analytic

import (
	"math"
	"testing"
)

// TestWFGExample: the times of a warp of the article's example by Eqs. 30 to 36,
// and by Eq. 42, by hand: with the 1 of Eq. 35 and the ILP of each block.
func TestWFGExample(t *testing.T) {
	in := example()
	for _, c := range []struct{ ω, published, corrected float64 }{
		{1, 4 + 4 + 4 + 6 + 6, 4 + 4 + 4 + 6 + 6},
		{2, 6 + 2*(6-8/3.), 6 + 2*3},                // λ = 2, 2, 2; NBC = 8/3 and 6/3
		{3, 14/3. + 2*(6-2*20/9.), 14/3. + 2*2},     // λ = 2, 4/3, 4/3; NBC = (14/3 + 2)/3
		{4, 4 + 2*1, 4 + 2*1.5},                     // λ = 2, 1, 1; 6 - 3·2 is hidden
		{7, 4 + 2*1, 4 + 2*(6/7.-(6/7.*4/3.-4/7.))}, // 0.2188
		{8, 4 + 2*1, 4 + 2*(6/8.-(7/8.*4/3.-4/8.))}, // 0.24
		{10, 4 + 2*1, 4},                            // all is hidden
	} {
		if e := Evaluate(wfg{}, in, c.ω); !near(1/e.WarpsPerCycle, c.published) {
			t.Errorf("ω = %v: published %v cycles (%s), want %v", c.ω, 1/e.WarpsPerCycle, e.Invalid, c.published)
		}
		if e := Evaluate(wfg{corrected: true}, in, c.ω); !near(1/e.WarpsPerCycle, c.corrected) {
			t.Errorf("ω = %v: corrected %v cycles (%s), want %v", c.ω, 1/e.WarpsPerCycle, e.Invalid, c.corrected)
		}
	}
	for ω, want := range map[float64]float64{7: 0.2188, 8: 0.24} {
		if got := Evaluate(wfg{corrected: true}, in, ω).WarpsPerCycle; math.Abs(got-want) > 0.5e-4 {
			t.Errorf("ω = %v: corrected %v warps per cycle, want %v", ω, got, want)
		}
	}
	// "Slightly above Volkov's roofline for ω = 3 or 4" (A 2.4.4), and of more than one
	// warp only there. One takes 24 cycles: with an ILP of 2 two additions take Λ = 4,
	// where Eq. 2 counts λ + Λ.
	for ω := 2.0; ω <= 16; ω++ {
		above := Evaluate(wfg{}, in, ω).WarpsPerCycle / Evaluate(volkov{}, in, ω).WarpsPerCycle
		if want := ω == 3 || ω == 4; (above > 1) != want || above > 1.08 {
			t.Errorf("ω = %v: the published model is at %v of Volkov's", ω, above)
		}
	}
}

// TestWFGCases is A Fig. 6: one chain of computations and one access, of which
// Volkov says 14 cycles as long as latency bounds: Eq. 40, and 14 corrected.
func TestWFGCases(t *testing.T) {
	for _, c := range []struct{ comp, mem float64 }{{8, 6}, {11, 3}, {3, 11}} {
		in := Mix{CompCPI: 1e-9, CompLatency: c.comp, MemCPI: 1e-9, MemLatency: c.mem}.Input(1, 1)
		for ω := 1.0; ω <= 12; ω++ {
			if exposed := c.mem - (ω-1)*c.comp/(2*ω); exposed > 0 {
				want := c.comp + c.mem*ω - (ω-1)*c.comp/2
				if got := ω / Evaluate(wfg{}, in, ω).WarpsPerCycle; math.Abs(got-want) > 1e-6 {
					t.Errorf("(%v, %v), ω = %v: published %v cycles, want %v", c.comp, c.mem, ω, got, want)
				}
			}
			if got := ω / Evaluate(wfg{corrected: true}, in, ω).WarpsPerCycle; math.Abs(got-14) > 1e-6 {
				t.Errorf("(%v, %v), ω = %v: corrected %v cycles, want 14", c.comp, c.mem, ω, got)
			}
		}
	}
}

// TestWFGBarriersAndStores: barriers take their part of the computing cycles, and
// an access that nothing depends on has no arc beside the transition.
func TestWFGBarriersAndStores(t *testing.T) {
	in := example()
	in.Sync = 1 // NBC = CYC/4
	if e := Evaluate(wfg{}, in, 3); !near(1/e.WarpsPerCycle, 14/3.+2*(6-2*20/12.)) {
		t.Errorf("with a barrier %v cycles", 1/e.WarpsPerCycle)
	}
	in = example()
	in.Blocks[1].Wait = 0
	if e := Evaluate(wfg{}, in, 3); !near(1/e.WarpsPerCycle, 14/3.+(6-2*20/9.)+1) {
		t.Errorf("with a store %v cycles", 1/e.WarpsPerCycle)
	}
	in.Blocks = nil
	if e := Evaluate(wfg{}, in, 3); e.Invalid == "" {
		t.Errorf("without blocks: %+v", e)
	}
}
