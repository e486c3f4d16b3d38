package resolve

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
)

// TestBasesRefused: what of classes stays out.
func TestBasesRefused(t *testing.T) {
	for _, c := range []struct{ top, body, want string }{
		{"struct B { __device__ virtual int f() { return 1; } };", "B *b = (B *)a; a[0] = b->f();",
			"for an object of a class that nothing here makes is not supported"},
		{"struct B { int x; }; struct D : virtual B { int y; };", "D d; a[0] = d.x;",
			"virtual bases are not supported"},
		{"struct B { int x; }; struct D : B { int y; };", "D d; a[0] = d.z;", "has no member z"},
		{"struct B { int x; }; struct D : B { int y; }; __device__ int f(D d) { return d.y; }", "B b; a[0] = f(b);",
			"argument 1 of f: a value of type D is needed, this is B"},
	} {
		_, err := Parse(Config{File: "k.cu", Text: c.top + "\n__global__ void k(int *a) { " + c.body + " }",
			Dialect: ast.CUDA})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), "error") > 1 {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}

// TestUsing: a class has the constructors of a base of which it uses these, not of one of which it uses another member.
func TestUsing(t *testing.T) {
	_, err := Parse(Config{File: "k.cu", Text: `
struct B { using T = int; __device__ B(int x) : x(x) {} __device__ int f() { return x; } int x; };
struct All : B { using B::B; };
struct Type : B { using B::T; __device__ Type() : B(1) {} };
struct Function : B { using B::f; __device__ Function() : B(2) {} };
static_assert(__is_constructible(All, int), "");
static_assert(!__is_constructible(Type, int), "");
static_assert(!__is_constructible(Function, int), "");
__global__ void k(int *a) { All b(3); Type::T x = b.f(); a[0] = x + Function().f(); }`, Dialect: ast.CUDA})
	if err != nil {
		t.Error(err)
	}
}

// TestCompositePointer: of two pointers ?: makes one to void, or to the base, with the qualifiers of both [expr.type].
func TestCompositePointer(t *testing.T) {
	rank := map[string]int{"D": 1, "B": 2, "int": 1, "void": 3}
	of := map[string]string{"D": "B", "B": "B", "int": "int"}
	var text strings.Builder
	text.WriteString("struct B { int x; }; struct D : B { int y; }; template <typename T> T make();\n")
	for a := range rank {
		for b := range rank {
			if a != "void" && b != "void" && of[a] != of[b] {
				continue
			}
			to := a
			if rank[b] > rank[a] {
				to = b
			}
			for i := range 32 {
				cv, condition := i/2, []string{"make<bool>()", "true"}[i%2]
				said := [3]string{} // of a, of b, of both
				for i, n := range []int{cv & 3, cv >> 2, cv&3 | cv>>2} {
					said[i] = []string{"", "const ", "volatile ", "const volatile "}[n]
				}
				fmt.Fprintf(&text, "static_assert(__is_same(decltype(%s ? make<%s%s *>() : make<%s%s *>()), %s%s *), \"\");\n",
					condition, said[0], a, said[1], b, said[2], to)
			}
		}
	}
	text.WriteString("__global__ void k(int *a) { a[0] = 1; }")
	if _, err := Parse(Config{File: "k.cu", Text: text.String(), Dialect: ast.CUDA}); err != nil {
		t.Error(err)
	}
}
