package resolve

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/frontend/ast"
)

// TestRules takes the programs of testdata/rules.txtar that hold, and refuses those that are wrong.
func TestRules(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/rules.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		text := "template <class T, class U> constexpr bool same = false;\n" +
			"template <class T> constexpr bool same<T, T> = true;\n" + string(f.Data)
		_, err := Parse(Config{File: "k.cu", Text: text, Dialect: ast.CUDA})
		if (err != nil) != strings.Contains(f.Name, " wrong: ") {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// TestManyDeclarations: as many classes, templates and functions as there may be none in each other.
func TestManyDeclarations(t *testing.T) {
	var classes, uses strings.Builder
	for i := range maxDepth {
		fmt.Fprintf(&classes, `template <class T> struct A%[1]d { static const int n = sizeof(T);
struct B { __device__ int f() { return n; } }; };
`, i)
		fmt.Fprintf(&uses, "o[%d] = A%[1]d<int>::B().f();\n", i)
	}
	mustParse(t, ast.CUDA, classes.String()+"__global__ void k(int *o) {\n"+uses.String()+"}\n")
}
