package resolve

import (
	"strings"
	"testing"

	"gpupipe/internal/tools"
)

// TestEndlessTemplates: recursion of templates that nothing ends is reported at its place, in the words of
// the program.
func TestEndlessTemplates(t *testing.T) {
	tools.Heavy(t)
	for _, c := range []struct{ text, want string }{
		{"template <int N> __device__ int f(int x) { return f<N + 1>(x) + N; }\n__global__ void k(int *o) { o[0] = f<0>(1); }", "k:1:51: error[TEMPLATE]: f<167> is not instantiated"},
		{"template <class T> struct W { T v; };\ntemplate <class T> __device__ int f(T x) { W<T> w; return f(w); }\n__global__ void k(int *o) { o[0] = f(1); }", "k:2:59: error[TEMPLATE]: f<W<W<"},
		{"template <int N> struct S { static const int v = S<N + 1>::v; };\n__global__ void k(int *o) { o[0] = S<0>::v; }", "k:1:46: error[CONSTANT]: the initialiser of S<"},
		{"template <int N> struct S { S<N + 1> s; };\n__global__ void k(int *o) { S<0> a; o[0] = 1; }", "k:2:29: error[SYNTAX]: unknown type \"S<0>\""},
	} {
		_, err := Parse(Config{File: "k", Text: c.text, Dialect: CUDA})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "__") || strings.Contains(err.Error(), "&{") {
			t.Errorf("%s\n got %.400v\nwant %s", c.text, err, c.want)
		}
	}
}
