package resolve

import (
	"testing"

	"gpupipe/frontend/ast"
)

// TestUserConversions: references bind to what one conversion function returns or one constructor makes; two ways are
// ambiguous, and a reference to what is no constant binds to no object that a conversion makes (C++ [over.best.ics],
// [dcl.init.ref]).
func TestUserConversions(t *testing.T) {
	for _, c := range []struct {
		name, classes, use string
		wrong              bool
	}{
		{"a function to a reference", "struct S { int a; __device__ operator int &() { return a; } };",
			"S s; s.a = 1; int &r = s; r = 2; o[0] = s.a;", false},
		{"a function to a value", "struct S { int a; __device__ operator int() { return a; } };",
			"S s; s.a = 1; const int &r = s; o[0] = r;", false},
		{"no reference to a value", "struct S { int a; __device__ operator int() { return a; } };",
			"S s; s.a = 1; int &r = s; o[0] = r;", true},
		{"a constructor", "struct T { int a; __device__ T(int b) : a(b) {} };", "const T &r = 3; o[0] = r.a;", false},
		{"no reference to what a constructor makes", "struct T { int a; __device__ T(int b) : a(b) {} };",
			"T &r = 3; o[0] = r.a;", true},
		{"functions to two references", "struct S { int a; float b; __device__ operator int &() { return a; } " +
			"__device__ operator float &() { return b; } };", "S s; s.a = 1; float &r = s; r = 2; o[0] = s.b;", false},
		{"a reference to a class", "struct A { int a; }; struct S { A x; __device__ operator A &() { return x; } };",
			"S s; s.x.a = 1; A &r = s; r.a = 2; o[0] = s.x.a;", false},
		{"an argument", "struct S { int a; __device__ operator int &() { return a; } };\n" +
			"__device__ void f(int &x) { x = 2; }", "S s; s.a = 1; f(s); o[0] = s.a;", false},
		{"no conversion", "struct S { int a; };", "S s; s.a = 1; int &r = s; o[0] = r;", true},
		{"a function and a constructor", "struct S; struct A { int a; __device__ A(const S &); __device__ A() {} };\n" +
			"struct S { A x; __device__ operator A() const { return x; } };", "S s; const A &r = s; o[0] = r.a;", true},
	} {
		text := c.classes + "\n__global__ void k(int *o) {\n" + c.use + "\n}\n"
		if _, err := Parse(Config{File: "k.cu", Text: text, Dialect: ast.CUDA}); (err != nil) != c.wrong {
			t.Errorf("%s, want an error: %t: %v", c.name, c.wrong, err)
		}
	}
}
