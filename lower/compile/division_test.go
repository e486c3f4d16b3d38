package compile_test

import (
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
)

// TestLongDivision: clang 14 divides numbers of 64 bits on gfx90a in 20 instructions where the upper words are zero,
// and in about 90 and more, which few numbers take, where they are not.
func TestLongDivision(t *testing.T) {
	for _, op := range []string{"a[i] / b[i]", "a[i] % b[i]", "(long)a[i] / (long)b[i]", "(long)a[i] % (long)b[i]"} {
		text := "__kernel void k(__global const ulong *a, __global ulong *b) { int i = get_global_id(0); b[i] = " +
			op + "; }"
		k := tree(t, frontend.Config{File: "k.cl", Text: text, Dialect: ast.OpenCL}, "")
		code, err := compile.Compile(k, optionsFor(t, "gfx90a", "clang-amdgcn-14"))
		if err != nil {
			t.Fatal(err)
		}
		all, rare := 0, 0
		code.Body.Each(func(n machine.Node) {
			if _, ok := n.(*machine.Instr); ok {
				all++
			}
			if n, ok := n.(*machine.If); ok && n.Rare {
				n.Then.Each(func(n machine.Node) { rare++ })
			}
		})
		if rare < 85 || rare > 105 || all-rare < 25 || all-rare > 45 {
			t.Errorf("%s: %d instructions, %d of them rare", op, all, rare)
		}
	}
}
