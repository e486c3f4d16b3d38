package resolve

import (
	"fmt"
	"testing"

	"gpupipe/frontend/ast"
)

// TestConditionalLvalue: ?: of two lvalues of one type can be assigned to in C++; others cannot, and no number in C.
func TestConditionalLvalue(t *testing.T) {
	operands := []struct {
		text, typ string
		lvalue    bool
	}{
		{"x", "float", true}, {"a[n]", "float", true}, {"q.f", "float", true}, {"i", "int", true},
		{"q", "struct", true}, {"r", "struct", true}, {"2.0f", "float", false}, {"i + 1", "int", false},
	}
	for head, d := range map[string]ast.Dialect{"#define FLOAT float\n__global__ ": ast.CUDA,
		"#define FLOAT global float\nkernel ": ast.OpenCL} {
		for _, x := range operands {
			for _, y := range operands {
				if d == ast.OpenCL && x.typ == "struct" {
					continue
				}
				value := "i"
				if x.typ == "struct" {
					value = "r"
				}
				text := fmt.Sprintf("struct S { float f; int i; };\n%svoid k(FLOAT *a, int n) {\n"+
					"float x = 1; int i = 2; struct S q, r; q.f = x; q.i = i; r = q;\n(n ? %s : %s) = %s;\n"+
					"a[0] = x + i + q.f + r.f; }", head, x.text, y.text, value)
				_, err := Parse(Config{File: "k", Text: text, Dialect: d})
				want := d == ast.CUDA && x.lvalue && y.lvalue && x.typ == y.typ
				if (err == nil) != want {
					t.Errorf("%v, %s : %s, want assignable: %t: %v", d, x.text, y.text, want, err)
				}
			}
		}
	}
}
