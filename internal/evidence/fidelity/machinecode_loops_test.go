package fidelity

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/evidence/sass"
)

// runtimeLoops are kernels with a loop of which the compiler does not know the trip count, or that a
// comparison leaves before, and without a pragma. Their launch is one of work items of a warp each; n is 101, so that
// one iteration is left over by 2, 4 and 5.
func runtimeLoops() (list []source) {
	chain := func(n int) string { return strings.Repeat("t = t * u + v; ", n) }
	loads := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "t += a[i * 32 + x + %d]; ", 4000*i)
		}
		return b.String()
	}
	for _, k := range []struct{ name, code string }{
		{"chain of 1", "for (int i = 0; i < n; i++) { " + chain(1) + "}"},
		{"chain of 6", "for (int i = 0; i < n; i++) { " + chain(6) + "}"},
		{"chain of 12", "for (int i = 0; i < n; i++) { " + chain(12) + "}"},
		{"chain of 24", "for (int i = 0; i < n; i++) { " + chain(24) + "}"},
		{"chain of 48", "for (int i = 0; i < n; i++) { " + chain(48) + "}"},
		{"chain of 100", "for (int i = 0; i < n; i++) { " + chain(100) + "}"},
		{"load, lanes", "for (int i = 0; i < n; i++) t += a[i * 32 + x];"},
		{"load, row", "for (int i = 0; i < n; i++) t += a[x * n + i];"},
		{"load, stride of rows", "for (int i = 0; i < n; i++) t += a[i * n + x];"},
		{"2 loads, one uniform", "for (int i = 0; i < n; i++) t += a[i * n + x] * b[i];"},
		{"4 loads", "for (int i = 0; i < n; i++) { " + loads(4) + "}"},
		{"8 loads", "for (int i = 0; i < n; i++) { " + loads(8) + "}"},
		{"2 loads and a store", "for (int i = 0; i < n; i++) c[i * 32 + x] = a[i * 32 + x] + b[i * 32 + x];"},
		{"local, uniform", "for (int i = 0; i < n; i++) t += s[i];"},
		{"local, lanes", "for (int i = 0; i < n; i++) t += s[8 * i + threadIdx.x];"},
		{"local, store", "for (int i = 0; i < n; i++) s[8 * i + threadIdx.x] = t; __syncthreads(); t = s[n + " +
			"threadIdx.x];"},
		{"step of a warp", "for (int i = threadIdx.x; i < 32 * n; i += 32) t += a[i];"},
		{"step of a group", "for (int i = threadIdx.x; i < 32 * n; i += blockDim.x) t += a[i];"},
		{"step of the launch", "for (int i = x; i < n * 2048; i += blockDim.x * gridDim.x) t += a[i];"},
		{"downwards", "for (int i = n - 1; i >= 0; i--) t += a[i * 32 + x];"},
		{"from 1, <=", "for (int i = 1; i <= n; i++) t += a[i * 32 + x];"},
		{"unsigned", "for (unsigned i = 0; i < n; i++) t += a[i * 32 + x];"},
		{"size_t", "for (size_t i = 0; i < n; i++) t += a[i * 32 + x];"},
		{"while", "int i = n; while (i > 0) { t += a[i * 32 + x]; i--; }"},
		{"do", "int i = 0; do { t += a[i * 32 + x]; i++; } while (i < n);"},
		{"pointer", "const float *p = a + x; for (int i = 0; i < n; i++) { t += *p; p += 32; }"},
		{"barriers", "for (int i = 0; i < n; i++) { s[threadIdx.x] = t; __syncthreads(); t += s[31 - threadIdx.x]; " +
			"__syncthreads(); }"},
		{"condition", "for (int i = 0; i < n; i++) if (i + threadIdx.x < m) t += a[i * 32 + x];"},
		{"condition, store", "for (int i = 0; i < n; i++) if (i + threadIdx.x < m) c[i * 32 + x] = t;"},
		{"integers", "int k = x; for (int i = 0; i < n; i++) k = (k * 5 + i) & 1023; t = k;"},
		{"doubles", "double d = x; for (int i = 0; i < n; i++) d = d * 1.5 + 2.5; t = d;"},
		{"special functions", "for (int i = 0; i < n; i++) t += __sinf(t);"},
		{"inner loop of 4", "for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) t += a[i * 128 + j * 32 + x];"},
		{"inner loop", "for (int i = 0; i < 9; i++) for (int j = 0; j < n; j++) t += a[i * n + j * 32 + x];"},
		{"loop around", "for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) t += a[i * n + j * 32 + x];"},
		{"break, 10", "for (int j = 0; j < 10; j++) { if (j >= m - 63) break; t += a[j * n + x]; }"},
		{"break, 16", "for (int j = 0; j < 16; j++) { if (j >= m - 60) break; t += a[j * n + x] * b[j]; }"},
		{"break, lanes", "for (int j = 0; j < 8; j++) { if (j + threadIdx.x >= m) break; s[j + threadIdx.x] = t; t = " +
			"t * u + v; }"},
		{"break, 64", "for (int j = 0; j < 64; j++) { if (j >= m - 30) break; t += a[j * n + x]; }"},
		{"product", "for (int i = 0; i < m; i++) { s[threadIdx.x] = a[i * 32 + x]; __syncthreads(); for (int j = 0; " +
			"j < n; j++) t += s[j] * b[j * 32 + x]; __syncthreads(); }"},
	} {
		list = append(list, source{
			name: "loop: " + k.name, file: "loop.cu", only: []string{"loop"},
			text: "// idgen: local=32 groups=64 arg.n=101 arg.m=70\n__global__ void loop(const float *a, const float " +
				"*b, float *c, int n, int m, float u, float v) {\n" +
				"    __shared__ float s[4096];\n    int x = blockIdx.x * blockDim.x + threadIdx.x;\n" +
				"    float t = u;\n    s[threadIdx.x] = v;\n    __syncthreads();\n" +
				"    " + k.code + "\n    c[x] = t;\n}\n",
		})
	}
	return list
}

// checkRuntimeLoops compares what a warp executes of the loops with run-time trip counts, and writes their
// table: the branches show how often they are unrolled.
func checkRuntimeLoops(t *testing.T, recorded map[string]pipeCounts) {
	t.Helper()
	var table strings.Builder
	var off []float64
	for _, s := range runtimeLoops() {
		ours, theirs := graphPipes(t, s), recorded[s.name]
		row(&table, strings.TrimPrefix(s.name, "loop: "), ours, theirs)
		for _, p := range []sass.Pipe{sass.Global, sass.Barrier} {
			if ours[p] != theirs[p] {
				t.Errorf("%s: %d instructions of pipe %v, machine code has %d", s.name, ours[p], p, theirs[p])
			}
		}
		off = append(off, math.Abs(difference(ours.total(), theirs.total())))
	}
	writeSection(t, "machinecode_loops", table.String())
	slices.Sort(off)
	if off[len(off)/2] > loopsMedian || off[len(off)*9/10] > loopsNinety {
		t.Errorf("loops with run-time trip counts are off by %.1f%% in the median, %.1f%% at the 90th percentile, "+
			"want %g%% and %g%%",
			100*off[len(off)/2], 100*off[len(off)*9/10], 100*loopsMedian, 100*loopsNinety)
	}
}
