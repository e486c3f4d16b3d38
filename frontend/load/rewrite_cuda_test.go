package load

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"gpupipe/frontend/encoding"
	"gpupipe/frontend/source"

	"modernc.org/cc/v4"
)

// cudaTree parses CUDA code and returns its user part as C, one declaration a
// line, blanks removed where C allows it.
func cudaTree(p *Parsed) string {
	var lines []string
	for tu := p.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if !p.FromPrelude(tu.ExternalDeclaration) {
			s := cc.NodeSource(tu.ExternalDeclaration)
			s = strings.ReplaceAll(s, strings.TrimSpace(strings.Repeat("_Nonnull ", encoding.QualReference)), "REF")
			s = strings.ReplaceAll(s, "_Nonnull _Nonnull _Nonnull", "CONSTANT")
			s = strings.ReplaceAll(s, "_Nonnull _Nonnull", "SHARED")
			s = strings.ReplaceAll(s, "__attribute__((kl_device))", "DEVICE")
			s = strings.ReplaceAll(s, "__attribute__((kl_kernel))", "KERNEL")
			s = funcName.ReplaceAllString(s, "")
			lines = append(lines, s)
		}
	}
	return squeeze(strings.Join(lines, "\n"))
}

var (
	funcName = regexp.MustCompile(`static const char __func__ ?\[ ?\] ?= ?"\w*" ?;`)
	needless = regexp.MustCompile(`(\W) +| +(\W)`)
)

// squeeze takes the blanks out that C does not need.
func squeeze(s string) string {
	for {
		t := needless.ReplaceAllString(s, "$1$2")
		if t == s {
			return s
		}
		s = t
	}
}

