package resolve

import (
	"strings"
	"testing"

	"gpupipe/frontend/ast"
)

// TestLostOverload: where a function of the device cannot be read, a call of its name says so instead of taking another.
func TestLostOverload(t *testing.T) {
	const text = "__device__ int f(long) { return 1; } __device__ int f(int) @ { return 2; }\n" +
		"__global__ void k(int *a) { a[0] = f(1); }"
	_, err := Parse(Config{File: "k", Text: text, Dialect: ast.CUDA})
	if err == nil || !strings.Contains(err.Error(), "1:60") {
		t.Errorf("%v", err)
	}
}

// TestMisreadInstance: where the source names an instance of a kernel that cannot be read, the reason is told, and not
// what is wrong with assumed arguments; a type that is made of itself has no meaning.
func TestMisreadInstance(t *testing.T) {
	const kernel = "template <class T> __global__ void k(typename T::P p) { p[0] = 1; }\n" +
		"template <class T> struct R { using A = typename R<T>::A; };\n"
	for text, want := range map[string]string{
		"template __global__ void k<R<int>::A>(int *);":                      "the type A is made of itself",
		"void run(int *p) { k<R<int>::A><<<1, 32>>>(p); }":                   "the type A is made of itself",
		"struct S { using P = int *; };\nvoid run() { k<S><<<1, 32>>>(0); }": "",
	} {
		_, err := Parse(Config{File: "k", Text: kernel + text, Dialect: ast.CUDA})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
