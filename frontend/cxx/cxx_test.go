package cxx

import (
	"strings"
	"testing"

	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
)

// writeOut writes a text out in as many rounds as it takes, with the name of a header and its text.
func writeOut(t *testing.T, text, header string) (written string, all *Program) {
	t.Helper()
	known := NewInstances()
	for range MaxLoads {
		all = &Program{Words: NewWords(), Templates: NewSet(known), LanguageMacro: func(string) ([]string, bool) { return nil, false }}
		add := func(name, text string) *source.File {
			list, _, err := tokens.Lex(text, true)
			if err != nil {
				t.Fatal(err)
			}
			shape, _, err := tokens.ShapeOf(list)
			if err != nil {
				t.Fatal(err)
			}
			f := &source.File{ID: len(all.Files), Name: name, List: list, Written: list, Shape: shape, Lines: source.LineStarts(text)}
			all.Files = append(all.Files, f)
			if err := all.WriteOut(f); err != nil {
				t.Fatal(err)
			}
			return f
		}
		all.Header = func(*source.File, int, string, bool) *source.File {
			if len(all.Files) > 1 {
				return all.Files[1]
			}
			return add("h.cuh", header)
		}
		f := add("k.cu", text)
		written = f.Text
		if known.Reread() {
			continue
		}
		all.ChooseKernels()
		if !all.Templates.Missing() {
			break
		}
	}
	return strings.Join(strings.Fields(written), " "), all
}

// TestWriteOut: texts of C++ and what becomes of them.
func TestWriteOut(t *testing.T) {
	for _, c := range []struct{ text, header, want string }{
		{"__global__ void k(float *f) { f[0] = 1; }", "", "__global__ void k(float *f) { f[0] = 1; }"},
		{"template <typename T> __device__ T twice(T x) { return x + x; }\n__global__ void k(int *f) { f[0] = twice<int>(f[1]); }", "",
			"__device__ int twice__int(int x) { return x + x; } __global__ void k(int *f) { f[0] = twice__int(f[1]); }"},
		{"template <int N> __device__ int up() { return N; }\nconstexpr int f(int x) { return x * x; }\n__global__ void k(int *p) { p[0] = up<f(3) - 1>(); }", "",
			"__device__ int up__8() { return 8; } constexpr int f(int x) { return x * x; } __global__ void k(int *p) { p[0] = up__8(); }"},
		{"template <int N> __global__ void k(int *p) { p[0] = N; }\nint main() { k<4><<<1, 32>>>(p); }", "",
			"__global__ void k__4(int *p) { p[0] = 4; } int main() { k<4><<<1, 32>>>(p); }"},
		{"struct P { float x; __device__ float get() const { return x; } };", "",
			"struct P {float x;}; __device__ float P__kl_get(const P &__kl_this) { return x; }"},
		{"#include \"h.cuh\"\n__global__ void k(int *p) { p[0] = half<8>(); }", "template <int N> __device__ int half() { return N / 2; }",
			"#include \"h.cuh\" __global__ void k(int *p) { p[0] = half__8(); }"},
	} {
		if got, _ := writeOut(t, c.text, c.header); got != c.want {
			t.Errorf("%s\nbecomes %s\nwant    %s", c.text, got, c.want)
		}
	}
}

// TestDisplay: names of what has been written out are spelled as the user does.
func TestDisplay(t *testing.T) {
	n := NewInstances()
	list := n.Request("f", []string{"float *", "-1"})
	nested := n.Request("h", []string{list.Name + " *", "a :: b :: T"})
	for name, want := range map[string]string{
		list.Name: "f<float *, -1>", nested.Name: "h<f<float *, -1> *, a::b::T>", "g": "g", "P" + MemberMark + "get": "P::get", ConstructorPrefix + list.Name: "f<float *, -1>", OperatorPrefix + "add": "operator add",
	} {
		if got := n.Display(name); got != want {
			t.Errorf("%s is spelled %s, want %s", name, got, want)
		}
	}
	if again := n.Request("f", []string{"float *", "-1"}); again != list || n.Count != 2 {
		t.Error("equal arguments make two copies")
	}
	if other := n.Request("f", []string{"floatP", "m1"}); other.Name == list.Name {
		t.Errorf("%v and %v have one name", list, other)
	}
}

