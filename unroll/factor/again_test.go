package factor_test

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/unroll"
)

// TestPassesOfNVCC: loops with a run-time trip count are unrolled as often as nvcc 11.8 does for sm_80, and made longer
// passes where the stage behind PTX does (for sm_70, sm_75, sm_86 and sm_89 as well): read off machine code.
func TestPassesOfNVCC(t *testing.T) {
	chain := func(n int) string { return strings.Repeat("t = t * u + v; ", n) }
	rows := func(n int) (s string) {
		for i := range n {
			s += fmt.Sprintf("t += a[x * n + i + %d]; ", 1000*i)
		}
		return s
	}
	stores := func(n int) string { return "c[x * n + i] = t; " + chain(n) }
	locals := func(n int) string { return "t += s[i * 8 + threadIdx.x]; " + chain(n) }
	barriers := func(n int) string {
		return "s[threadIdx.x] = t; __syncthreads(); t += s[31 - threadIdx.x]; __syncthreads(); " + chain(n)
	}
	sines := func(n int) string { return strings.Repeat("t = __sinf(t); ", n) }
	divides := func(by string) string { return rows(1) + "k ^= " + by + "; " }
	const up, lanes, toNumber = "for (int i = 0; i < n; i++)", "for (int i = threadIdx.x; i < 32 * n; i += 32)",
		"for (int i = threadIdx.x; i < 1088; i += 32)"
	for _, k := range []struct {
		loop, body    string
		factor, again int64
	}{
		{up, chain(1), 4, 4}, {up, chain(4), 4, 4}, {up, chain(5), 4, 1}, {up, chain(7), 4, 1},
		{up, chain(24), 4, 1}, {up, chain(25), 2, 1}, {up, chain(46), 2, 1}, {up, chain(47), 1, 1},
		{up, rows(1), 4, 4}, {up, rows(3), 4, 4}, {up, rows(4), 4, 1}, {up, rows(9), 4, 1}, {up, rows(10), 2, 1},
		{up, rows(18), 2, 1}, {up, rows(19), 1, 1},
		{up, rows(1) + chain(8), 4, 4}, {up, rows(1) + chain(10), 4, 1}, {up, rows(1) + chain(22), 4, 1},
		{up, rows(1) + chain(24), 2, 1},
		{up, "t += a[x * n + i] * b[x * n + i]; " + chain(6), 4, 4},
		{up, "t += a[x * n + i] * b[x * n + i]; " + chain(8), 4, 1},
		{up, locals(6), 4, 4}, {up, locals(8), 4, 1}, {up, stores(2), 4, 4}, {up, stores(3), 4, 1},
		{up, barriers(2), 4, 4}, {up, barriers(3), 4, 1}, {up, sines(4), 4, 4}, {up, sines(5), 4, 1},
		{up, "t += a[i * n + x];", 4, 4}, {up, "t += a[i * 2 + x];", 4, 4}, {up, "t += a[i * 3 + x];", 4, 1},
		{up, "t += a[i * 32 + x];", 4, 1},
		{up, "t += a[x * n + i * 2];", 4, 4}, {up, "t += a[x * n + i * 32];", 4, 1},
		{up, "t += a[i * 32 + x] * b[i];", 4, 4}, {up, "t += a[i * 32 + x] * b[i * n + x];", 4, 1},
		{up, "t += a[x * n + i] * i;", 4, 4}, {up, "if (i + x < m) t += a[x * n + i];", 4, 1},
		{up, "if (a[x * n + i] > v) t += a[x * n + i] * u;", 4, 4},
		{"for (int i = 0; i <= n; i++)", rows(1), 4, 4}, {"for (int i = n - 1; i >= 0; i--)", rows(1), 4, 4},
		{"for (int i = n - 1; i >= 0; i--)", "t += a[i * 32 + x];", 4, 4},
		{up, "s[i] = i;", 4, 4}, {up, "s[i] = i; " + chain(1), 4, 1}, {up, "t += i; " + chain(1), 4, 4},
		{up, "t += i; " + chain(2), 4, 1}, {up, "t += a[x * n + i] + i;", 4, 4},
		{up, "k ^= (int)t; t = t * u; " + chain(1), 4, 4}, {up, "k ^= (int)t; t = t * u; " + chain(2), 4, 1},
		{up, "k ^= i; " + chain(2), 4, 4}, {up, "k ^= i; " + chain(3), 4, 1},
		{up, "k ^= i; k *= m; k |= x;", 4, 4}, {up, "k ^= i; k *= m; k |= x; k *= x;", 4, 1},
		{up, "k ^= m; k *= m; k |= x; k *= x;", 4, 4}, {up, "k ^= m; k *= m; k |= x; k *= x; k ^= 5;", 4, 1},
		{up, divides("(x ^ i) % 17") + chain(0), 4, 1}, {up, divides("(x ^ i) % 16") + chain(0), 4, 4},
		{up, divides("(x ^ i) % 16") + chain(1), 4, 1},
		{up, divides("(x ^ i) / 17") + chain(1), 4, 4}, {up, divides("(x ^ i) / 17") + chain(2), 4, 1},
		{up, divides("(x ^ i) / 16") + chain(1), 4, 4}, {up, divides("(x ^ i) / 16") + chain(2), 4, 1},
		{up, divides("(unsigned)(x ^ i) % 17") + chain(0), 4, 4}, {up, divides("(unsigned)(x ^ i) % 17") + chain(1), 4,
			1}, {up, divides("(unsigned)(x ^ i) / 17") + chain(2), 4, 4},
		{up, divides("(unsigned)(x ^ i) / 17") + chain(3), 4, 1}, {up, divides("(x ^ i) / m"), 4, 1},
		{up, "s[i] = (i + 1) % 1024;", 4, 1},
		{lanes, "s[i] = i;", 4, 4}, {lanes, "s[i] = i; " + chain(1), 4, 1}, {lanes, "s[i] = t; " + chain(2), 4, 4},
		{lanes, "s[i] = t; " + chain(3), 4, 1},
		{toNumber, "s[i] = i;", 4, 1}, {toNumber, "s[i] = t;", 4, 4}, {toNumber, "s[i] = a[x + i];", 4, 4},
		{toNumber, "t += i;", 4, 1}, {toNumber, "t += a[x * n + i] * i;", 4, 1}, {toNumber, "k ^= i;", 4, 1},
		{"for (int i = m; i < 1088; i++)", "t += i;", 4, 1}, {"for (int i = m; i < 1088; i++)", chain(1), 4, 4},
		{"for (int i = m; i < 1088; i++)", rows(1), 4, 4},
		{"for (unsigned i = 0; i < m; i++)", rows(1), 4, 1}, {"for (size_t i = 0; i < n; i++)", rows(1), 4, 1},
		{"\n#pragma unroll\n" + up, rows(1), 4, 1}, {"\n#pragma unroll 4\n" + up, rows(1), 4, 1},
		{"\n#pragma unroll 2\n" + up, rows(1), 2, 1},
		{"for (int i = 0; i < 10; i++)", "if (i >= n) break; t += a[i * m + x];", 1, 1},
		{"for (int i = 0; i < 20; i++)", "if (x + i >= n) return; c[x + i] = u;", 1, 1},
		{"for (int i = 0; i < 10; i++)", "float q = a[i * m + x]; if (q > v) break; t += q;", 10, 1},
		{"for (int i = 0; i < 10; i++)", "t += a[i * m + x]; if (i >= n) break;", 10, 1},
	} {
		f := lowered(t, "k.cu",
			`__global__ void f(const float *a, const float *b, float *c, int n, int m, float u, float v)
{
    __shared__ float s[8192];
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    float t = u;
    int k = n;
    s[threadIdx.x] = v;
    __syncthreads();
    `+k.loop+" { "+k.body+` }
    c[x] = t + s[x] + k;
}`)
		opt := unroll.Options{Local: [3]int64{32}, Groups: [3]int64{4},
			Target: unroll.Target{Compiler: unroll.NVCC, MachineCode: true},
			Args:   map[string]unroll.ArgValue{"n": {Int: 201}, "m": {Int: 201}}}
		l := resolve(t, f, opt).Graph.Loops[0]
		again := int64(1)
		if strings.Contains(l.Reason, "merges 4 iterations") {
			again = 4
		}
		if l.Factor != k.factor || again != k.again {
			t.Errorf("%s { %s}: unrolled by %d and %d again (%s), nvcc: %d and %d", k.loop, k.body, l.Factor, again,
				l.Reason, k.factor, k.again)
		}
	}
}
