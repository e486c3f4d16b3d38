package fidelity

import (
	"fmt"
	"strings"
)

// rules are kernels of one statement each, which show how the compiler combines integer
// instructions (package unroll, combine.go).
func rules() []source {
	list := []struct{ name, parameters, body string }{
		{"index of floats", "const float *a, float *b", "b[x] = a[x];"},
		{"index of bytes", "const signed char *a, float *b, int n", "b[x] = a[x * n];"},
		{"index of bytes, unsigned", "const unsigned char *a, float *b, unsigned n", "b[x] = a[x * n];"},
		{"index of 64 bits", "const float *a, float *b, long n", "b[x] = a[x * n];"},
		{"index of five buffers", "const float *a, float *b, const float *c, const float *d, float *e",
			"float s = a[x] + c[x] + d[x]; b[x] = s; e[x] = s;"},
		{"sum of three", "const int *a, int *b", "b[x] = a[x] + a[x + 1] + a[x + 2];"},
		{"sum of five", "const int *a, int *b", "b[x] = a[x] + a[x + 1] - a[x + 2] + a[x + 3] - a[x + 4];"},
		{"sum of three, used twice", "const int *a, int *b",
			"int s = a[x] + a[x + 1]; b[x] = s + a[x + 2]; b[x + 1] = s;"},
		{"shift and sum", "const int *a, int *b", "b[x] = (a[x] << 3) + a[x + 1];"},
		{"logic of three", "const int *a, int *b", "b[x] = (a[x] & a[x + 1]) | a[x + 2];"},
		{"logic of five", "const int *a, int *b", "b[x] = (a[x] & ~a[x + 1]) ^ (a[x + 2] | a[x + 3]) ^ a[x + 4];"},
		{"bounds", "int *b, int n, int m",
			"int y = blockIdx.y * blockDim.y + threadIdx.y; if (x > 0 && x < n && y > 0 && y < m) b[y] = x;"},
		{"remainder by a power of two", "int *b, int n", "b[x] = (x - n) % 64;"},
		{"quotient", "const int *a, int *b, int n", "b[x] = a[x] / n;"},
		{"quotient, unsigned", "const unsigned *a, unsigned *b, unsigned n", "b[x] = a[x] / n;"},
		{"quotient of shorts", "const short *a, short *b, int n", "b[x] = a[x] / n;"},
		{"remainder", "const int *a, int *b, int n", "b[x] = a[x] % n;"},
		{"remainder, unsigned", "const unsigned *a, unsigned *b, unsigned n", "b[x] = a[x] % n;"},
		{"quotient and remainder", "const int *a, int *b, int n", "int y = a[x]; b[x] = y / n ^ y % n;"},
		{"quotient and remainder, unsigned", "const unsigned *a, unsigned *b, unsigned n",
			"unsigned y = a[x]; b[x] = y / n ^ y % n;"},
		{"quotients by one number", "const unsigned *a, unsigned *b, unsigned n", "b[x] = a[x] / n ^ a[x + 1] / n;"},
		{"quotient by 7", "const int *a, int *b, int n", "int y = a[x]; b[x] = y / 7 * n + y % 7;"},
		{"quotient by 7, unsigned", "const unsigned *a, unsigned *b, unsigned n",
			"unsigned y = a[x]; b[x] = y / 7 * n + y % 7;"},
		{"quotient by 10, unsigned", "const unsigned *a, unsigned *b, unsigned n",
			"unsigned y = a[x]; b[x] = y / 10 * n + y % 10;"},
		{"rotations", "const unsigned *a, unsigned *b",
			"unsigned y = a[x]; b[x] = (y >> 6 | y << 26) ^ (y >> 11 | y << 21) ^ (y >> 25 | y << 7);"},
		{"majority", "const int *a, int *b", "int y = a[x], z = a[x + 1], w = a[x + 2], v = a[x + 3]; b[x] = (y & z) " +
			"^ (y & w) ^ (z & w); b[x + 1] = (z & w) ^ (z & v) ^ (w & v);"},
		{"local memory", "const float *a, float *b", "__shared__ float s[32][33]; int y = threadIdx.y; " +
			"s[y][threadIdx.x] = a[x]; __syncthreads(); b[x] = s[threadIdx.x][y];"},
		{"local memory, subscript loaded", "const int *a, float *b",
			"__shared__ float s[1024]; s[threadIdx.x] = 1; __syncthreads(); b[x] = s[a[x]];"},
		{"local memory, byte for subscript", "const unsigned *a, float *b",
			"__shared__ float s[256]; s[threadIdx.x] = 1; __syncthreads(); unsigned y = a[x]; b[x] = s[y & 255] + " +
				"s[y >> 8 & 255] + s[y >> 24];"},
	}
	var out []source
	for _, k := range list {
		out = append(out, source{
			name: k.name, file: "rule.cu", only: []string{"rule"},
			text: "// idgen: local=32,8 groups=64,64\n__global__ void rule(" + k.parameters +
				") {\n    int x = blockIdx.x * blockDim.x + threadIdx.x;\n    " + k.body + "\n}\n",
		})
	}
	return out
}

// statement is what a rule's kernel does.
func (s source) statement() string {
	lines := strings.Split(strings.TrimSpace(s.text), "\n")
	return strings.ReplaceAll(strings.TrimSpace(lines[len(lines)-2]), "|", "\\|")
}

// leftOver are loops that are unrolled for a run-time trip count, of which the lanes of a
// warp have different ones.
func leftOver() []source {
	var out []source
	for _, n := range []int{70, 96, 102, 128, 134, 230} {
		out = append(out, source{
			name: fmt.Sprintf("left over %d", n), file: "rule.cu", only: []string{"rule"},
			defines: []string{fmt.Sprintf("N=%d", n)},
			text: `// idgen: local=32 groups=64
__global__ void rule(const float *a, float *b) {
    __shared__ float s[1024];
    for (int i = threadIdx.x; i < N; i += 32) s[i] = a[i];
    __syncthreads();
    b[threadIdx.x] = s[3 * threadIdx.x];
}
`,
		})
	}
	return out
}

// nested are loops around loops, with run-time trip counts both, that a pragma asks to unroll
// fully: the inner one is unrolled for left-over iterations, the outer one stays rolled.
func nested() []source {
	var out []source
	for _, n := range []int{20, 34, 38, 62} {
		out = append(out, source{
			name: fmt.Sprintf("nested %d", n), file: "rule.cu", only: []string{"rule"},
			defines: []string{fmt.Sprintf("N=%d", n)},
			text: `// idgen: local=4,8 groups=64
__global__ void rule(const float *a, float *b) {
    __shared__ float s[4096];
    #pragma unroll
    for (int j = threadIdx.y; j < N; j += 8) {
        #pragma unroll
        for (int i = threadIdx.x; i < 18; i += 4) s[64 * j + i] = a[100 * j + i];
    }
    __syncthreads();
    b[threadIdx.x] = s[3 * threadIdx.x];
}
`,
		})
	}
	return out
}