func TestCUDARewriting(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"extern C", "extern \"C\" __global__ void k() {}", "KERNEL void k() {}"},
		{"extern C block", "extern \"C\" {\n__global__ void k() {}\n}\n__device__ int x;", "KERNEL void k() {}\nDEVICE int x;"},
		{"namespace", "namespace a { namespace { __device__ int x; } }\nusing namespace a;\n__device__ int y = a::x;", "DEVICE int x;\nDEVICE int y = x;"},
		{"nested namespace", "namespace a::b {\n__device__ int x;\n}", "DEVICE int x;"},
		{"inline namespace", "inline namespace a { __device__ int x; }", "DEVICE int x;"},
		{"namespace alias", "namespace cg = cooperative_groups;\n__device__ int x;", "DEVICE int x;"},
		{"host functions", "int f(int a) { return a; }\nstatic void g() { std::vector<int> v{1, 2}; for (auto &x : v) x++; }\n__device__ int x;\nint main(int c, char **v) try { return 0; } catch (...) { return 1; }", "DEVICE int x;"},
		{"host variables", "int n = 5;\nstatic float *p;\nstd::map<int, int> m;\n__device__ int x;", "DEVICE int x;"},
		{"host prototypes", "int f(int);\n__device__ int g(int);\nclass C;", "DEVICE int g(int);\ntypedef struct C C;\nstruct C;"},
		{"host templates", "template <class T> T f(T a) { return a; }\ntemplate <class T> struct S { T a; };\n__device__ int x;", "DEVICE int x;"},
		{"host classes", "class C { int a; public: C(); };\nC::C() : a(1) {}\n__device__ int x;", "DEVICE int x;"},
		{"constants", "const int N = 4;\nconstexpr int M = N * 2;\nstatic const float t[] = {1, 2};\nenum { A, B };", "const int N = 4;\nconst int M = N * 2;\nstatic const float t[] = {1, 2};\nenum { A, B };"},
		{"constexpr functions", "constexpr int f(int a) { return a + 1; }", "const int f(int a) {return a + 1; }"},
		{"host and device", "__host__ __device__ int f() { return 1; }\n__host__ int g() { return 2; }", "DEVICE int f() {return 1; }"},
		{"struct as a type", "struct P { float x; P *next; };\n__device__ P p;", "typedef struct P P;\nstruct P { float x; P *next; };\nDEVICE P p;"},
		{"typedef struct", "typedef struct P { float x; } P;\n__device__ P p;", "typedef struct P P;\ntypedef struct P { float x; } P;\nDEVICE P p;"},
		{"aligned struct", "struct __align__(16) P { float x; };", "typedef struct P P;\nstruct __attribute__((aligned(16))) P { float x; };"},
		{"forward declaration", "struct P;\n__device__ P *p;", "typedef struct P P;\nstruct P;\nDEVICE P *p;"},
		{"local struct", "__device__ void f() { struct S { int a; }; S s; s.a = 1; }", "DEVICE void f() { typedef struct S S; struct S { int a; }; S s; s.a = 1; }"},
		{"enum class", "enum class E : int { A, B = 3 };\n__device__ E e = E::B;", "enum E { A, B = 3 };\ntypedef enum E E;\nDEVICE E e = B;"},
		{"using", "using real = float;\n__device__ void f() { using T = real; T x; using std::min; }", "typedef float real;\nDEVICE void f() { typedef real T; T x; ; }"},
		{"casts", "__device__ void f(int *p) { static_cast<float>(p[0] + 1); reinterpret_cast<float4 *>(p)[0]; const_cast<const int *>(p); }", "DEVICE void f(int *p) {((float)(p[0] + 1)); ((float4 *)(p))[0]; ((const int *)(p)); }"},
		{"cast in a cast", "__device__ void f(int a) { static_cast<float>(static_cast<int>(float(a))); }", "DEVICE void f(int a) {((float)(((int)(((float)(a)))))); }"},
		{"cast to a reference", "__device__ void f(int a) { reinterpret_cast<float &>(a) = 1; }", "DEVICE void f(int a) {(*(float *)&(a)) = 1; }"},
		{"functional casts", "using real = double; __device__ void f(int a) { a = int(1.5f) + real(a) * float(a); g(float(a), unsigned(2)); return; }", "typedef double real;\nDEVICE void f(int a) { a = ((int)(1.5f)) + ((real)(a)) * ((float)(a)); g(((float)(a)), ((unsigned)(2))); return; }"},
		{"no functional casts", "__device__ void f(int a) { float (*p)[4]; int (b); sizeof(float); a = sizeof(int); (float)(a); }", "DEVICE void f(int a) { float (*p)[4]; int (b); sizeof(float); a = sizeof(int); (float)(a); }"},
		{"references", "struct P { int a; };\n__device__ void f(P &p, const float& x, float (&t)[4], int *&q) { P &r = p; const float &y = x; float4 &v = *(float4 *)q; int b = x & y; int *z = &b; }",
			"typedef struct P P;\nstruct P { int a; };\nDEVICE void f(P * REF p, const float * REF x, float ( * REF t)[4], int * * REF q) { P * REF r = p; const float * REF y = x; float4 * REF v = *(float4 *)q; int b = x & y; int *z = &b; }"},
		{"references to arrays", "__device__ void f(int (&a)[4][2]) { float (&r)[2][4] = reinterpret_cast<float(&)[2][4]>(a); unsigned &u = reinterpret_cast<unsigned&>(a[0]); int (*p)[4]; g(&a)[1]; }",
			"DEVICE void f(int ( * REF a)[4][2]) { float ( * REF r)[2][4] = (*(float( *)[2][4])&(a)); unsigned * REF u = (*(unsigned*)&(a[0])); int (*p)[4]; g(&a)[1]; }"},
		{"default arguments", "__device__ int f(int a, int b = 2, float c = 1.0f * (3, 4)) { return a; }\n__device__ int g(int a = 1);", "DEVICE int f(int a, int b __attribute__((kl_default( 2))), float c __attribute__((kl_default( 1.0f * (3, 4))))) {return a; }\nDEVICE int g(int a __attribute__((kl_default( 1))));"},
		{"qualified names", "__device__ void f(float x) { ::sqrtf(x); std::max(1, 2); a::b::c(x); x = ::x; }", "DEVICE void f(float x) { sqrtf(x); max(1, 2); c(x); x = x; }"},
		{"if constexpr", "__device__ void f() { if constexpr (1) { } constexpr int n = 3; }", "DEVICE void f() { { } const int n = 3; }"},
		{"if constexpr not taken", "template <int N> __device__ int f() { if constexpr (N > 1) return f<N - 1>(); else return 7; }\n__global__ void k(int *p) { p[0] = f<2>(); }",
			"DEVICE int f__2();\nDEVICE int f__1();\nDEVICE int f__2() { return f__1(); }\nDEVICE int f__1() { return 7; }\nKERNEL void k(int *p) { p[0] = f__2(); }"},
		{"template function", "template <typename T, int N> __device__ T f(T a) { T b[N]; return b[0] + T(a); }\n__global__ void k(float *p) { p[0] = f<float, 2 * 3>(p[1]); }",
			"DEVICE float f__float_6(float a) { float b[6]; return b[0] + ((float)(a)); }\nKERNEL void k(float *p) { p[0] = f__float_6(p[1]); }"},
		{"template kernel as launched", "template <typename T, int N> __global__ void k(T *p) { p[0] = N; }\nvoid host() { const int n = 4; k<unsigned int, 2 * n><<<1, 2>>>(0); }", "KERNEL void k__uint_8(uint *p) { p[0] = 8; }"},
		{"template kernel of a host template", "template <typename T> __global__ void k(T *p) { p[0] = 1; }\ntemplate <typename T> void run() { k<T><<<1, 2>>>(0); }\nvoid host() { run<double>(); }", "KERNEL void k__double(double *p) { p[0] = 1; }"},
		{"explicit instantiation", "template <int N> __global__ void k(int *p) { p[0] = N; }\ntemplate __global__ void k<3>(int *p);", "KERNEL void k__3(int *p) { p[0] = 3; }"},
		{"specialisation", "template <typename T> __device__ T f(T a) { return a; }\ntemplate <> __device__ int f<int>(int a) { return 1; }\n__global__ void k(int *p) { p[0] = f<int>(2); }",
			"DEVICE int f__int(int a) { return 1; }\nKERNEL void k(int *p) { p[0] = f__int(2); }"},
		{"template struct", "template <class T, int N> struct S { T v[N]; };\n__device__ float f(S<float, 2> s) { return s.v[0]; }", "typedef struct S__float_2 S__float_2;\nstruct S__float_2 { float v[2]; };\nDEVICE float f(S__float_2 s) { return s.v[0]; }"},
		{"equal names in namespaces", "namespace a { __device__ int f() { return 1; } __device__ int g() { return f(); } }\nnamespace b { __device__ int f() { return 2; } }\n__device__ int h() { return a::f() + b::f(); }",
			"DEVICE int a__f() { return 1; }\nDEVICE int g() { return a__f(); }\nDEVICE int b__f() { return 2; }\nDEVICE int h() { return a__f() + b__f(); }"},
		{"member functions", "struct P { float x; __device__ P(float a) : x(a) {} __device__ float twice() const { return 2 * this->x; } };\n__device__ float f() { P p(3); return p.twice() + P(4).x; }",
			"typedef struct P P;\nstruct P { float x; };\nDEVICE P __kl_new_P(float a) { P __kl_this; __kl_this.x = (a); {} return __kl_this; }\nDEVICE float P__kl_twice(const P * REF __kl_this) { return 2 * __kl_this.x; }\nDEVICE float f() { P p = __kl_new_P(3); return p.twice() + __kl_new_P(4).x; }"},
		{"several variables made at once", "struct P { float x; __device__ P(float a) : x(a) {} };\n__device__ float f(float a) { { a = 1; } P p(-3), q(a), r(p.x + q.x); const P s(2), t(f(a)); return f(p.x, q(a)); }",
			"typedef struct P P;\nstruct P { float x; };\nDEVICE P __kl_new_P(float a) { P __kl_this; __kl_this.x = (a); {} return __kl_this; }\nDEVICE float f(float a) { { a = 1; } P p = __kl_new_P(-3), q = __kl_new_P(a), r = __kl_new_P(p.x + q.x); const P s = __kl_new_P(2), t = __kl_new_P(f(a)); return f(p.x, q(a)); }"},
		{"operators", "struct P { float x; };\n__device__ P operator+(P a, P b) { a.x += b.x; return a; }", "typedef struct P P;\nstruct P { float x; };\nDEVICE P __kl_op_add(P a, P b) { a.x += b.x; return a; }"},
		{"braces of constants", "__device__ void f(float *p) { int const n{3}; float const *const q{p}; }", "DEVICE void f(float *p) { int const n = {3}; float const *const q = {p}; }"},
		{"braces", "struct P { float x, y; };\n__device__ P f() { int a{3}; P b{}; return P{1, 2}; }", "typedef struct P P;\nstruct P { float x, y; };\nDEVICE P f() { int a = {3}; P b = {00}; return (P){1, 2}; }"},
		{"texture fetches", "texture<float4, 2, cudaReadModeElementType> t;\n__device__ float f(cudaTextureObject_t o) { return tex2D<float>(o, 1, 2) + tex2D(t, 1, 2).x; }",
			"typedef float4 t__kl_texel;\ncudaTextureObject_t t;\nDEVICE float f(cudaTextureObject_t o) { return __kl_tex2D((float *)0, o, 1, 2) + tex2D(t, 1, 2).x; }"},
		{"cooperative groups", "namespace cg = cooperative_groups;\n__device__ void f() { cg::thread_block b = cg::this_thread_block(); cg::thread_block_tile<32> w = cg::tiled_partition<32>(b); }",
			"DEVICE void f() { thread_block b = this_thread_block(); thread_block_tile w = __kl_tiled_partition(32, b); }"},
		{"asynchronous copies", "using barrier = cuda::barrier<cuda::thread_scope_block>;\n__device__ void f(barrier &b, int n) { cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline(); cuda::memcpy_async(0, 0, cuda::aligned_size_t<sizeof(int)>(4 * n), b); cuda::pipeline_consumer_wait_prior<2>(p); n < 3; }\n__device__ void g(cuda::pipeline<cuda::thread_scope_block> &p, cuda::pipeline_shared_state<cuda::thread_scope_block, 2> *s) {}",
			"typedef __kl_barrier barrier;\nDEVICE void f(barrier *REF b, int n) { __kl_pipeline p = make_pipeline(); memcpy_async(0, 0, __kl_make_aligned_size(sizeof(int), 4 * n), b); __kl_wait_prior(2, p); n < 3; }\nDEVICE void g(__kl_pipeline_all *REF p, __kl_pipeline_state *s) {}"},
		{"fragments", "const int M = 16;\n#define N 16\n__device__ void f() { wmma::fragment<wmma::accumulator, M, N, 16, float> c; nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, M, N, 16, __half, nvcuda::wmma::col_major> a; }",
			"const int M = 16;\nDEVICE void f() { __kl_frag_accumulator_16_16_16_float_none c; __kl_frag_matrix_a_16_16_16_half_col_major a; }"},
		{"casts in macros", "#define F(x) static_cast<float>(x)\n__device__ float f(int a) { return F(a); }", "DEVICE float f(int a) { return ((float)(a)); }"},
		{"digit separators", "__device__ int x = 1'000'000;", "DEVICE int x = 1000000;"},
		{"known template calls", "__device__ void f(int *p) { min<int>(1, 2); __ldg<float>(p); p[0] < 2; 1 < p[0] && 2 > (1); }", "DEVICE void f(int *p) { min (1, 2); __ldg (p); p[0] < 2; 1 < p[0] && 2 > (1); }"},
		{"launch bounds", "__global__ void __launch_bounds__(256, 2) k(int *__restrict__ p) {}", "KERNEL void __attribute__((kl_launch_bounds(256, 2))) k(int *__restrict__ p) {}"},
		{"shared", "__global__ void k() { extern __shared__ float a[]; __shared__ int b[4][4]; }\n__constant__ int c[3];", "KERNEL void k() { extern SHARED float a[]; SHARED int b[4][4]; }\nCONSTANT int c[3];"},
		{"auto", "__device__ void f() { auto x = 1; const auto y = 2.0f; }", "DEVICE void f() { __kl_auto x = 1; const __kl_auto y = 2.0f; }"},
		{"kernels by macro", "#define KERNEL extern \"C\" __global__ void\n#define ENTRY KERNEL\nENTRY k() {}\nint host() {}", "KERNEL void k() {}"},
		{"kernels made by a macro", "#define MAKE(n, T) __global__ void n(T *p) { p[0] = 1; }\nMAKE(a, int)\nMAKE(b, float)\nint host() {}", "KERNEL voida(int *p) { p[0] = 1; }\nKERNEL voidb(float *p) { p[0] = 1; }"},
		{"branches", "#ifdef X\n__global__ void k(int a) {\n#else\n__global__ void k(float a) {\n#endif\n}\n__device__ int y;", "KERNEL void k(float a) { }\nDEVICE int y;"},
		{"cplusplus", "#ifdef __cplusplus\nextern \"C\" {\n#endif\n__device__ int x;\n#ifdef __cplusplus\n}\n#endif\n__device__ int y;", "DEVICE int x;\nDEVICE int y;"},
		{"pragmas in host code", "void f() {\n#pragma unroll\n for (;;);\n#pragma omp parallel\n}\n__device__ int x;", "DEVICE int x;"},
		{"includes and macros in host code", "void f() {\n#define N 3\n#include \"x.h\"\n}\n__device__ int x = N;", "DEVICE int y;\nDEVICE int x = 3;"},
		{"kernel macro of a header", "#include \"m.h\"\nMYKERNEL k() {}", "KERNEL void k() {}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := parseTree(t, Config{File: "k.cu", Text: c.text, Dialect: source.CUDA, FS: fstest.MapFS{
				"x.h": {Data: []byte("__device__ int y;\n")},
				"m.h": {Data: []byte("#define MYKERNEL __global__ void\n")},
			}})
			if got := cudaTree(p); got != squeeze(c.want) {
				t.Errorf("got\n%s\nwant\n%s", got, squeeze(c.want))
			}
			if len(p.Rejected) > 0 {
				t.Errorf("rejected %v", p.Rejected[0].Err)
			}
			for _, w := range p.Warnings {
				if !strings.Contains(w.Message, "of host code") {
					t.Errorf("unexpected: %v", w)
				}
			}
		})
	}
}

