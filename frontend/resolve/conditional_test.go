package resolve

import (
	"testing"

	"gpupipe/frontend/ast"
)

// TestConditionalLvalue: ?: of two variables can be assigned to in C++, and not in C.
func TestConditionalLvalue(t *testing.T) {
	const body = "void k(FLOAT *a, int n) { float x = 1, y = 2; (n ? x : y) = 3; a[0] = x + y; }"
	for head, d := range map[string]ast.Dialect{"#define FLOAT float\n__global__ ": ast.CUDA,
		"#define FLOAT global float\nkernel ": ast.OpenCL} {
		if _, err := Parse(Config{File: "k", Text: head + body, Dialect: d}); (err == nil) != (d == ast.CUDA) {
			t.Errorf("%s%s: %v", head, body, err)
		}
	}
}
