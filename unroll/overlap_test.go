package unroll_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpupipe/idg"
	"gpupipe/unroll"
)

// TestPunning writes what a private union, array or pointer cast reinterprets
// once with that and once with the language's own functions: the instructions
// are the same.
func TestPunning(t *testing.T) {
	for _, tt := range []struct{ name, punned, plain string }{
		{
			"union", "union { float f; uint i; } k; k.i = x > 8.0f ? (uint)(x * 3.0f) : 0u; y = k.f * 2.0f;",
			"y = as_float(x > 8.0f ? (uint)(x * 3.0f) : 0u) * 2.0f;",
		},
		{
			"pointer cast", "uint u = *(uint *)&x; u = (u >> 3) + 7u; y = *(float *)&u;",
			"y = as_float((as_uint(x) >> 3) + 7u);",
		},
		{
			"written again", "union { float f; uint i; } k; k.f = x; y = k.f; k.i += 9u; y += k.f; k.f = y; y = " +
				"(float)k.i;",
			"y = x + as_float(as_uint(x) + 9u); y = (float)as_uint(y);",
		},
		{
			"overwritten in parts", "ulong k = (ulong)(x * 3.0f) * 7ul; uint *h = (uint *)&k; h[1] = 7u; h[0] = n; y " +
				"= (float)k;",
			"ulong k = as_ulong((uint2)(n, 7u)); y = (float)k;",
		},
		{
			"parts overwritten at once", "ulong k; uint *h = (uint *)&k; h[0] = (uint)(x * 3.0f); h[1] = 5u; k = " +
				"as_ulong((uint2)(n, 7u)); y = (float)h[0];",
			"y = (float)as_uint2(as_ulong((uint2)(n, 7u))).x;",
		},
		{
			"a constant", "union { float f; uint i; } k; k.i = 0x40000000u; y = x * k.f;",
			"y = x * 2.0f;",
		},
		{
			"under a branch", "union { float f; uint i; } k; k.f = x; if (n > 5) k.i = n; y = k.f;",
			"float k[1]; k[0] = x; if (n > 5) k[0] = as_float(n); y = k[0];",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ops := func(body string) []idg.OpCount {
				text := "kernel void k(global const float *a, global float *o, int n) {\n" +
					"  for (int i = 0; i < 3; i++) { float x = a[get_global_id(0) + 64 * i], y; " + body +
					" o[get_global_id(0) + 64 * i] = y; }\n}\n"
				return firstWarpMix(t, text).Ops
			}
			if diff := cmp.Diff(ops(tt.plain), ops(tt.punned)); diff != "" {
				t.Errorf("instructions (-plain +punned)\n%s", diff)
			}
		})
	}
}

// TestPunnedParts checks that what is read in parts depends on all that wrote
// it: every load stays.
func TestPunnedParts(t *testing.T) {
	text := "kernel void k(global const uint *a, global uchar *o) { uint w[2]; uchar *b = (uchar *)w; int i = " +
		"get_global_id(0);\n" +
		"  w[0] = a[i]; w[1] = a[i + 64]; o[i] = b[1]; b[5] = o[i + 64]; o[i + 128] = (uchar)w[1]; }\n"
	for _, c := range firstWarpMix(t, text).Classes {
		if c.Class == "ld.global" && c.Count != 3 {
			t.Errorf("%d loads, want 3", c.Count)
		}
	}
}

// firstWarpMix is what the first warp of a kernel executes.
func firstWarpMix(t *testing.T, text string) *idg.Mix {
	t.Helper()
	g := resolve(t, lowerKernel(t, text), unroll.Options{Local: [3]int64{64}, Groups: [3]int64{4},
		Warps: unroll.FirstWarp}).Graph
	return g.ProgramMix(g.ProgramOf(0))
}