// TestCUDARejected has what is C++ and cannot become C: it takes the function
// that holds it along, and nothing else.
func TestCUDARejected(t *testing.T) {
	for _, c := range []struct{ text, name, want string }{
		{"template <typename... T> __global__ void bad(T *p) {}", "bad", "1:1: error[UNSUPPORTED]: a template kernel is not supported"},
		{"template <int... N, int... M> __device__ int bad(int a) { return N; }", "bad", "1:1: error[UNSUPPORTED]: a template function is not supported"},
		{"template <int... N>\n#pragma unroll\n__global__ void bad() {}", "bad", "1:1: error[UNSUPPORTED]: a template kernel is not supported"},
		{"__global__ void bad() { auto f = *[=] (int a) { return a; }; }", "bad", "1:35: error[UNSUPPORTED]: a lambda is not supported"},
		{"__global__ void bad(int *a) { b = [&]{ a[0]++; }; }", "bad", "1:35: error[UNSUPPORTED]: a lambda is not supported"},
		{"__device__ int S::bad(int a) { return a; }", "bad", "1:17: error[UNSUPPORTED]: a member function is not supported"},
		{"__global__ void bad() { int *p = new int[4]; delete[] p; }", "bad", "1:34: error[UNSUPPORTED]: new in device code is not supported"},
		{"__global__ void bad() { k<<<1, 2>>>(); }", "bad", "1:26: error[UNSUPPORTED]: a kernel launch in device code is not supported"},
		{"__device__ void bad() { g<4>(1); }", "bad", "1:25: error[UNSUPPORTED]: the template call g<...>(...) is not supported"},
		{"__device__ void bad() { nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 8, float, nvcuda::wmma::row_major> f; }", "bad", "1:39: error[UNSUPPORTED]: a fragment of this shape or type is not supported"},
		{"__device__ void bad(int *a) { for (int x : f(a)) { } }", "bad", "1:31: error[UNSUPPORTED]: a range-based for is not supported"},
		{"__device__ void bad() { if (int a = 1; a > 0) { } }", "bad", "1:25: error[UNSUPPORTED]: an if with a declaration is not supported"},
		{"__device__ void bad(int a) { auto &&b = a + 1; }", "bad", "1:35: error[UNSUPPORTED]: a variable that is an rvalue reference is not supported"},
		{"__device__ void bad() { static_cast<A<B<int>>>(1); }", "bad", "1:25: error[UNSUPPORTED]: static_cast to a template type is not supported"},
		{"__device__ void bad() { throw 1; }", "bad", "1:25: error[UNSUPPORTED]: an exception is not supported"},
		{"__device__ void bad() { auto a{3}; }", "bad", "1:30: error[UNSUPPORTED]: a braced initialiser is not supported"},
		{"__global__ void bad(Unknown a) { }", "bad", "1:21: error[SYNTAX]: unknown type \"Unknown\""},
	} {
		const good = "\n__global__ void good() {}\n"
		p, err := parse(&Config{File: "k.cu", Text: c.text + good, Dialect: source.CUDA})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if len(p.Rejected) != 1 {
			t.Errorf("%s: rejected %v; warnings %v", c.text, p.Rejected, p.Warnings)
			continue
		}
		r := p.Rejected[0]
		if c.name != "" && r.Name != c.name || !strings.HasPrefix(r.Err.Error(), "k.cu:"+c.want) || r.Kernel != strings.Contains(c.text, "__global__") {
			t.Errorf("%s: %s (kernel %v) rejected: %v\nwant %s", c.text, r.Name, r.Kernel, r.Err, c.want)
		}
		if got := cudaTree(p); got != "KERNEL void good(){}" {
			t.Errorf("%s: tree is %s", c.text, got)
		}
		if len(p.Warnings) > 0 {
			t.Errorf("%s: %v", c.text, p.Warnings)
		}
		// Taken out by an #if, it is nobody's business.
		p, err = parse(&Config{File: "k.cu", Text: "#if 0\n" + c.text + "\n#endif" + good, Dialect: source.CUDA})
		if err != nil || len(p.Rejected) > 0 || len(p.Warnings) > 0 {
			t.Errorf("%s taken out: %v, %v", c.text, err, p)
		}
	}
}

