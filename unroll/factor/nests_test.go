package factor_test

import (
	"fmt"
	"testing"

	"gpupipe/internal/target"
	"gpupipe/unroll"
)

// TestNests compares up to which length of a private array the nest of loops over it is unrolled with what
// nvcc 11.8 (sm_80) and clang 14 (gfx90a) do, found by compiling each length: the longest without a loop in nvcc's
// code, and the longest of which clang's remarks (-Rpass=loop-unroll) say that the outer loop is unrolled completely.
func TestNests(t *testing.T) {
	nvcc := unroll.Options{Target: unroll.Target{Compiler: unroll.NVCC, Level: unroll.O2}}
	amd := unroll.Options{Target: unroll.Target{Compiler: unroll.Clang, Level: unroll.O2,
		Uniform: target.InScalarRegisters}}
	const within = 1.2
	for _, c := range []struct {
		name, body string
		nvcc, amd  int
	}{
		{"sort", "{ float t = fmin(v[j], v[j+1]); v[j+1] = fmax(v[j], v[j+1]); v[j] = t; }", 36, 15},
		{"a multiply-add", "v[j] = v[j] * c + v[j+1];", 56, 19},
		{"three", "v[j] = ((v[j] * c + v[j+1]) * c + v[j]) * c + v[j+1];", 35, 17},
		{"seven", "v[j] = ((((((v[j] * c + v[j+1]) * c + v[j]) * c + v[j+1]) * c + v[j]) * c + v[j+1]) * c + v[j]) * " +
			"c + v[j+1];", 17, 14},
		{"exchange", "if (v[j] > v[j+1]) { float t = v[j]; v[j] = v[j+1]; v[j+1] = t; }", 34, 16},
		{"conditional", "if (v[j] > v[j+1]) v[j] += c;", 34, 16},
	} {
		for _, of := range []struct {
			name  string
			opt   unroll.Options
			limit int
		}{{"nvcc", nvcc, c.nvcc}, {"clang for gfx90a", amd, c.amd}} {
			for _, n := range []int{int(float64(of.limit) / within), int(float64(of.limit)*within) + 1} {
				text := fmt.Sprintf(`kernel void k(global float *out, global const float *in, float c) {
	float v[%d]; int x = get_global_id(0);
	#pragma unroll
	for (int i = 0; i < %[1]d; i++) v[i] = in[x * %[1]d + i];
	for (int i = 0; i < %[1]d; i++) for (int j = 0; j < %[1]d - 1 - i; j++) %s
	#pragma unroll
	for (int i = 0; i < %[1]d; i++) out[x * %[1]d + i] = v[i];
}`, n, c.body)
				of.opt.Local, of.opt.Groups = [3]int64{32, 1, 1}, [3]int64{4, 1, 1}
				g := resolve(t, lowered(t, "k.cl", text), of.opt).Graph
				if full := g.Loops[1].Full; full != (n < of.limit) {
					t.Errorf("%s, %s: fully unrolled for %d elements: %v; up to %d it should be (%s)", of.name, c.name,
						n, full, of.limit, g.Loops[1].Reason)
				}
				if inMemory := g.Resources.PrivateBytes > 0; inMemory == g.Loops[1].Full {
					t.Errorf("%s, %s: %d elements, %d bytes in memory", of.name, c.name, n, g.Resources.PrivateBytes)
				}
			}
		}
	}
}

// A nest without private arrays, or with a trip count that is not a constant, stays as it is.
func TestNoNests(t *testing.T) {
	for _, loops := range []string{
		"for (int i = 0; i < 8; i++) for (int j = 0; j < i; j++) s += in[x + 64 * (8 * i + j)];",
		"float v[8]; for (int i = 0; i < 8; i++) for (int j = 0; j < n - i; j++) v[j & 7] += s;",
		"float v[8]; for (int i = 0; i < n; i++) for (int j = 0; j < 8 - i; j++) v[j] += s;",
		"float v[8]; for (int i = 0; i < 8; i++) for (int j = 0; j < 8 - i; j++) for (int k = 0; k < j; k++) " +
			"v[k] += s;",
	} {
		k := lowered(t, "k.cl", "kernel void k(global float *out, global const float *in, int n) { int x = "+
			"get_global_id(0); float s = in[x]; "+loops+" out[x] = s; }")
		g := resolve(t, k, unroll.Options{Local: [3]int64{32, 1, 1}, Groups: [3]int64{4, 1, 1},
			Args: map[string]unroll.ArgValue{"n": {Int: 8}}}).Graph
		if g.Loops[0].Full {
			t.Errorf("%s: %s", loops, g.Loops[0].Reason)
		}
	}
}

// TestProductNests compares how nests of two constant trip counts around one product are unrolled with what clang 14's
// remarks (-O2, gfx90a) say. Factors: 0 is fully.
func TestProductNests(t *testing.T) {
	for _, c := range [][4]int64{
		{16, 16, 0, 0}, {16, 32, 4, 0}, {32, 32, 4, 0}, {32, 40, 2, 0}, {32, 48, 2, 0}, {32, 60, 0, 20},
		{32, 64, 0, 16}, {32, 70, 0, 14},
		{40, 64, 1, 16}, {64, 64, 1, 16}, {8, 256, 0, 16}, {4, 512, 0, 16}, {16, 128, 0, 16},
	} {
		text := fmt.Sprintf(
			`kernel void k(global float *restrict out, global const float *restrict a, global const float *restrict b) {
	float s = 0;
	for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++) s += a[i] * b[j];
	out[get_global_id(0)] = s;
}`, c[0], c[1])
		g := resolve(t, lowered(t, "k.cl", text), unroll.Options{
			Target: unroll.Target{Compiler: unroll.Clang, Level: unroll.O2, Uniform: target.InScalarRegisters},
			Local:  [3]int64{64, 1, 1}, Groups: [3]int64{1, 1, 1},
		}).Graph
		for i, l := range g.Loops {
			got := l.Factor
			if l.Full {
				got = 0
			}
			if got != c[2+i] {
				t.Errorf("%dx%d, loop %d: unrolled by %d, want %d (%s)", c[0], c[1], i, got, c[2+i], l.Reason)
			}
		}
	}
}
