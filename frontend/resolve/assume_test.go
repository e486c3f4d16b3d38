package resolve_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
)

// TestAssumedTypes: a type parameter about which nothing is known is float, or int where a float has no meaning;
// what is wrong with both is said of float.
func TestAssumedTypes(t *testing.T) {
	for _, c := range []struct{ name, text, kernel, note, err string }{
		{"float", "template <typename T> __global__ void k(T *p) { p[0] += 1; }", "k<float>", "T=float", ""},
		{"a subscript", "template <typename T, typename I> __global__ void k(T *p, I n) { for (I i = 0; i < n; i++) " +
			"p[i] += 0.5f; }", "k<float, int>", "T=float, I=int", ""},
		{"the first of two", "template <typename K, typename V> __global__ void k(K *p, V *q) { q[p[0] % 7] = 1; }",
			"k<int, float>", "K=int, V=float", ""},
		{"neither", "template <typename T> __global__ void k(T p) { p.a[0] = 1; }", "k<float>", "",
			"float has no members"},
		{"another error", "template <typename T> __global__ void k(T *p) { p[0] = missing(p); }", "k<float>", "",
			"missing is not declared"},
	} {
		// A second kernel keeps the file usable.
		u, err := frontend.Parse(frontend.Config{File: "k.cu",
			Text: c.text + "\n__global__ void z(int *p) { p[0] = 1; }\n", Dialect: ast.CUDA})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		b := u.BrokenKernel(c.kernel)
		switch {
		case c.err != "" && (b == nil || !strings.Contains(b.Err.Error(), c.err)):
			t.Errorf("%s: %v, want an error with %q", c.name, b, c.err)
		case c.err == "" && (len(u.Broken) > 0 || u.Kernels[0].Name != c.kernel):
			t.Errorf("%s: %s, want %s; %v", c.name, u.Kernels[0].Name, c.kernel, u.Broken)
		case c.note != "" && !strings.Contains(u.Warnings.Error(), "kernel k are assumed: "+c.note):
			t.Errorf("%s: no note about %s in\n%v", c.name, c.note, u.Warnings)
		}
	}
}
