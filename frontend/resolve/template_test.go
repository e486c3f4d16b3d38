package resolve

import (
	"fmt"
	"gpupipe/frontend/ast"
	"strings"
	"testing"
	"testing/fstest"
)

// TestLocalConstantArguments: a constant of the caller is an argument of a template, however
// it is initialised.
func TestLocalConstantArguments(t *testing.T) {
	for _, declared := range []string{"const int N = 2 * M;", "constexpr int N{2 * M};", "int const N{2 * M};"} {
		text := "template <int K> __device__ float sum(const float *p) { float s = 0; for (int i = 0; i < K; i++) s " +
			"+= p[i]; return s; }\n" +
			"template <int M> __global__ void k(float *p) { " + declared + " p[0] = sum<N>(p + N); }\n"
		u, err := Parse(Config{File: "k.cu", Text: text, Dialect: ast.CUDA, Templates: []string{"M=4"}})
		if err != nil || len(u.Kernels) != 1 || len(u.Broken) > 0 {
			t.Errorf("%s: %v, %+v", declared, err, u)
		}
	}
	// A variable is none.
	u, err := Parse(Config{File: "k.cu", Text: "template <int K> __device__ int f() { return K; }\n__global__ void " +
		"k(int *p) { int n{3}; p[0] = f<n>(); }\n", Dialect: ast.CUDA})
	if err == nil && len(u.Broken) == 0 {
		t.Error("a variable is taken for a template argument")
	}
}

// TestConstexprArguments: what constexpr functions give are arguments of templates, equal to those
// that are written out.
func TestConstexprArguments(t *testing.T) {
	for _, c := range []struct {
		function string
		want     string // the argument f(20), or what is said of it
	}{
		{"constexpr unsigned int f(unsigned int x) { unsigned int r = 0; while (x >>= 1) { r++; } return r; }", "4"},
		{"__host__ __device__ constexpr int f(int x) { return x <= 1 ? 0 : 1 + f(x / 2); }", "4"},
		{"constexpr int f(int x) { int a = 0, b = 1; for (int i = 0; i < x / 2; ++i) { const int c = a + b; a = b; b " +
			"= c; } return a; }", "55"},
		{"constexpr int N = 3;\nconstexpr int g(int x) { if (x > N) return x; else if (x == N) return -x; return 0; " +
			"}\nconstexpr int f(int x) { { ; } return g(x) + g(N) * g(0); }", "20"},
		{"constexpr int f(int x) { int r = 1; r <<= 2; r |= 3; r *= x; r -= 1; return (r = r + 1) - --r; }", "1"},
		{"constexpr int f(int x) { return x > 0 || 1 / (x - x); }", "1"},
		{"constexpr int f(int x) { return 1 / (x - x); }", "k.cu:3:38: error[CONSTANT]: a template argument must be " +
			"a constant\n\tk.cu:2:26: this has no constant value"},
		{"constexpr int f(int x) { return f(x + 1); }", "k.cu:2:33: more than 512 calls are in each other"},
		{"constexpr int f(int x) { while (x) ; return x; }", "k.cu:2:36: the evaluation takes more than 2000000 steps"},
		{"constexpr unsigned f(unsigned x) { return x - 21; }",
			"h: the template argument for K is 4294967295, which int does not hold"},
		{"constexpr int f(int x) { return 1 << (x * 2); }", "a template argument must be a constant"},
		{"constexpr float f(float x) { return x; }",
			"h: the template argument for K is 20.0f, which int does not hold"},
		{"constexpr int f(int x) { do x--; while (x > 1); return x; }", "1"},
		{"constexpr int f(int x) { return y; }", "k.cu:2:33: error[UNDECLARED]: y is not declared"},
		{"constexpr int f(int x) { x = 3 }", "k.cu:2:32: error[SYNTAX]"},
		{"constexpr int f(int x) { if (x) }", "k.cu:2:33: error[SYNTAX]"},
		{"int f(int x) { return x; }", "f is not constexpr"},
		{"constexpr int f(int x) { return x; }\nconstexpr int f(char x) { return 2; }", "20"},
	} {
		text := "template <int K> __device__ int h() { return K; }\n" + c.function +
			"\n__global__ void k(int *p) { p[0] = h<f(20)>(); }\n"
		u, err := Parse(Config{File: "k.cu", Text: text, Dialect: ast.CUDA})
		got := fmt.Sprint(err)
		if err == nil {
			_, got, _ = strings.Cut(u.String(), "p[0] = h<")
			got, _, _ = strings.Cut(got, ">")
		}
		if err == nil && got != c.want || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.function, got, c.want)
		}
	}
}

