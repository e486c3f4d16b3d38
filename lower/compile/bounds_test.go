package compile_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/test/tools"
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
		"cases":       "case %d: y = %d; break;",
		"variables":   "float v%d = a[i + %d]; o[%d] = v%d; s += v%d * v%d;",
	} {
		t.Run(name, func(t *testing.T) {
			text := func(n int) string {
				if !strings.HasPrefix(line, "case") {
					return repeated(n, line)
				}
				s := repeated(8*n, line)
				return strings.Replace(strings.Replace(s, "case", "switch (n) { case", 1), " o[i]", "} o[i]", 1)
			}
			n := tools.Cases(250, 120)
			small, large := allocated(t, text(n)), allocated(t, text(4*n))
			if large > 6*small {
				t.Errorf("%d bytes, and %d for four times as many lines", small, large)
			}
		})
	}
}

// TestUpdates compiles many updates of overlapping places, each of which may wait for all before it: looking for what
// can come goes through what waits, not through all ways from one to another (of which there are millions).
func TestUpdates(t *testing.T) {
	const text = `kernel void k(global int *a, int n) {
 int x = get_global_id(0);
 #pragma unroll
 for (int i = 0; i < 100; i++)
  #pragma unroll
  for (int j = 0; j < 100; j++)
   #pragma unroll
   for (int k = 0; k < 100; k++) a[x + i * j + k] += n; }`
	c, err := compile.Compile(tree(t, frontend.Config{File: "k.cl", Text: text, Dialect: ast.OpenCL}, ""), options(t))
	if err != nil {
		t.Fatal(err)
	}
	if n := instructions(c.Body); n < 1000 {
		t.Errorf("%d instructions: the loops were not unrolled", n)
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