// TestCUDADropped has declarations that are left out, with a note each.
func TestCUDADropped(t *testing.T) {
	text := `typedef std::vector<int> V;
const Foo x = bar();
union T { int a = 3; };
struct C { virtual __device__ int f() { return 1; } int a; };
struct H { int f() { return 1; } };
struct D : H { int a; };
typedef int ok;
__global__ void good(ok *p) {}
`
	p := parseTree(t, Config{File: "k.cu", Text: text, Dialect: source.CUDA})
	want := `k.cu:1:1: note[DROPPED]: declaration left out: it is of the C++ library
k.cu:2:7: note[DROPPED]: declaration left out: unknown type "Foo"
	declare it, include the header that does, or define it with -D
k.cu:3:17: note[DROPPED]: declaration left out: unexpected "=", expected ';'
k.cu:4:12: note[DROPPED]: declaration left out: a virtual function is not supported
	keep the data in a plain struct and make the functions free ones
k.cu:5:16: note[DROPPED]: declaration left out: struct H is a class of host code
k.cu:6:14: note[DROPPED]: declaration left out: unknown type "H"
	H at k.cu:5:1 is left out: a member function is not supported`
	if got := p.Warnings.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := cudaTree(p), "typedef int ok;\nKERNEL void good(ok*p){}"; got != want {
		t.Errorf("tree is %s, want %s", got, want)
	}
}

