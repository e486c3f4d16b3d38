package resolve

import (
	"testing"

	"gpupipe/frontend/ast"
)

// TestBindsRvalue: of two functions the one whose T && binds to an rvalue is better ([over.ics.rank]), for arguments,
// temporaries that a conversion makes, and the object of a member with a ref-qualifier; an lvalue takes the other one.
func TestBindsRvalue(t *testing.T) {
	_, err := Parse(Config{File: "k.cu", Dialect: ast.CUDA, Text: `
struct P { int n; };
__device__ constexpr int f(const P &) { return 1; }
__device__ constexpr int f(P &&) { return 2; }
__device__ constexpr int g(long &&) { return 2; }
__device__ constexpr int g(const long &) { return 1; }
struct B {
  int v;
  __device__ constexpr B(const P &) : v(1) {}
  __device__ constexpr B(P &&) : v(2) {}
};
struct D : B { using B::B; };
struct Q {
  __device__ constexpr int h() const & { return 1; }
  __device__ constexpr int h() && { return 2; }
};
__global__ void k(int *o) {
  constexpr P p = {3};
  constexpr Q q = Q();
  constexpr long n = 3;
  static_assert(f(P{3}) == 2, "an rvalue of a class");
  static_assert(f(p) == 1, "an lvalue of a class");
  static_assert(D(P{3}).v == 2 && D(p).v == 1, "an inherited constructor");
  static_assert(g(3) == 2, "a temporary");
  static_assert(g(n) == 1, "an lvalue");
  static_assert(Q().h() == 2, "an object that is an rvalue");
  static_assert(q.h() == 1, "an object that is an lvalue");
  o[0] = 0;
}`})
	if err != nil {
		t.Fatal(err)
	}
}

// TestArrayLengths: an initialiser gives an array its length where none is written, and only there.
func TestArrayLengths(t *testing.T) {
	_, err := Parse(Config{File: "k.cu", Dialect: ast.CUDA, Text: `
__global__ void k(int *o) {
  char a[] = "abc", b[10] = "abc";
  int c[] = {1, 2}, d[5] = {1, 2};
  static_assert(sizeof(a) == 4 && sizeof(b) == 10, "strings");
  static_assert(sizeof(c) == 8 && sizeof(d) == 20, "lists");
  o[0] = a[0] + b[0] + c[0] + d[0];
}`})
	if err != nil {
		t.Fatal(err)
	}
	u := mustParse(t, ast.OpenCL, "__kernel void k(__global int *o) { int *a = (int[]){1, 2, 3}; int *b = (int[7]){1}; "+
		"o[0] = a[0] + b[0]; }")
	for i, want := range []int64{3, 7} {
		x := u.Kernels[0].Body.Stmts[i].(*ast.Decl).Init
		if l := x.(*ast.StmtExpr).Stmts[0].(*ast.Decl).Obj.Type.Len; l != want {
			t.Errorf("literal %d has %d elements, want %d", i, l, want)
		}
	}
}
