package resolve

import (
	"strings"
	"testing"
)

// A factor of 0 is none: nvcc ignores the pragma and says so, clang refuses it, and a
// tuner means by it that the compiler decides. GCC's pragma keeps the loop rolled.
func TestFactorZero(t *testing.T) {
	for _, c := range []struct {
		pragma string
		kind   PragmaKind // 0 = no pragma
	}{
		{"unroll 0", 0}, {"unroll(FACTOR)", 0}, {"unroll FACTOR - 2", 0}, {"clang loop unroll_count(0)", 0},
		{"unroll FACTOR + 1", NoUnroll}, {"GCC unroll 0", NoUnroll}, {"GCC unroll FACTOR", NoUnroll},
	} {
		u, err := Parse(Config{File: "k.cu", Dialect: CUDA, Defines: []string{"FACTOR=0"},
			Text: "__global__ void k(float *a) {\n#pragma " + c.pragma + "\nfor (int i = 0; i < 8; i++) a[i] = 1; }"})
		if err != nil {
			t.Errorf("%s: %v", c.pragma, err)
			continue
		}
		var kind PragmaKind
		if p := u.Kernels[0].Body.Stmts[0].(*Loop).Pragma; p != nil {
			kind = p.Kind
		}
		if kind != c.kind {
			t.Errorf("%s: kind %v, want %v", c.pragma, kind, c.kind)
		}
		if warned := strings.Contains(u.Warnings.Error(), "has no effect: the factor is "); warned != (c.kind == 0) {
			t.Errorf("%s: warnings %v", c.pragma, u.Warnings)
		}
	}
}
