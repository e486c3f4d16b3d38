package constant_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
)

// TestEvaluate: what a static_assert needs is computed, or is an error that says why not.
func TestEvaluate(t *testing.T) {
	const head = `
struct Pair { int a[2]; float f; constexpr Pair(int x) : a{x, x + 1}, f(x * 0.5f) {} };
constexpr int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
constexpr int kind(int n) { switch (n) { case 1: n += 10; case 2: return n; default: break; } return -1; }
constexpr int loop(int n) { do { if (n & 1) { --n; continue; } n /= 2; } while (n > 1); return n; }
constexpr int list[] = {1, 2, 3, 4};
int plain(int x) { return x; }
`
	for expr, want := range map[string]string{
		"fib(10) == 55": "", "sum(list + 1, 3) == 9": "", "kind(1) == 11 && kind(2) == 2 && kind(3) == -1": "",
		"Pair(3).a[1] == 4 && Pair(3).f == 1.5f": "", "loop(20) == 1": "", "&list[3] - list == 3": "",
		"(3, 1 << 4) == 16 && ~0 == -1 && !false": "", "abs(-3) == 3 && max(2, 5) == 5": "",
		"fib(4) == 4": "does not hold", "plain(1) == 1": "must be a constant", "list[4] == 0": "must be a constant",
		"1 / 0 == 0": "division by zero",
	} {
		_, err := frontend.Parse(frontend.Config{File: "k.cu", Dialect: ast.CUDA,
			Text: head + "__global__ void k() { static_assert(" + expr + ", \"\"); }"})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", expr, err, want)
		}
	}
}