// TestForms: the further forms of templates and members, by a part of what they become.
func TestForms(t *testing.T) {
	for _, c := range []struct{ text, header, want string }{
		{"template <typename T> struct Pair { T a, b; __device__ T sum() const { return a + b; } };\n__global__ void k(float *f) { Pair<float> p; f[0] = p.sum(); }", "", "float Pair__float__kl_sum(const Pair__float &__kl_this)"},
		{"template <typename T> __device__ T one() { return 1; }\ntemplate <> __device__ float one<float>() { return 2; }\n__global__ void k(float *f) { f[0] = one<float>() + one<int>(); }", "", "f[0] = one__float() + one__int();"},
		{"template <typename T, int N> struct A { T v[N]; };\ntemplate <typename T> struct A<T, 1> { T v; };\n__global__ void k(float *f) { A<float, 1> a; A<int, 2> b; }", "", "struct A__float_1 { float v; };"},
		{"template <typename T, int N = 4> __device__ T g(T x) { if constexpr (N > 2) return x; else return -x; }\n__global__ void k(float *f) { f[0] = g<float>(1) + g<float, 2>(2); }", "", "float g__float_2(float x)"},
		{"template <typename T> __host__ void run(T *p) { k<T, 8><<<1, 32>>>(p); }\ntemplate <typename T, int N> __global__ void k(T *p) { p[0] = N; }\nint main() { run<double>(0); }", "", "__global__ void k__double_8(double *p)"},
		{"struct Max { template <typename T> __device__ T operator()(T a, T b) const { return a > b ? a : b; } };\ntemplate <typename Op> __device__ int two(Op op) { return op(1, 2); }\n__global__ void k(int *p) { p[0] = two<Max>(Max()); }", "", "int two__Max(Max op)"},
		{"#include \"h.cuh\"\nstruct P { float x; };\n__global__ void k(P *p) { p[0] = same<P>(p[1]); }", "template <typename T> __device__ T same(T x) { return x; }", "struct P { float x; };__device__ P same__P(P x);__device__ P same__P(P x) { return x; }"},
		{"namespace a { template <int N> __device__ int f() { return N; } }\nnamespace b { template <int N> __device__ int f() { return -N; } }\n__global__ void k(int *p) { p[0] = a::f<1>() + b::f<2>(); }", "", "__device__ int"},
		{"#define WIDTH 8\n#if WIDTH > 4\ntypedef float real;\n#else\ntypedef double real;\n#endif\ntemplate <typename T> __device__ T f(T x) { return x; }\n__global__ void k(real *p) { p[0] = f<real>(p[1]); }", "", "f__float(p[1])"},
		{"template <typename T> constexpr T half_of = T(1) / 2;\n__global__ void k(float *p) { p[0] = half_of<float>; }", "", "((float)(float ( 1 ) / 2))"},
		{"template <int N> __device__ int down() { return N + down<N - 1>(); }\ntemplate <> __device__ int down<0>() { return 0; }\n__global__ void k(int *p) { p[0] = down<2>(); }", "", "int down__1() { return 1 + down__0(); }"},
		{"struct V { float x; __device__ V(float a) : x(a) {} __device__ V operator+(V o) const { return V(x + o.x); } static __device__ int size() { return 4; } };\n__global__ void k(float *p) { V v(p[0]); p[1] = (v + v).x + V::size(); }", "", "V __kl_op_add(const V &__kl_this, V o)"},
	} {
		if got, _ := writeOut(t, c.text, c.header); !strings.Contains(got, c.want) {
			t.Errorf("%s\nbecomes %s\nwithout %s", c.text, got, c.want)
		}
	}
}
