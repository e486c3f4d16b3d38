package resolve

import (
	"strings"
	"testing"
)

// TestConstexprArguments: what constexpr functions give are arguments of templates, equal to those
// that are written out.
func TestConstexprArguments(t *testing.T) {
	for _, c := range []struct {
		function string
		want     string // of f(20), the argument; "" where it is none
	}{
		{"constexpr unsigned int f(unsigned int x) { unsigned int r = 0; while (x >>= 1) { r++; } return r; }", "4"},
		{"__host__ __device__ constexpr int f(int x) { return x <= 1 ? 0 : 1 + f(x / 2); }", "4"},
		{"constexpr int f(int x) { int a = 0, b = 1; for (int i = 0; i < x / 2; ++i) { const int c = a + b; a = b; b = c; } return a; }", "55"},
		{"constexpr int N = 3;\nconstexpr int g(int x) { if (x > N) return x; else if (x == N) return -x; return 0; }\nconstexpr int f(int x) { { ; } return g(x) + g(N) * g(0); }", "20"},
		{"constexpr int f(int x) { int r = 1; r <<= 2; r |= 3; r *= x; r -= 1; return (r = r + 1) - --r; }", "1"},
		{"constexpr int f(int x) { return x > 0 || 1 / (x - x); }", "1"},
		{"constexpr int f(int x) { return 1 / (x - x); }", ""},
		{"constexpr int f(int x) { return f(x + 1); }", ""},
		{"constexpr int f(int x) { while (x) ; return x; }", ""},
		{"constexpr unsigned f(unsigned x) { return x - 21; }", ""},
		{"constexpr int f(int x) { return 1 << (x * 2); }", ""},
		{"constexpr float f(float x) { return x; }", ""},
		{"constexpr int f(int x) { do x--; while (x > 1); return x; }", "1"},
		{"constexpr int f(int x) { return y; }", ""},
		{"constexpr int f(int x) { x = 3 }", ""},
		{"constexpr int f(int x) { if (x) }", ""},
		{"constexpr int f(int x) { return x; }\nconstexpr int f(char x) { return 2; }", "20"},
	} {
		text := "template <int K> __device__ int h() { return K; }\n" + c.function + "\n__global__ void k(int *p) { p[0] = h<f(20)>(); }\n"
		u, err := Parse(Config{File: "k.cu", Text: text, Dialect: CUDA})
		got := ""
		if err == nil {
			_, got, _ = strings.Cut(u.String(), "p[0] = h<")
			got, _, _ = strings.Cut(got, ">")
		}
		if got != c.want {
			t.Errorf("%s: %q (%v), want %q", c.function, got, err, c.want)
		}
	}
}