// TestTemplateVariables: a variable template becomes a variable for each list of arguments.
func TestTemplateVariables(t *testing.T) {
	const text = `#define WIDTH 10
template <typename T> __constant__ T mask[WIDTH];
template <int N> constexpr float share = N / 2.0f;
template <typename T, int N = 4> __device__ T table[N];
template <typename T> __global__ void k(T *p, int j) { p[0] = mask<T>[j] * share<5> + table<T>[j] + table<float, 8>[j]; p[1] = mask<T>[1] < p[2] && p[3] > p[4]; }
template __global__ void k<double>(double *, int);
`
	u, err := Parse(Config{File: "k.cu", Text: text, Dialect: ast.CUDA})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Verify(); err != nil {
		t.Fatal(err)
	}
	got := u.String()
	for _, want := range []string{"double[10] mask", "* 2.5)", "double[4] table", "float[8] table"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestForeignCopies checks that copies of a header's templates for types of the file that includes it stand behind
// these types, whether the template is a function, a struct or a struct's function, and that those for types that
// another header declares stay in theirs.
func TestForeignCopies(t *testing.T) {
	files := fstest.MapFS{
		"types.h": {Data: []byte("struct Least { __device__ float operator()(float a, float b) const { return a < b " +
			"? a : b; } };\n")},
		"reduce.h": {Data: []byte(`#pragma once
#include "types.h"
template <typename Op> __device__ float twice(float x, Op op) { return op(x, x); }
template <typename T> __device__ T triple(T x) { return 3 * x; }
inline __device__ int early(int x) { return triple(x); }
template <typename T> struct Holder { T value; template <typename Op> __device__ float with(Op op) { return twice(value.x, op); } };
`)},
	}
	const text = `#include "reduce.h"
struct Most { __device__ float operator()(float a, float b) const { return a > b ? a : b; } };
struct Point { float x; };
enum Kind : int { first };
__global__ void k(float *f) {
  Holder<Point> h;
  h.value.x = f[0];
  f[4] = triple((int)first);
  f[1] = twice(f[2], Most()) + twice(f[3], Least()) + h.with(Most()) + h.with(Least());
}
`
	u, err := Parse(Config{File: "k.cu", Text: text, Dialect: ast.CUDA, FS: files})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Verify(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"twice<Most>", "twice<Least>", "Holder<Point>::with<Most>",
		"Holder<Point>::with<Least>"} {
		if !strings.Contains(u.String(), "float "+want+"(") {
			t.Errorf("no %s in\n%s", want, u)
		}
	}
}

// TestEndlessTemplates: recursion of templates that nothing ends is reported at its place, in the words of
// the program.
func TestEndlessTemplates(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"template <int N> __device__ int f(int x) { return f<N + 1>(x) + N; }\n__global__ void k(int *o) { o[0] = " +
			"f<0>(1); }", "k:1:51: error[TYPE]: f: f<512> is not instantiated"},
		{"template <class T> struct W { T v; };\ntemplate <class T> __device__ int f(T x) { W<T> w; return f(w); }\n" +
			"__global__ void k(int *o) { o[0] = f(1); }", "k:2:44: error[TEMPLATE]: W<W<W<"},
		{"template <int N> struct S { static const int v = S<N + 1>::v; };\n__global__ void k(int *o) { o[0] = " +
			"S<0>::v; }", "k:1:50: error[TEMPLATE]: S<512> is not instantiated"},
		{"template <int N> struct S { S<N + 1> s; };\n__global__ void k(int *o) { S<0> a; o[0] = 1; }",
			"k:1:29: error[TEMPLATE]: S<512> is not instantiated"},
	} {
		_, err := Parse(Config{File: "k", Text: c.text, Dialect: ast.CUDA})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "__") ||
			strings.Contains(err.Error(), "&{") {
			t.Errorf("%s\n got %.400v\nwant %s", c.text, err, c.want)
		}
	}
}

// TestUnknownConstant: a constant whose value is wrong is reported where it is declared, not where it is used.
func TestUnknownConstant(t *testing.T) {
	_,
		err := Parse(Config{File: "k.cu",
		Text: "__global__ void k(int *p) { constexpr int n = S::n; int a[n]; p[0] = a[n]; }", Dialect: ast.CUDA})
	if err == nil || strings.Count(err.Error(), "error") != 1 ||
		!strings.HasPrefix(err.Error(), "k.cu:1:47: error[UNDECLARED]: S is not declared") {
		t.Errorf("got %v", err)
	}
}

// TestSpecialisedMembers: an explicit specialisation of a member is the one of its class, wherever the general
// definition stands, and decltype names a scope.
func TestSpecialisedMembers(t *testing.T) {
	for _, text := range []string{
		"template <class T> struct R { static const int s; };\ntemplate <class T> const int R<T>::s = 4;\n" +
			"template <> const int R<short>::s = 9;\nstatic_assert(R<short>::s * 100 + R<int>::s == 904, \"\");",
		"template <class T> struct R { static const int s; };\ntemplate <> const int R<short>::s = 9;\n" +
			"template <class T> const int R<T>::s = 4;\nstatic_assert(R<short>::s * 100 + R<int>::s == 904, \"\");",
		"template <class T> struct R { template <class U> struct N { static constexpr int v = 1; }; };\n" +
			"template <> template <> struct R<char>::N<int> { static constexpr int v = 7; };\n" +
			"static_assert(R<char>::N<int>::v * 100 + R<char>::N<char>::v * 10 + R<int>::N<int>::v == 711, \"\");",
		"template <class T> struct R { template <int I> static constexpr int at = I * 10; };\n" +
			"template <> template <> constexpr int R<char>::at<1> = 5;\n" +
			"static_assert(R<char>::at<1> * 10000 + R<char>::at<2> * 100 + R<int>::at<1> == 52010, \"\");",
		"template <class T> struct A { using t = T; static constexpr int v = 3; };\n" +
			"template <class F> struct U { typename decltype(F())::t x; };\n" +
			"static_assert(sizeof(U<A<double>>) == 8 && decltype(A<int>())::v == 3, \"\");",
	} {
		text += "\n__global__ void k(int *p) { p[0] = 1; }\n"
		if u, err := Parse(Config{File: "k.cu", Text: text, Dialect: ast.CUDA}); err != nil || len(u.Broken) > 0 {
			t.Errorf("%s: %v", text, err)
		}
	}
}
