package fidelity

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// readKernels are kernels of which the reads of registers are compared: a loop of n steps over what
// is in local memory, with a body that shares operands between instructions in one way each.
func readKernels() []source {
	times := func(n int, body string) string { return strings.Repeat(body, n) }
	var list []source
	for _, k := range []struct{ name, before, body, result string }{
		{"a chain", "float t = x, u = a[x], v = b[x];", times(24, "t = t * u + v; "), "t"},
		{"two chains", "float t = x, u = a[x], v = b[x], p = x + 1, q = a[x + 32], r = b[x + 32];",
			times(24, "t = t * u + v; p = p * q + r; "), "t + p"},
		{"four chains, one factor", "float t[4], v[4], u = a[x]; for (int j = 0; j < 4; j++) { t[j] = b[x + 32 * j]; " +
			"v[j] = a[x + 32 + 32 * j]; }",
			times(12, "for (int j = 0; j < 4; j++) t[j] = t[j] * u + v[j]; "), "t[0] + t[1] + t[2] + t[3]"},
		{"two polynomials", "float t = x, u = a[x], p = x + 1, q = b[x];",
			times(12, "t = t * u + 0.5f; p = p * q + 0.25f; "), "t + p"},
		{"sums and products", "float t = x, u = a[x], p = x + 1, q = b[x];",
			times(12, "t = t + u; p = p * q; t = t * p; "), "t + p"},
		{"complex products", "float re = a[x], im = b[x], u = a[x + 32], v = b[x + 32];",
			times(8, "{ float w = re * u - im * v; im = re * v + im * u; re = w; } "), "re + im"},
		{"distances", "float t = 0, x0 = a[x], y0 = b[x];", "for (int j = 0; j < 8; j++) { float dx = s[8 * i + j] - " +
			"x0, dy = s[8 * i + j + 1024] - y0; t += dx * dx + dy * dy; } ", "t"},
		{"scalar product", "float t = 0;", "for (int j = 0; j < 8; j++) t += s[8 * i + j] * s[1024 + 256 * j + x]; ",
			"t"},
		{"column of 8", "float t[8] = {0};",
			"float u = s[i]; for (int j = 0; j < 8; j++) t[j] += s[1024 + 8 * x + j] * u; ",
			"t[0] + t[1] + t[2] + t[3] + t[4] + t[5] + t[6] + t[7]"},
		{"column of 8, 4 steps", "float t[8] = {0};", "for (int k = 0; k < 4; k++) { float u = s[4 * i + k]; for " +
			"(int j = 0; j < 8; j++) t[j] += s[1024 + 64 * j + 4 * x + k] * u; } ",
			"t[0] + t[1] + t[2] + t[3] + t[4] + t[5] + t[6] + t[7]"},
		{"filter of 5, taps outside", "float t[8] = {0}, w[5]; for (int j = 0; j < 5; j++) w[j] = b[j + x];",
			"float v[12]; for (int j = 0; j < 12; j++) v[j] = s[32 * i + 16 * x + j]; for (int j = 0; j < 5; j++) " +
				"for (int k = 0; k < 8; k++) t[k] += v[j + k] * w[j]; ",
			"t[0] + t[1] + t[2] + t[3] + t[4] + t[5] + t[6] + t[7]"},
		{"filter of 5, taps inside", "float t[8] = {0}, w[5]; for (int j = 0; j < 5; j++) w[j] = b[j + x];",
			"float v[12]; for (int j = 0; j < 12; j++) v[j] = s[32 * i + 16 * x + j]; for (int k = 0; k < 8; k++) " +
				"for (int j = 0; j < 5; j++) t[k] += v[j + k] * w[j]; ",
			"t[0] + t[1] + t[2] + t[3] + t[4] + t[5] + t[6] + t[7]"},
	} {
		list = append(list, source{name: k.name, file: "reads.cu", only: []string{"reads"},
			text: fmt.Sprintf(`// idgen: local=32 groups=64 arg.n=16
__global__ void reads(const float *a, const float *b, float *c, int n) {
    __shared__ float s[4096];
    int x = threadIdx.x;
    #pragma unroll 1
    for (int i = 0; i < 128; i++) s[32 * i + x] = a[32 * i + x];
    __syncthreads();
    %s
    #pragma unroll 1
    for (int i = 0; i < n; i++) { %s}
    c[x] = %s;
}
`, k.before, k.body, k.result)})
	}
	for _, k := range []resultTile{{2, 64}, {4, 8}, {4, 16}, {6, 8}, {8, 4}, {8, 8}} {
		list = append(list, k.source())
	}
	return list
}

// readSources are what is compared: these, and built-in kernels that compute for the most part.
func readSources(t *testing.T) []source {
	list := readKernels()
	for _, s := range builtins(t) {
		if slices.Contains([]string{"mmul", "nbody", "black-scholes", "independent-madd"}, s.name) {
			list = append(list, s)
		}
	}
	return list
}
