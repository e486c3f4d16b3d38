package compile_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
)

// TestWholeProducts: ptxas multiplies once for both words of a product, unless a sum takes the lower one, and takes the
// highest bit as FLO gives it.
func TestWholeProducts(t *testing.T) {
	for _, c := range []struct{ body, has, hasNot string }{
		{"o[64] = __umulhi(x, y); o[65] = x * y;", "IMAD.WIDE.U32", "IMAD.HI"},
		{"o[64] = __umulhi(0xd2511f53u, x); o[65] = x * 0xd2511f53u;", "IMAD.WIDE.U32", "IMAD.HI"},
		{"o[64] = __mulhi((int)x, (int)y); o[65] = x * y;", "IMAD.WIDE ", "IMAD.HI"},
		{"o[64] = __umulhi(x, y); o[65] = x * y + 7;", "IMAD.HI.U32", "IMAD.WIDE"},
		{"o[64] = 31 - __clz(x);", "FLO.U32", "0x1f"},
	} {
		source := "__global__ void k(unsigned *o) { unsigned x = o[1], y = o[2]; " + c.body + " }"
		k := tree(t, frontend.Config{File: "k.cu", Text: source, Dialect: ast.CUDA}, "")
		code, err := compile.Compile(k, optionsFor(t, "sm_90", "nvcc-11.8"))
		if err != nil {
			t.Fatal(err)
		}
		if text := code.String(); !strings.Contains(text, c.has) || strings.Contains(text, c.hasNot) {
			t.Errorf("%s: %s or no %s is missing:\n%s", c.body, c.has, c.hasNot, text)
		}
	}
}
