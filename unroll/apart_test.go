package unroll_test

import (
	"testing"

	"gpupipe/unroll"
)

// TestApart: lanes with different trip counts of a loop that is unrolled by 4 execute their
// whole passes and their left-over iterations apart, as nvcc 11.8's machine code does
// (TestMachineCode of internal/evidence/fidelity).
func TestApart(t *testing.T) {
	const source = `__global__ void k(const float *a, float *b, int n) {
    __shared__ float s[1024];
    for (int i = threadIdx.x; i < N; i += 32) s[i] = a[i];
    __syncthreads();
    b[threadIdx.x] = s[3 * threadIdx.x];
}`
	for _, c := range []struct {
		n     string
		level unroll.Level
		want  int
	}{
		{"102", unroll.O2, 7}, // 4 and 3 iterations
		{"96", unroll.O2, 3},
		{"128", unroll.O2, 4},
		{"70", unroll.O2, 3},   // 3 and 2
		{"134", unroll.O2, 5},  // 5 and 4
		{"230", unroll.O2, 11}, // 8 and 7: 8, 4 of them with the others' whole pass, and 3
		{"256", unroll.O2, 8},
		{"128 + (threadIdx.x & 1) * 32 * 4", unroll.O2, 8}, // 4 and 8
		{"32 * threadIdx.x", unroll.O2, 31},                // 0 to 30, which is 7 passes and up to 3
		{"102", unroll.O0, 4},
		{"n", unroll.O2, 7},
	} {
		k := lowerSource(t, "k.cu", source, "N="+c.n)[0]
		r, err := unroll.Resolve(k, unroll.Options{Target: unroll.Target{Level: c.level}, Local: [3]int64{32, 1, 1},
			Args: map[string]unroll.ArgValue{"n": {Int: 102}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := ops(r.Graph)["ld.global"]; got != c.want {
			t.Errorf("to %s at %v: %d loads, want %d", c.n, c.level, got, c.want)
		}
	}
}
