package translate

import (
	"testing"

	"gpupipe/frontend/ast"
)

func TestBoundText(t *testing.T) {
	for _, c := range []struct{ cond, want string }{
		{"i < n", "i < n"},
		{"i < get_local_size(0) / 2", "i < (get_local_size(0) / 2)"},
		{"i < o[n + 1] && !(i == 3)", "(i < o[n + 1]) && !(i == 3)"},
		{"i < (int)x * 2", "i < ((int)x * 2)"},
		{"(n > 1 ? i : n) < -n", "((n > 1) ? i : n) < -n"},
		{"i < s.v.y", "i < s.v.y"},
		{"*o < 2.5f", "*o < 2.5"},
		{"n-- > 0", "n-- > 0"},
	} {
		src := "typedef struct { int2 v; } S;\nkernel void k(global int *o, int n, float x, S s) { for (int i = 0; " +
			c.cond + "; i++) o[i] = 0; }"
		if got := mustLower(t, ast.OpenCL, src, "").Loops[0].BoundText; got != c.want {
			t.Errorf("%s prints %q, want %q", c.cond, got, c.want)
		}
	}
}
