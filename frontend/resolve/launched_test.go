package resolve

import (
	"fmt"
	"gpupipe/frontend/ast"
	"slices"
	"testing"
)

// TestLaunchDecidesTypes: the types of what host code passes are those of the kernel's template, where the launch
// names none.
func TestLaunchDecidesTypes(t *testing.T) {
	const kernel = "struct S { int x; };\ntemplate <typename T, typename I, int N = 4> __global__ void k(T *out, " +
		"const T * __restrict__ in, I n) { for (I i = 0; i < n; i++) out[i] = in[i]; }\n"
	for _, c := range []struct {
		name, host string
		want       []string
	}{
		{"variables", "int main() { double *a, *b; long n = 3; k<<<1, 32>>>(a, b, n); }",
			[]string{"k<double, long, 4>"}},
		{"literals and offsets", "int main() { int *a; k<<<1, 32>>>(a + 4, a, 16u); }",
			[]string{"k<int, unsigned int, 4>"}},
		{"literals of more than nine digits", "int main() { int *a; k<<<1, 32>>>(a, a, 1000000000); k<<<1, 32>>>(a, " +
			"a, 3000000000); k<<<1, 32>>>(a, a, 0xffffffff); k<<<1, 32>>>(a, a, 0xffffffffff); k<<<1, 32>>>(a, a, " +
			"1'000'000'000); }",
			[]string{"k<int, int, 4>", "k<int, long, 4>", "k<int, unsigned int, 4>"}},
		{"suffixes", "int main() { int *a; k<<<1, 32>>>(a, a, 16ull); k<<<1, 32>>>(a, a, 16L); }",
			[]string{"k<int, unsigned long long, 4>", "k<int, long, 4>"}},
		{"casts", "int main() { void *p; k<<<1, 32>>>((half *)p, reinterpret_cast<half *>(p), static_cast<unsigned " +
			"short>(7)); }", []string{"k<half, unsigned short, 4>"}},
		{"arguments that are given come first", "int main() { int *a; k<float><<<1, 32>>>(a, a, 1); }",
			[]string{"k<float, int, 4>"}},
		{"a struct", "int main() { S *a; k<<<1, 32>>>(a, a, 1); }", []string{"k<S, int, 4>"}},
		{"a struct by its tag", "int main() { struct S *a; k<<<1, 32>>>(a, (const struct S *)a, 1); }",
			[]string{"k<S, int, 4>"}},
		{"words before the type", "static inline thread_local long n = 3;\n" +
			"int main() { register int *a; k<<<1, 32>>>(a, a, n); }", []string{"k<int, long, 4>"}},
		{"variables of the file", "static float *a;\nint main() { const int n = 3; k<<<1, 32>>>(a, a, n); }",
			[]string{"k<float, int, 4>"}},
		{"a template of the host", "template <typename U> void run(U *a, int n) { const U *b = a; k<<<1, 32>>>(a, b, " +
			"n); }\nint main() { double *x; run(x, 3); half *y; run(y, 4); }",
			[]string{"k<double, int, 4>", "k<half, int, 4>"}},
		{"instances of a template of the host", "template <typename U> void run(U *a, int n) { k<U, int><<<1, " +
			"32>>>(a, a, n); }\ntemplate void run<int>(int *, int);\ntemplate void run(double *a, int n);",
			[]string{"k<int, int, 4>", "k<double, int, 4>"}},
		{"an enumeration of a library", "#include <cub/cub.cuh>\nusing namespace cub;\ntemplate <BlockScanAlgorithm " +
			"A> __global__ void s(int *p) { typedef BlockScan<int, 64, A> Scan; __shared__ typename " +
			"Scan::TempStorage t; Scan(t).InclusiveSum(p[0], p[1]); }\ntemplate <BlockScanAlgorithm A> void run(int " +
			"*p) { s<A><<<1, 64>>>(p); }\nint main() { int *p; k<<<1, 32>>>(p, p, 1); run<BLOCK_SCAN_RAKING>(p); }",
			[]string{"k<int, int, 4>", "s<cub::BLOCK_SCAN_RAKING>"}},
		{"a template of the host that nothing calls", "template <typename U> void run(U *a, int n) { switch (n) { " +
			"case 8: k<U, int, 8><<<1, 32>>>(a, a, n); break; case 9: k<U, int, 9><<<1, 32>>>(a, a, n); } }",
			[]string{"k<float, int, 8>", "k<float, int, 9>"}},
		{"constants that only the compiler computes", "namespace m { struct A { enum Id { X, Y }; }; template <A::Id I> " +
			"struct P { constexpr P() {} constexpr int size() const { return I == A::X ? 6 : 7; } }; }\n" +
			"template <m::A::Id I> void run(int *a) { using namespace m; constexpr P<I> p; constexpr int n = p.size(); " +
			"k<int, int, n><<<1, 32>>>(a, a, 1); }\nvoid f() { using namespace m; run<A::X>(0); run<A::Y>(0); }",
			[]string{"k<int, int, 6>", "k<int, int, 7>"}},
		{"a static function of a class template", "template <class F> struct By { F f; };\n" +
			"template <int P, class F, class R, class... In> __global__ void g(F f, R *r, const In *... in) { r[0] = P; }\n" +
			"template <class F, class R, class... In> struct Run { static int go(F f, R *r, const In *... in) { " +
			"g<8, F, R, In...><<<1, 32>>>(f, r, in...); return 0; } };\n" +
			"template <class F, class R, class... In> int with(F f, R *r, const In *... in) { " +
			"return Run<F, R, In...>::go(f, r, in...); }\nint main() { float *a; int *b; with(By<S>(), a, b, a); k<<<1, 32>>>(a, a, 1); }",
			[]string{"k<float, int, 4>", "g<8, By<S>, float, int, float>"}},
		{"members of class templates that the file names", "namespace m { enum E { X, Y }; template <class T, E e> " +
			"class Run { public: int go(T *r, int n); }; }\ntemplate <class T, m::E e> int m::Run<T, e>::go(T *r, int n) " +
			"{ k<T, int, e + 5><<<1, 32>>>(r, r, n); return 0; }\nnamespace m { class A { Run<double, Y> run_; double " +
			"*r_; int go() { return run_.go(r_, 3); } };\nvoid f(short *r) { Run<short, X> run; run.go(r, 4); } }",
			[]string{"k<double, int, 6>", "k<short, int, 5>"}},
		{"templates that are members of them", "template <class T> class Run { public: template <int n> int go(T *r); };\n" +
			"template <class T> template <int n> int Run<T>::go(T *r) { k<T, int, n><<<1, 32>>>(r, r, 1); return 0; }\n" +
			"enum { N = 7 };\nclass A { Run<double> run_; int go(); };\nint A::go() { return run_.go<N>(0); }",
			[]string{"k<double, int, 7>"}},
		{"names of a namespace in instances", "namespace m { enum E { X, Y }; template <E e> void run(int *r) " +
			"{ k<int, int, e + 5><<<1, 32>>>(r, r, 3); }\ntemplate void run<Y>(int *r); }",
			[]string{"k<int, int, 6>"}},
		{"of specialised classes each for itself", "template <class R> struct Run { static void go(R *r) { " +
			"k<R, R, 8><<<1, 32>>>(r, r, 1); } };\ntemplate <> struct Run<int> { static void go(int *r) { " +
			"k<int, int, 9><<<1, 32>>>(r, r, 1); } };\nRun<int> named;\nint main() { int *a; Run<int>::go(a); }",
			[]string{"k<float, int, 8>", "k<int, int, 9>"}},
		{"templates that are members of the same class", "template <class T> struct Box { T *p; };\n" +
			"struct S { template <class B> void go(B &b, int n); void one(); void two(int n); };\n" +
			"template <class B> void S::go(B &b, int n) { k<<<1, 32>>>(b.p, b.p, n); }\n" +
			"void S::one() { using B = Box<double>; B b; go(b, 1); }\nvoid S::two(int n) { Box<short> b; go(b, n); }",
			[]string{"k<double, int, 4>", "k<short, int, 4>"}},
		{"brackets with spaces between them", "int main() { double *a; k<< < 1, 32>>>(a, a, 1); k<float><< <1, 32>> >(0, 0, 1); }",
			[]string{"k<double, int, 4>", "k<float, int, 4>"}},
		{"the inner of two", "double *a;\nint main() { float *a; { k<<<1, 32>>>(a, a, 1); } }",
			[]string{"k<float, int, 4>"}},
		{"a function's result is unknown", "int main() { k<<<1, 32>>>(get(), get(), 1); }",
			[]string{"k<float, int, 4>"}},
		{"an expression declares nothing", "int main() { int b = 3; f(b * a, b); k<<<1, 32>>>(a, a, b); }",
			[]string{"k<float, int, 4>"}},
		{"a pointer is not a number", "int main() { float a; k<<<1, 32>>>(a, a, 1); }", []string{"k<float, int, 4>"}},
		{"a class of the library", "int main() { std::vector<double> a; k<<<1, 32>>>(a, a, 1); }",
			[]string{"k<float, int, 4>"}},
	} {
		u, err := Parse(Config{File: "k.cu", Text: kernel + c.host + "\n", Dialect: ast.CUDA})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, k := range u.Kernels {
			got = append(got, k.Name)
		}
		if !slices.Equal(got, c.want) || len(u.Broken) > 0 {
			t.Errorf("%s: %q, want %q; %v", c.name, got, c.want, u.Broken)
		}
	}
}

