package resolve

import (
	"gpupipe/frontend/ast"
	"strings"
	"testing"
)

// bracesText has what lists in braces are taken for.
const bracesText = `struct P { float a; int b; };
struct V { float x, y; __device__ V(float a, float b) : x(a), y(b) {} __device__ V() : x(1.f), y(2.f) {} };
struct D { int a; float b[3]; };
struct M { float4 v; P q[2]; __device__ void set(float a) { v = {a, a, a, a}; q[1] = {a, 1}; } };
`

// TestContextBraces checks that a list in braces gets the type of what it is assigned to,
// returned as or passed for.
func TestContextBraces(t *testing.T) {
	const helpers = `
__device__ float4 made(float a) { return {a, 0, 0, a}; }
__device__ V constructed(float a) { return {a, a + 1}; }
__device__ V empty() { return {}; }
template <typename T> __device__ T pair(float a) { return {a, a}; }
__device__ float over(float2 v) { return v.x; }
__device__ float over(const float4 &v) { return v.y; }
__device__ float over(int n, P p) { return n + p.a; }
`
	for _, c := range []struct{ body, want string }{
		{"((float4 *)f)[n] = {a, a, a, 1};", "(cast __global float4 *)(f)[n] = (float4){a, a, a, 1.0f}"},
		{"*reinterpret_cast<float2 *>(&f[n]) = {a, 1};", "= (float2){a, 1.0f}"},
		{"if (n) p[0] = {a, 1}; else p[0] = {a, 2};", "p[0] = {a, 2}"},
		{"f[0] = {a}; n = {};", "n = 0"},
		{"p[0] = P(a, 2.5f);", "p[0] = {a, 2}"}, // C++20
		{"P q(a); p[0] = q;", "q = {a}"},
		{"int q[3](n, 4); n = q[1];", "q = {n, 4}"},
		{"d[0] = {1, {a, a, 3}};", "d[0] = {1, {a, a, 3.0f}}"},
		{"d[0] = {.a = 3};", "d[0] = {3}"},
		{"f4[0] = made(a);", "return (float4){a, 0.0f, 0.0f, a}"},
		{"v[0] = constructed(a);", "return V(a, (a + 1.0f))"},
		{"v[0] = {a, 2};", "v[0] = V(a, 2.0f)"},
		{"v[0] = empty();", "return V()"},
		{"*(float2 *)f = pair<float2>(a);", "return (float2){a, a}"},
		{"f[0] = over({a, 1, 2, 3});", "temporary /*addressed*/ = (float4){a, 1.0f, 2.0f, 3.0f}"},
		{"f[0] = over(1, {a, 3});", "over(1, {a, 3})"},
		{"m->set(a);", "(float4){a, a, a, a}"},
		{"float b[2] = {a, a}; const float c[] = {1, 2}; f[0] = b[n] + c[n];", "b = {a, a}"},
		{"for (float2 q = {0, 1}; q.x < 3; q.x++) f[0] += q.y;", "(float2){0.0f, 1.0f}"},
		{"({ f[0] = a; });", "f[0] = a"},
	} {
		text := bracesText + helpers + "__global__ void k(float *f, float4 *f4, P *p, V *v, D *d, M *m, int n, " +
			"float a) { " + c.body + " }\n"
		readsAs(t, c.body, text, c.want)
	}
}

// TestContextBracesErrors checks what is said of lists that nothing can be made of.
func TestContextBracesErrors(t *testing.T) {
	for body, want := range map[string]string{
		"*(float2 *)f = {a, a, a};": "k.cu:7:67: error[TYPE]: float2 needs 2 components, these are 3",
		"f[0] = over({a, 1});": "the call of over is ambiguous\n\tit may be over at k.cu:5:18\n" +
			"\tit may be over at k.cu:6:18",
		"p[0] = {a, 1, 2};":     "more values than P has elements",
		"v[0] = {a};":           "no function V fits these arguments",
		"f[0] = {a, a};":        "float takes exactly one value",
		"f[0] = sqrtf({a, a});": "sqrtf: float is needed, this is a list in braces",
		"auto x = {a, 1};":      "the type of a list in braces is not known",
		"f = {a};":              "a value of type float * is needed, this is float",
	} {
		text := bracesText + "__device__ float over(float2 v) { return v.x; }\n__device__ float over(const float4 " +
			"&v) { return v.y; }\n__global__ void k(float *f, P *p, V *v, float a) { " + body + " }\n"
		if _, err := Parse(Config{File: "k.cu", Text: text, Dialect: ast.CUDA}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", body, err, want)
		}
	}
}

// TestConstructedFrom: a value becomes a struct by a constructor that takes it as it is, also in a list of members;
// an empty list, unlike a zero, is the constructor without arguments.
func TestConstructedFrom(t *testing.T) {
	const types = "struct V { float x, y; __device__ V(float a) : x(a), y() {} __device__ explicit V(float a, float " +
		"b) : x(a), y(b) {} __device__ V() : x(1), y(2) {} };\n" +
		"struct W { V v, u, z; int *p; __device__ W(float *q) : v(q[0]), u(q[1], (q[2])), z(), p() {} };\n" +
		"__device__ float both(V v) { return v.x + v.y; }\n__device__ V make(float a) { return a; }\n"
	for _, c := range []struct{ body, want string }{
		{"W w(f);", "this.v = V(q[0]);"},
		{"W w(f);", "this.u = V(q[1], q[2]);"},
		{"W w(f);", "this.z = V();"},
		{"W w(f);", "this.y = 0.0f;"},
		{"f[0] = both(f[1]);", "both(V(f[1]))"},
		{"V v = f[1]; v = f[2]; f[0] = v.x;", "v = V(f[2]);"},
		{"V v(3); v = {}; f[0] = v.x;", "v = V();"},
		{"V v(3); v = {0}; f[0] = v.x;", "v = V(0.0f);"},
		{"f[0] = make(f[1]).x;", "return V(a);"},
	} {
		readsAs(t, c.body, types+"__global__ void k(float *f) { "+c.body+" }\n", c.want)
	}
	_, err := Parse(Config{File: "k.cu", Dialect: ast.CUDA, Text: types + "__global__ void k(float *f, V *v) {\n" +
		" f[0] = v[0]; v[1] = f; }\n"})
	for _, want := range []string{"k.cu:6:10: error[TYPE]: assignment: a value of type float is needed, this is V",
		"k.cu:6:22: error[TYPE]: assignment: a value of type V is needed"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
