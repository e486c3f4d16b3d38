package cxx

import (
	"strings"
	"testing"

	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
)

// expanded is a text whose templates with packs have been written out.
func expanded(t testing.TB, text string) string {
	t.Helper()
	list, _, err := tokens.Lex(text, true)
	if err != nil {
		t.Fatal(err)
	}
	shape, _, err := tokens.ShapeOf(list)
	if err != nil {
		t.Fatal(err)
	}
	all := &Program{Words: NewWords(), Templates: NewSet(NewInstances())}
	f := &source.File{Name: "k.cu", List: list, Written: list, Shape: shape, Lines: source.LineStarts(text)}
	if err := all.expandPacks(f); err != nil {
		t.Fatal(err)
	}
	return f.Text
}

// TestExpandPacks: the copies of templates with packs, by how many elements these have.
func TestExpandPacks(t *testing.T) {
	for _, c := range []struct {
		text     string
		elements int
		want     string
	}{
		{"template <typename... A> __device__ int f(A... a) { return g(a...); }", 0, "template <> __device__ int f() { return g(); }"},
		{"template <typename... A> __device__ int f(A... a) { return g(a...); }", 2,
			"template <typename A__0, typename A__1> __device__ int f(A__0 a__0, A__1 a__1) { return g(a__0, a__1); }"},
		{"template <typename T, class... A> __device__ int f(T t, const A &...a) { return sizeof...(A) + g(t, h(a + 1)..., t); }", 1,
			"template <typename T, class A__0> __device__ int f(T t, const A__0 & a__0) { return 1 + g(t, h(a__0 + 1), t); }"},
		{"template <typename T, class... A> __device__ int f(T t, const A &...a) { return sizeof...(A) + g(t, h(a + 1)..., t); }", 0,
			"template <typename T> __device__ int f(T t) { return 0 + g(t, t); }"},
		{"template <typename... A> __device__ void f(A &&...) noexcept {}", 2, "template <typename A__0, typename A__1> __device__ void f(A__0 && , A__1 && ) noexcept {}"},
		{"template <typename... A> __device__ void f(A &&...) noexcept {}", 0, "template <> __device__ void f() noexcept {}"},
		{"template <int... N> __device__ int f() { return (N + ...); }", 3, "template <int N__0, int N__1, int N__2> __device__ int f() { return ((N__0)+ ((N__1)+ ((N__2)))); }"},
		{"template <int... N> __device__ int f() { return (... - N); }", 3, "template <int N__0, int N__1, int N__2> __device__ int f() { return (((( N__0)) - ( N__1)) - ( N__2)); }"},
		{"template <int... N> __device__ int f(int x) { return (x + ... + N); }", 1, "template <int N__0> __device__ int f(int x) { return (((x)) + ( N__0)); }"},
		{"template <class... T> constexpr bool any = (is<T> || ...);", 0, "template <> constexpr bool any = (false);"},
		{"template <class... T> constexpr bool any = (is<T> || ...);", 2, "template <class T__0, class T__1> constexpr bool any = ((is<T__0>)|| ((is<T__1>)));"},
		{"template <class... T> __device__ void f(T... t) { (g(t), ...); int a[] = {t..., 0}; }", 1, "template <class T__0> __device__ void f(T__0 t__0) { ((g(t__0))); int a[] = {t__0, 0}; }"},
		{"template <class... T> __device__ int f(T... t) { return g(S<T...>{t...}, S<T>(t)...); }", 2,
			"template <class T__0, class T__1> __device__ int f(T__0 t__0, T__1 t__1) { return g(S<T__0, T__1>{t__0, t__1}, S<T__0>(t__0), S<T__1>(t__1)); }"},
		{"struct S { template <class... T> __device__ int f(T... t) { return g(t...); } int x; };", 1, "template <class T__0> __device__ int f(T__0 t__0) { return g(t__0); }"},
		{"template <class... T> __global__ void k(T... t) { g(t...); } void h() { k<<<1, 2>>>(1, 2); }", 2, "template <class T__0, class T__1> __global__ void k(T__0 t__0, T__1 t__1) { g(t__0, t__1); }"},
	} {
		spaces := strings.NewReplacer(" ", "", "\n", "")
		if got := expanded(t, c.text); !strings.Contains(spaces.Replace(got), spaces.Replace(c.want)) {
			t.Errorf("%s with %d: no %q in\n%.1500s", c.text, c.elements, c.want, got)
		}
	}
	for _, text := range []string{
		"template <class... T> void host(T... t) { g(t...); }", "template <class... T, int... N> __device__ void f(T... t) {}",
		"template <class... T> __global__ void k(T... t) {}", "template <template <class...> class C> __device__ void f(C<int> c) {}", "void f(int a, ...);",
	} {
		if got := expanded(t, text); got != text {
			t.Errorf("%s has become %s", text, got)
		}
	}
}
