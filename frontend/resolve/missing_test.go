package resolve

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
)

// TestMissingMacros checks that what a kernel lacks is said at once, with the
// flags to add, and that the kernels that lack nothing can be used.
func TestMissingMacros(t *testing.T) {
	const text = `__kernel void tiled(__global DATA_TYPE *a) {
	__local DATA_TYPE tile[TILE_DIM][TILE_DIM + 1];
	a[get_global_id(0)] = SCALE(a[0]) + OFFSET;
}
__kernel void fine(__global float *a) { a[0] = 1; }
`
	u, err := Parse(Config{File: "k.cl", Text: text, Dialect: ast.OpenCL})
	if err != nil {
		t.Fatal(err)
	}
	if u.Kernel("fine") == nil || len(u.Kernels) != 1 {
		t.Errorf("kernels %v, want fine alone", u.Kernels)
	}
	b := u.BrokenKernel("tiled")
	if b == nil {
		t.Fatal("tiled is not listed as broken")
	}
	want := `k.cl:1:30: error[UNDECLARED]: 4 names that look like macros are not declared: DATA_TYPE (line 1), TILE_DIM (line 2), SCALE (line 3), OFFSET (line 3)
	the host program defines them when it builds the kernel: add -D DATA_TYPE=... -D TILE_DIM=... -D SCALE=... -D OFFSET=...`
	if got := b.Err.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := Parse(Config{File: "k.cl", Text: text, Dialect: ast.OpenCL,
		Defines: []string{"DATA_TYPE=float", "TILE_DIM=16", "SCALE(x)=x", "OFFSET=1"}}); err != nil {
		t.Errorf("with the macros: %v", err)
	}
}

// TestMissingTypes checks where unknown types are reported.
func TestMissingTypes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"in a function", "__kernel void k(void) {\n  real x;\n}\n",
			"k.cl:2:3: error[UNDECLARED]: type real is not declared"},
		{"of a parameter", "__kernel void k(__global real *x) {}\n",
			"k.cl:1:26: error[UNDECLARED]: type real is not declared"},
		{"at file scope", "__constant real x = 1;\n__kernel void k(__global int *a) { a[0] = x; }\n",
			"k.cl:1:12: error[UNDECLARED]: type real is not declared"},
		{"of two", "__kernel void k(__global real *x, __global pair *y) {}\n",
			"k.cl:1:26: error[UNDECLARED]: type real is not declared"},
		{"in front of a type", "KERNEL_FQ void k(void) {}\n", "k.cl: error[NOKERNEL]: the file defines no kernel\n" +
			"\tk in line 1 is marked KERNEL_FQ, which is not declared: add -D KERNEL_FQ=..."},
		{"of a kernel's mark", "__kernel GROUP(8, N) void SIMD k(void) {}\n",
			"k.cl:1:10: error[UNDECLARED]: 2 names that look like macros are not declared: GROUP (line 1), SIMD " +
				"(line 1)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(Config{File: "k.cl", Text: c.text, Dialect: ast.OpenCL})
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestManyMissingTypes checks that all types are told of that a kernel lacks, however many.
func TestManyMissingTypes(t *testing.T) {
	const types = 2 * diag.MaxPrinted
	var b strings.Builder
	b.WriteString("__kernel void k(void) {\n")
	for i := range types {
		fmt.Fprintf(&b, "  type%d x%d;\n", i, i)
	}
	b.WriteString("}\n")
	_, err := Parse(Config{File: "k.cl", Text: b.String(), Dialect: ast.OpenCL})
	var list diag.List
	if !errors.As(err, &list) || len(list) != types {
		t.Fatalf("got %d errors, want %d: %v", len(list), types, err)
	}
	for i, e := range list {
		if want := fmt.Sprintf("type type%d is not declared", i); e.Message != want || e.Pos.Line != 2+i {
			t.Errorf("got %v, want %s", e, want)
		}
	}
}

// TestDeclaredLater: a name that is declared behind its use is told to be.
func TestDeclaredLater(t *testing.T) {
	_, err := Parse(Config{File: "k.cu", Text: "__global__ void k(float *a) { a[0] = f(1); }\n" +
		"__device__ float f(float x) { return x; }\n", Dialect: ast.CUDA})
	if err == nil || !strings.Contains(err.Error(), "function f is not declared\n"+
		"\tit is declared at k.cu:2:18, behind its use here") {
		t.Error(err)
	}
}