// TestCUDANothingLeft fails when no kernel can be parsed.
func TestCUDANothingLeft(t *testing.T) {
	_, err := parseWithin(t, Config{File: "k.cu", Dialect: source.CUDA, Text: "template <int... N> __global__ void a() {}\n__global__ void b() { auto x{1}; }\n"})
	want := "k.cu:1:1: error[UNSUPPORTED]: a template kernel is not supported"
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "\nk.cu:2:28: error[UNSUPPORTED]: a braced initialiser") {
		t.Errorf("got %v", err)
	}
}

// TestDefaultArguments checks that calls get the arguments that they leave out.
func TestDefaultArguments(t *testing.T) {
	p := parseTree(t, Config{File: "k.cu", Dialect: source.CUDA, Text: `__device__ int f(int a, int b = 2, int c = N);
__device__ int f(int a, int b, int c) { return a; }
__device__ int g(int a = 5) { return a; }
__device__ int h(int a, int b) { return a; }
__global__ void k(int *p) { p[0] = f(1) + f(1, 3) + f(1, 3, 4) + f(g()) + g(f(7)) + h(1); for (;;) { if (g()) p[f(6)] = 0; } }
`, Defines: []string{"N=9"}})
	var calls []string
	for tu := p.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if fd := tu.ExternalDeclaration.FunctionDefinition; fd != nil {
			eachCall(reflect.ValueOf(fd.CompoundStatement), func(call *cc.PostfixExpression) {
				s := cc.NodeSource(call.PostfixExpression)
				for a := call.ArgumentExpressionList; a != nil; a = a.ArgumentExpressionList {
					if arg, ok := a.AssignmentExpression.(*cc.PrimaryExpression); ok {
						s += " " + cc.NodeSource(arg)
					} else {
						s += " call"
					}
				}
				calls = append(calls, s)
			})
		}
	}
	want := "f 1 2 9; f 1 3 9; f 1 3 4; f call 2 9; g 5; g call; f 7 2 9; h 1; g 5; f 6 2 9"
	if got := strings.Join(calls, "; "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
