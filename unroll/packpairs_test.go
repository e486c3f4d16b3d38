package unroll_test

import (
	"testing"

	"gpupipe/internal/target"
	"gpupipe/unroll"
)

// TestPackPairs: which instructions compute two numbers, as clang 14 compiles the same statements
// for gfx90a.
func TestPackPairs(t *testing.T) {
	for _, c := range []struct {
		name, body           string
		packed, single, move int64 // of single precision
	}{
		{"vectors of two", "v[x] = u[x] * u[x+64] + u[x+128];", 1, 0, 0},
		{"a difference of two", "v[x] = u[x] - u[x+64];", 1, 0, 0},
		{"vectors of four", "q[x] = p[x] * p[x+64] + p[x+128];", 2, 0, 0},
		{"a difference of four", "q[x] = p[x] - p[x+64];", 0, 4, 0},
		{"vectors of three", "vstore3(vload3(x, a) * vload3(x+64, a), x, b);", 0, 3, 0},
		{"stores to neighbours", "b[2*x] = a[x] * a[x+64] + a[x+128]; b[2*x+1] = a[x+192] * a[x+256] + a[x+320];", 1, 0,
			0},
		{"stores to four neighbours", "b[4*x] = a[x] * n; b[4*x+1] = a[x+64] * n; b[4*x+2] = a[x+128] * n; b[4*x+3] " +
			"= a[x+192] * n;", 2, 0, 0},
		{"stores to what may be neighbours", "b[x] = a[x] * n; b[x+1] = a[x+64] * n;", 0, 2, 0},
		{"stores far apart", "b[x] = a[x] * a[x+64]; b[x+64] = a[x+192] * a[x+256];", 0, 2, 0},
		{"an operand in common", "float f = a[x]; b[2*x] = f * a[x+64]; b[2*x+1] = f * a[x+192];", 1, 0, 0},
		{"differences", "b[2*x] = a[x] - a[x+64]; b[2*x+1] = a[x+128] - a[x+192];", 1, 0, 0},
		{"one waits for the other", "float f = a[x] * a[x+64]; b[2*x] = f; b[2*x+1] = f * a[x+128];", 0, 2, 0},
		{"chains", "float f = a[x], g = a[x+64];\n#pragma unroll\nfor (int i = 0; i < 20; i++) { f = f * n + a[x]; g " +
			"= g * n + a[x+64]; }\nb[2*x] = f; b[2*x+1] = g;", 20, 0, 0},
		{"chains to be stored far apart", "float f = a[x], g = a[x+64];\n#pragma unroll\nfor (int i = 0; i < 20; " +
			"i++) { f = f * n + a[x]; g = g * n + a[x+64]; }\nb[x] = f; b[x+64] = g;", 0, 40, 0},
		{"sums of a loop", "float f = 0, g = 0;\n#pragma unroll 1\nfor (int i = 0; i < m; i++) { f += a[x+64*i]; g " +
			"+= a[x+64*i+2048]; }\nb[x] = f; b[x+64] = g;", 100, 0, 0},
		{"three sums of a loop", "float f = 0, g = 0, h = 0;\n#pragma unroll 1\nfor (int i = 0; i < m; i++) { f += " +
			"a[x+64*i] * n; g += a[x+64*i+2048] * n; h += a[x+64*i+4096] * n; }\nb[x] = f; b[x+64] = g; b[x+128] = h;",
			100, 100, 0},
		{"one sum of a loop", "float f = 0;\n#pragma unroll 1\nfor (int i = 0; i < m; i++) f += a[x+64*i] * " +
			"a[x+64*i+1024];\nb[x] = f;", 0, 100, 0},
		{"factors for both", "float f = 0, g = 0;\n#pragma unroll 1\nfor (int i = 0; i < m; i++) { f += a[x+64*i] * " +
			"a[x+64*i+512] + a[x+64*i+1] * a[x+64*i+2048]; g += a[x+64*i] * a[x+64*i+1024] + a[x+64*i+1] * " +
			"a[x+64*i+3072]; }\nb[x] = f; b[x+64] = g;", 300, 0, 0},
		{"a factor at the end of a wide load", "float f = 0, g = 0;\n#pragma unroll 1\nfor (int i = 0; i < m; i++) { " +
			"int j = x + 64*i; f += a[j] * a[j+512] + a[j+1] * a[j+1024] + a[j+2] * a[j+1536] + a[j+3] * a[j+2048]; " +
			"g += a[j] * a[j+8704] + a[j+1] * a[j+9216] + a[j+2] * a[j+9728] + a[j+3] * a[j+10240]; }\n" +
			"b[x] = f; b[x+64] = g;", 500, 0, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := lowerKernel(t, "kernel void k(global float *restrict b, const global float *restrict a, global "+
				"float2 *restrict v, const global float2 *restrict u, global float4 *restrict q, const global float4 "+
				"*restrict p, float n, int m) { int x = get_global_id(0); "+c.body+" }")
			for _, packed := range []bool{true, false} {
				g := resolve(t, k, unroll.Options{
					Local: [3]int64{64}, Target: unroll.Target{WarpSize: 64, MachineCode: true, Compiler: unroll.Clang,
						Uniform: target.InScalarRegisters, Packed: packed},
					Args: map[string]unroll.ArgValue{"m": {Int: 100}},
				}).Graph
				count := map[string]int64{}
				for _, op := range g.ProgramMix(g.Programs()[0]).Ops {
					count[op.Op] += op.Count
				}
				two := count["add.packed.f32"] + count["mul.packed.f32"] + count["fma.packed.f32"]
				one := count["add.f32"] + count["sub.f32"] + count["mul.f32"] + count["fma.f32"]
				if !packed && (two > 0 || one != 2*c.packed+c.single) ||
					packed && (two != c.packed || one != c.single || count["mov.b32"] != c.move) {
					t.Errorf("packed %t: %d on two numbers, %d on one, %d moves, want %d, %d and %d", packed, two, one,
						count["mov.b32"], c.packed, c.single, c.move)
				}
			}
		})
	}
}
