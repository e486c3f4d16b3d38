package unroll_test

import (
	"testing"

	"gpupipe/unroll"
)

// TestPairs: which instructions of single precision are issued two at a time, by the rules that
// compiled loops show (TestPairs of internal/evidence/fidelity).
func TestPairs(t *testing.T) {
	for _, c := range []struct {
		name, body     string
		paired, single int64 // of single precision
	}{
		{"nothing in common", "b[x] = a[x] + a[x+64]; b[x+128] = a[x+192] + a[x+256];", 2, 0},
		{"one waits for the other", "b[x] = (a[x] + a[x+64]) * a[x+128];", 0, 2},
		{"a register in common", "float f = a[x]; b[x] = f + a[x+64]; b[x+128] = f + a[x+192];", 0, 2},
		{"a constant in common", "float f = w[n]; b[x] = f + a[x+64]; b[x+128] = f + a[x+192];", 2, 0},
		{"behind what another pair has issued",
			"b[x] = (a[x] + a[x+64]) + a[x+128]; b[x+192] = (a[x+256] + a[x+320]) + a[x+384];", 4, 0},
		{"different operations", "b[x] = a[x] * a[x+64]; b[x+128] = fmax(a[x+192], a[x+256]);", 2, 0},
		{"different basic blocks", "float f = a[x] + a[x+64]; for (int i = 0; i < n; i++) b[x+i] = 0; b[x] = f; " +
			"b[x+128] = a[x+192] + a[x+256];", 0, 2},
		{"other lanes", "if (x < 8) b[x] = a[x] + a[x+64]; else b[x] = a[x] * a[x+64];", 0, 2},
		{"through an address", "int i = a[x] + a[x+64]; b[x] = a[i] * a[x+128];", 0, 2},
		{"double precision", "b[x] = (double)a[x] + (double)a[x+64]; b[x+128] = (double)a[x+192] + (double)a[x+256];",
			0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := lowerKernel(t, "kernel void k(global float *restrict b, const global float *restrict a, constant "+
				"float *w, int n) { int x = get_local_id(0); "+c.body+" }")
			for _, pairs := range []bool{true, false} {
				g := resolve(t, k, unroll.Options{Local: [3]int64{32},
					Target: unroll.Target{WarpSize: 32, MachineCode: true, Compiler: unroll.Clang, Pairs: pairs},
					Args:   map[string]unroll.ArgValue{"n": {Int: 100}}}).Graph
				var paired, single int64
				for _, op := range g.ProgramMix(g.Programs()[0]).Ops {
					switch op.Op {
					case "add.dual.f32", "mul.dual.f32", "max.dual.f32":
						paired += op.Count
					case "add.f32", "mul.f32", "max.f32", "fmax.f32":
						single += op.Count
					}
				}
				want := c.paired
				if !pairs {
					want = 0
				}
				if paired != want || paired+single != c.paired+c.single {
					t.Errorf("pairs %t: %d paired and %d single, want %d of %d paired", pairs, paired, single, want,
						c.paired+c.single)
				}
			}
		})
	}
}