// TestLaunchOfOverload: a launch is of the kernel that its arguments choose.
func TestLaunchOfOverload(t *testing.T) {
	u := mustParse(t, ast.CUDA, `__global__ void k(int *p) { p[threadIdx.x] = 1; }
__global__ void k(float *p) { p[threadIdx.x] = 1; }
template <class T> __global__ void k(T *p) { p[threadIdx.x] = T(); }
int main() { float *f; double *d; k<<<2, 32>>>(f); k<<<3, 64>>>(d); k<<<4, 96>>>(unknown()); }
`)
	var got []string
	for _, k := range u.Kernels {
		for _, l := range k.HostLaunches {
			got = append(got, fmt.Sprintf("%s %d", k.Name, l.Groups[0]))
		}
	}
	if want := []string{"k(float *) 2", "k<double> 3"}; !slices.Equal(got, want) {
		t.Errorf("launches %q, want %q", got, want)
	}
}

// TestPackKernels: a kernel has as many parameters as its launches give it arguments; without one the pack is empty,
// which is said.
func TestPackKernels(t *testing.T) {
	const text = `template <typename... A> __device__ float sum(A... a) { return (0.0f + ... + a); }
template <typename... A> __global__ void k(float *o, A... a) { o[0] = sum(a...) + sizeof...(A); }
`
	u := mustParse(t, ast.CUDA, text+"int main() { float *o; k<<<1, 32>>>(o, 1, 2.f, 3.0); }")
	if len(u.Kernels) != 1 || u.Kernels[0].Name != "k<int, float, double>" || len(u.Kernels[0].Params) != 4 {
		t.Errorf("kernels %v", u.Kernels)
	}
	u = mustParse(t, ast.CUDA, text)
	if want := "k:2:42: note[TEMPLATE]: template arguments of kernel k are assumed: A is empty\n\tadd a launch, or " +
		"an explicit instantiation, to give others"; u.Warnings.Error() != want {
		t.Errorf("without a launch: %v, want %s", u.Warnings, want)
	}
}
