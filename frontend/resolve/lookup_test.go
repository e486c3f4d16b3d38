package resolve

import (
	"strings"
	"testing"

	"gpupipe/frontend/ast"
)

// TestNamesOfNamespaces: what a name stands for that using-directives make visible in several namespaces (C++
// [namespace.udir], [basic.scope.hiding]): functions are overloads, one entity is itself, a variable hides a class of its
// own namespace, and everything else is ambiguous.
func TestNamesOfNamespaces(t *testing.T) {
	const (
		class, variable = "struct x { int a; };", "const int x = 3;"
		alias, function = "typedef int x;", "__device__ int x(int a) { return a; }"
	)
	for _, c := range []struct {
		name, a, b, use string // declared in namespaces A and B
		wrong           bool
	}{
		{"a variable", variable, "", "o[0] = x;", false},
		{"a class", "", class, "x y; o[0] = y.a = 1;", false},
		{"two variables", variable, variable, "o[0] = x;", true},
		{"two classes", class, class, "x y; o[0] = y.a = 1;", true},
		{"one type by two names", alias, alias, "x y = 2; o[0] = y;", false},
		{"two types", alias, class, "x y;", true},
		{"overloads", function, "__device__ int x(float a) { return 2; }", "o[0] = x(1) + x(1.0f);", false},
		{"a function and a variable", function, variable, "o[0] = x(1);", true},
		{"a class and a variable", class, variable, "o[0] = x;", true},
		{"a variable and a class", variable, class, "o[0] = x;", true},
		{"a class and a function", class, function, "o[0] = x(1);", true},
		{"a function and a class", function, class, "o[0] = x(1);", true},
		{"a variable that hides a class", class + variable, "", "o[0] = x; struct x y; o[0] += y.a = 1;", false},
		{"a function that hides a class", class + function, "", "o[0] = x(1); struct x y; o[0] += y.a = 1;", false},
		{"a variable that hides a class, and another", class + variable, variable, "o[0] = x;", true},
		{"the same by another way", variable, "using namespace A;", "o[0] = x;", false},
		{"a class by another way", class, "using A::x;", "x y; o[0] = y.a = 1;", false},
		{"both by another way", class + variable, "using A::x;", "o[0] = x; struct x y; o[0] += y.a = 1;", false},
		{"a function by another way", function, "using A::x;", "o[0] = x(1);", false},
	} {
		text := "namespace A { " + c.a + " }\nnamespace B { " + c.b + " }\n" +
			"__global__ void k(int *o) {\nusing namespace A; using namespace B;\n" + c.use + "\n}\n"
		_, err := Parse(Config{File: "k.cu", Text: text, Dialect: ast.CUDA})
		if (err != nil) != c.wrong || err != nil && !strings.Contains(err.Error(), "ambiguous") {
			t.Errorf("%s, want an error: %t: %v", c.name, c.wrong, err)
		}
	}
}
