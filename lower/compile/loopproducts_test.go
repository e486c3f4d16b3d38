package compile_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
)

// TestInLoops: how many instructions of a kind ptxas has in a loop: products that a sum there adds, where a factor is
// no register, and reciprocals of divisors where it has loops within, and of signed divisions but the first where it
// loads (nvcc 11.8, sm_80).
func TestInLoops(t *testing.T) {
	for body, want := range map[string][2]int{ // IMAD, I2F
		"o[x + u * a] = x;": {1, 0}, "o[x + u * a] = x; o[(x ^ 5) + u * a] = x;": {2, 0}, "o[x + u * v] = x;": {0, 0},
		"o[i / a] = x;": {-1, 0}, "o[i / a + i / b] = x;": {-1, 1},
		"o[i] = (unsigned)x / a + (unsigned)x / b;": {-1, 0}, "if (x / a & 1) x += f[x]; o[i] = x;": {-1, 0},
		"int q = i / a; for (int k = 0; k < b; k += p[k]) x += f[q + k]; o[i] = x;": {-1, 1},
	} {
		text := "__global__ void k(int *o, const int *f, const int *p, int n, int a, int b) {" +
			" int u = p[threadIdx.x], v = p[threadIdx.x + 100];" +
			" for (int i = blockIdx.x; i < n; i += gridDim.x) { int x = f[i]; " + body + " } }"
		k := tree(t, frontend.Config{File: "k.cu", Text: text, Dialect: ast.CUDA}, "")
		code, err := compile.Compile(k, optionsFor(t, "sm_80", "nvcc-11.8"))
		if err != nil {
			t.Fatal(err)
		}
		products, reciprocals := 0, 0
		code.Body.Each(func(n machine.Node) {
			l, ok := n.(*machine.Loop)
			if !ok {
				return
			}
			l.Body.Each(func(n machine.Node) {
				if in, ok := n.(*machine.Instr); ok && in.Op == "IMAD" {
					products++
				} else if ok && strings.HasPrefix(in.Op, "I2F") {
					reciprocals++
				}
			})
		})
		if want[0] >= 0 && products != want[0] || reciprocals != want[1] {
			t.Errorf("%s: %d products and %d reciprocals, want %v", body, products, reciprocals, want)
		}
	}
}
