package resolve

import (
	"gpupipe/frontend/ast"
	"strings"
	"testing"
)

// TestNesting checks that source nested deeper than any later stage could
// follow is refused, and that half of it is not.
func TestNesting(t *testing.T) {
	for name, repeat := range map[string]func(n int) string{
		"blocks":  func(n int) string { return strings.Repeat("{", n) + strings.Repeat("}", n) },
		"else if": func(n int) string { return strings.Repeat("if (a[0]) ; else ", n) + ";" },
		"sum":     func(n int) string { return "a[0] = 0" + strings.Repeat(" + a[1]", n) + ";" },
		"not":     func(n int) string { return "a[0] = " + strings.Repeat("!", n) + "a[1];" },
	} {
		for _, c := range []struct {
			n  int
			ok bool
		}{{400, true}, {50000, false}} {
			_, err := Parse(Config{File: "k.cl", Text: "__kernel void k(__global int *a) { " + repeat(c.n) + " }",
				Dialect: ast.OpenCL})
			if (err == nil) != c.ok {
				t.Errorf("%d nested %s: %.200v", c.n, name, err)
			}
		}
	}
}

// TestConstness checks which constants are folded: those with a known value,
// under their own names only.
func TestConstness(t *testing.T) {
	u := mustParse(t, ast.OpenCL, `
__constant float half_way = 0.5f;
__kernel void k(__global float *a, const int p) {
	const int n = 4, m = n * 2;
	const int unknown = p;
	volatile const int v = 3;
	a[0] = half_way + m + unknown + v;
	{ int n = p; a[1] = n; }
	a[2] = n;
	const int *q = &n;
}`)
	got := u.String()
	for _, want := range []string{"const int m = 8;", "((8.5f", "(float)(unknown)", "(float)(v)", "a[1] = (float)(n);",
		"a[2] = 4.0f;", "= &n;"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestVoidReturn checks that the call in "return f();" of a void function is
// kept.
func TestVoidReturn(t *testing.T) {
	u := mustParse(t, ast.OpenCL, `
void store(__global float *a) { a[0] = 1; }
__kernel void k(__global float *a) { if (a[1] > 0) return store(a); a[2] = 0; }`)
	if got := u.String(); !strings.Contains(got, "store(a);\n    return;") {
		t.Errorf("the call is lost:\n%s", got)
	}
}

// A factor of 0 is none: nvcc ignores the pragma and says so, clang refuses it, and a
// tuner means by it that the compiler decides. GCC's pragma keeps the loop rolled.
func TestFactorZero(t *testing.T) {
	for _, c := range []struct {
		pragma string
		kind   ast.PragmaKind // 0 = no pragma
	}{
		{"unroll 0", 0}, {"unroll(FACTOR)", 0}, {"unroll FACTOR - 2", 0}, {"clang loop unroll_count(0)", 0},
		{"unroll FACTOR + 1", ast.NoUnroll}, {"GCC unroll 0", ast.NoUnroll}, {"GCC unroll FACTOR", ast.NoUnroll},
	} {
		u, err := Parse(Config{File: "k.cu", Dialect: ast.CUDA, Defines: []string{"FACTOR=0"},
			Text: "__global__ void k(float *a) {\n#pragma " + c.pragma + "\nfor (int i = 0; i < 8; i++) a[i] = 1; }"})
		if err != nil {
			t.Errorf("%s: %v", c.pragma, err)
			continue
		}
		var kind ast.PragmaKind
		if p := u.Kernels[0].Body.Stmts[0].(*ast.Loop).Pragma; p != nil {
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
