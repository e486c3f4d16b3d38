package unroll_test

import (
	"maps"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/unroll"
)

// TestPartialReturn: where some lanes of a warp have returned, the others execute what all would. Counters of
// loops that are unrolled fully stay constants, so that the arrays that they select from stay in registers, as
// clang 14 has them for gfx90a at -O2 and -O3 (no scratch).
func TestPartialReturn(t *testing.T) {
	const body = `
    float t[8];
    #pragma unroll
    for (int j = 0; j < 8; j++) t[j] = 0;
    for (int k = 0; k < w; k++) {
        #pragma unroll
        for (int j = 0; j < 8; j++) t[j] += in[i * 8 + j + k * 4096] * in[i];
    }
    float s = 0;
    #pragma unroll
    for (int j = 0; j < 8; j++) s += t[j] * t[7 - j];
    out[i] = s;`
	const head = `kernel void k(global float *out, global const float *in, int n, int w) {
    int i = get_global_id(0);`
	for name, text := range map[string]string{
		"return": head + `
    if ((i & 63) >= n) return;` + body + `
}`,
		"return of a helper function": `void h(global float *out, global const float *in, int n, int w, int i) {
    if ((i & 63) >= n) return;` + body + `
}
` + head + `
    h(out, in, n, w, i);
}`,
		"outer counter": head + `
    int j = n;
    if ((i & 63) < n) {` + strings.ReplaceAll(body, "int j", "j") + `
        in = out;
    }
    out[j] = in[j];
}`,
		"break": head + `
    for (int step = 0; step < 1; step++) {
    if ((i & 63) >= n) break;` + body + `
    }
}`,
	} {
		for _, compiler := range []unroll.Compiler{unroll.NVCC, unroll.Clang} {
			mix := func(n int64) (map[string]int, *idg.Graph) {
				g := resolve(t, lowerKernel(t, text), unroll.Options{
					Local: [3]int64{64, 1, 1}, Groups: [3]int64{4, 1, 1},
					Target: unroll.Target{WarpSize: 64, Level: unroll.O2, Compiler: compiler},
					Args:   map[string]unroll.ArgValue{"n": {Int: n}, "w": {Int: 50}},
				}).Graph
				return ops(g), g
			}
			some, g := mix(40)
			all, _ := mix(64)
			if g.Resources.PrivateBytes != 0 {
				t.Errorf("%s, %v: %d bytes of private memory, want 0", name, compiler, g.Resources.PrivateBytes)
			}
			if !maps.Equal(some, all) {
				t.Errorf("%s, %v: some lanes execute %v, all %v", name, compiler, some, all)
			}
		}
	}
}
