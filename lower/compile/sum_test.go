package compile_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
)

// TestWideSums: three terms of 64 bits are added at once, with two carries, where nobody else reads what is added first
// (ptxas 11.8).
func TestWideSums(t *testing.T) {
	for source, want := range map[string]int{ // instructions that add
		"long r = a + b + c;":                  2,
		"long r = a - b - c;":                  2,
		"long r = a - (b + 0x12345678l);":      2,
		"long r = a + b + c + n;":              4,
		"long x = a + b, r = x + c; o[9] = x;": 4,
	} {
		text := "extern \"C\" __global__ void k(long *o, const long *p, long n)\n" +
			"{ long a = p[0], b = p[1], c = p[2]; " + source + " *o = r; }"
		code, err := compile.Compile(tree(t, frontend.Config{File: "k.cu", Text: text, Dialect: ast.CUDA}, ""),
			optionsFor(t, "sm_80", "nvcc-11.8"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(code.String(), "IADD3"); got != want {
			t.Errorf("%s %d instructions add, want %d\n%v", source, got, want, code)
		}
	}
}
