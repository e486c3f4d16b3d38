package unroll_test

import (
	"testing"

	"gpupipe/unroll"
)

// TestSwitchedOff: how many instructions a warp issues of a short side that none of its work
// items takes. The numbers are those with a predicate in what nvcc 11.8 compiles for sm_80.
func TestSwitchedOff(t *testing.T) {
	for _, c := range []struct {
		name, body string
		off        int64 // of warp 1
	}{
		{"a sum of two places", "if (x < k) s[x] += s[x + k]; barrier(1); b[x] = s[x];", 5},
		{"a constant distance", "if (x < 16) s[x] += s[x + 16]; barrier(1); b[x] = s[x];", 4},
		{"two sides", "if (x < 16) s[x] = 1; else s[x + 16] = 2; barrier(1); b[x] = s[x];", 1},
		{"some work items take it", "if (x < 48) s[x] += s[x + 16]; barrier(1); b[x] = s[x];", 0},
		{"all take it", "if (x >= 16) s[x] += s[x + 16]; barrier(1); b[x] = s[x];", 0},
		{"nothing follows", "b[x] = s[x]; if (x < 16) b[x + 64] = s[x + 1];", 0},
		{"a return follows", "b[x] = s[x]; if (x < 16) b[x + 64] = s[x + 1]; return;", 0},
		{"twice", "for (int i = 0; i < 2; i++) { if (x < 16) s[x] += s[x + 16]; barrier(1); } b[x] = s[x];", 8},
		{"a long side", "if (x < 16) { s[x] += 1; s[x] += 2 * s[x + 16]; s[x + 1] += 3 * s[x + 17]; s[x + 2] += s[x " +
			"+ 18]; } barrier(1); b[x] = s[x];", 0},
		{"an atomic", "if (x < 16) atomic_inc((volatile global int *)b); barrier(1); b[x] = s[x];", 0},
		{"a division", "if (x < 16) s[x] = s[x + 1] / s[x + 2]; barrier(1); b[x] = s[x];", 0},
		{"two stores to global memory", "if (x < 16) { b[x] = s[x]; b[x + k] = s[x + 1]; } barrier(1); b[x] = s[x];",
			0},
		{"arithmetic", "float v = s[x]; if (x < 16) { v = v * v + 3; v = v * v + v; v = v * 5 + 7; } s[x] = v; " +
			"barrier(1); b[x] = s[x + 1];", 3},
		{"a value that is selected", "int v = 1; if (x < 16) v = 2; b[x] = v;", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := lowerKernel(t, "kernel void k(global float *b, int k) { int x = get_local_id(0); local volatile "+
				"float s[256]; "+c.body+" }")
			for _, o := range []struct {
				opt  unroll.Options
				want int64
			}{
				{unroll.Options{Target: unroll.Target{MachineCode: true}}, c.off},
				{unroll.Options{}, 0}, // PTX
				{unroll.Options{Target: unroll.Target{MachineCode: true, Compiler: unroll.Clang}}, 0},
			} {
				o.opt.Local, o.opt.Args = [3]int64{64}, map[string]unroll.ArgValue{"k": {Int: 16}}
				g := resolve(t, k, o.opt).Graph
				p := g.ProgramOf(1)
				var off int64
				for _, op := range g.ProgramMix(p).Ops {
					if op.Op == "off" {
						off = op.Count
					}
				}
				if off != o.want {
					t.Errorf("%+v: %d are off, want %d", o.opt, off, o.want)
				}
			}
		})
	}
}
