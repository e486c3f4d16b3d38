package compile_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
)

// TestLinear compiles large kernels and those that are four times as large: what is allocated, which is the same each
// time, as the time is not, may not be more than six times as much.
func TestLinear(t *testing.T) {
	for name, line := range map[string]string{
		"loads":       "s = fma(a[i + %d], y, s);",
		"products":    "s = s * a[i + %d] + (float)(i * %d);",
		"accesses":    "s += a[i * 3 + %d] * y; y = s - o[i + %d]; o[i * 5 + %d] = s * y;",
		"branches":    "if (s > %d.5f) { s += a[i + %d]; if (y < s) y = s; } else o[i + %d] = y;",
		"returns":     "if (n == %d) return; s += a[%d];",
		"exits":       "for (int j = 0; j < n; j++) { s += a[j * n + %d]; o[j] = y; if (s > 9.0f) break; }",
		"functions":   "s += sin(a[i + %d]) / y;",
		"quotients":   "s += (i + %d) / n;",
		"conjunction": "if (a[i + %d] > 0 && n > %d || y > %d) s = y;",
		"variables":   "float v%d = a[i + %d]; o[%d] = v%d; s += v%d * v%d;",
	} {
		t.Run(name, func(t *testing.T) {
			small, large := allocated(t, repeated(250, line)), allocated(t, repeated(1000, line))
			if large > 6*small {
				t.Errorf("%d bytes, and %d for four times as many lines", small, large)
			}
		})
	}
}

// allocated is how many bytes a compilation allocates.
func allocated(t *testing.T, text string) uint64 {
	k := tree(t, frontend.Config{File: "k.cl", Text: text, Dialect: ast.OpenCL}, "")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := compile.Compile(k, options(t)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestTooManyCopies has pragmas that ask for more copies than a kernel may have instructions: loops stay, and the
// decision says why.
func TestTooManyCopies(t *testing.T) {
	nest := `kernel void k(global float *a) {
 float s = 0;
 #pragma unroll
 for (int i = 0; i < 10000; i++)
  #pragma unroll
  for (int j = 0; j < 10000; j++)
   #pragma unroll
   for (int k = 0; k < 100; k++) s += a[i * 3 + j * 7 + k];
 a[0] = s; }`
	factor := strings.Replace(whole(100), "unroll", "unroll 1000000000", 1)
	for _, text := range []string{whole(1_000_000_000), nest, strings.Replace(factor, "< 100", "< i", 1)} {
		k := tree(t, frontend.Config{File: "k.cl", Text: text, Dialect: ast.OpenCL}, "")
		c, err := compile.Compile(k, options(t))
		if err != nil {
			t.Fatal(err)
		}
		if n := instructions(c.Body); n > 100_000 {
			t.Errorf("%d instructions", n)
		}
		if s := fmt.Sprint(c.Func.Choices); !strings.Contains(s, "is not made") {
			t.Errorf("choices: %s", s)
		}
	}
}
