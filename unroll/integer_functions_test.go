package unroll_test

import (
	"fmt"
	"testing"

	"gpupipe/unroll"
)

// TestIntegerFunctions: functions of integers whose arguments are known have a value, by which loops
// are counted. Counts of bits are of the argument's type.
func TestIntegerFunctions(t *testing.T) {
	for _, c := range []struct {
		function string // of n = 2^40 + 6 and u = 96
		want     int64
	}{
		{"__popcll(n)", 3}, {"__popc((unsigned)n)", 2}, {"__clzll(n)", 23}, {"__clzll(0)", 64}, {"__clz(u)", 25},
		{"__clz(u - 96)", 32},
		{"__ffs(u)", 6}, {"__ffs(u - 96) + 9", 9}, {"__ffsll(n >> 3)", 38}, {"(__brev(u) >> 20)", 96},
		{"(int)(__brevll(n) >> 56)", 96}, {"__clz(-u) + 3", 3},
	} {
		text := fmt.Sprintf("__global__ void k(float *a, long long n, int u) { float s = a[0];\n#pragma unroll 1\n"+
			"for (int i = 0; i < %s; i++) s = s * s; a[threadIdx.x] = s; }", c.function)
		args := map[string]unroll.ArgValue{"n": {Int: 1<<40 + 6}, "u": {Int: 96}}
		g := resolve(t, lowerSource(t, "k.cu", text)[0], unroll.Options{Local: [3]int64{32}, Args: args}).Graph
		if got := int64(ops(g)["loop"]); got != c.want {
			t.Errorf("%s: %d iterations, want %d", c.function, got, c.want)
		}
	}
}
