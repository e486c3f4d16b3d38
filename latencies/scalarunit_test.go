package latencies

import (
	"testing"

	"gpupipe/idg"
)

// A loop's counter, a branch and what is the same in all lanes keep AMD's scalar unit busy, not
// the vector units: a loop of one multiply-add is bound by that. What stands for others is a
// number of its instructions.
func TestScalarUnit(t *testing.T) {
	for _, c := range []struct {
		gpus []string
		cpi  float64 // of an instruction of the unit
	}{{[]string{"mi210", "mi250x", "mi300x"}, 1}, {[]string{"w6600", "w7800", "rx6900xt", "rx7900xtx"}, 0.5}} {
		for _, gpu := range c.gpus {
			d := builtin(t, gpu)
			for name, n := range map[string]float64{
				"loop": 2, "branch": 1, "add.uniform.s32": 1, "setp.uniform.s32": 1, "mul.uniform.u32": 1,
				"and.uniform.pred": 1, "add.uniform.s64": 2, "shl.uniform.s64": 1,
				"mul.wide.uniform.s32": 2, "add.base.uniform.s64": 2, "mul.uniform.s64": 6, "cvt.s64.uniform.s32": 1,
				"select.uniform.b64": 1,
			} {
				e := entryOf(t, d, op{op: name})
				if s := d.Subsystems[e.Subsystem].Name; s != "constant" || e.Timing.CPI.Float() != n*c.cpi {
					t.Errorf("%s: %s is on %s with %v cycles, want the scalar unit with %v", gpu, name, s,
						e.Timing.CPI.Float(), n*c.cpi)
				}
			}
			if e := entryOf(t, d, op{op: "loop.vector"}); d.Subsystems[e.Subsystem].Name != "alu" {
				t.Errorf("%s: a loop of which the lanes have different counters is on %s", gpu,
					d.Subsystems[e.Subsystem].Name)
			}
		}
	}
	for _, gpu := range []string{"t4", "a100", "h100"} { // a datapath of their own for what a warp executes once
		d := builtin(t, gpu)
		for _, name := range []string{"add.uniform.s32", "setp.uniform.s32", "shl.uniform.s32"} {
			if e := entryOf(t, d, op{op: name}); d.Subsystems[e.Subsystem].Name != "uniform" {
				t.Errorf("%s: %s is on %s", gpu, name, d.Subsystems[e.Subsystem].Name)
			}
		}
	}
	v100 := builtin(t, "v100")
	for marked, plain := range map[string]string{"add.uniform.s32": "add.s32", "mul.wide.uniform.s32": "mul.wide.s32",
		"add.base.s64": "add.s64", "cvt.s64.uniform.s32": "cvt.s64.s32", "ld.global.uniform": "ld.global"} {
		x, y := entryOf(t, v100, op{op: marked}), entryOf(t, v100, op{op: plain})
		if x.Timing != y.Timing || x.Subsystem != y.Subsystem {
			t.Errorf("v100: %s takes %v, want %v as %s", marked, x.Timing, y.Timing, plain)
		}
	}
}

// A load that is the same in all lanes passes the scalar cache instead of the vector L1, and
// comes from L2 and device memory as others do.
func TestScalarCache(t *testing.T) {
	for _, c := range []struct {
		name string
		l    idg.Locality
		want string // λ, Λ and subsystem on an MI250X
	}{
		{"in the cache", idg.Locality{Warp: reuse(kib, 1)}, "1 64 constant"},
		{"in L2", idg.Locality{Warp: reuse(64*kib, 1)}, "2.2225 244 l2"},
	} {
		f := &idg.Footprint{LaunchReadBytes: mib}
		g := launchOf(t, 64, 1000, 0, f, seen{space: idg.SpaceGlobal, stride: 0, uniform: true, l: c.l})
		m := mapWith(t, "mi250x", g, Options{ConcurrentGroups: 8})
		e := m.Entry(1)
		if got := e.Timing.CPI.String() + " " + e.Timing.Latency.String() + " " +
			m.Subsystems[e.Subsystem]; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
