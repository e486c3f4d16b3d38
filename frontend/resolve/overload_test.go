package resolve

import (
	"gpupipe/frontend/ast"
	"strings"
	"testing"
)

// TestOverloadedBuiltins checks that functions of the user's with the name of
// one of CUDA's take only the calls that are theirs: a scalar is not a vector.
func TestOverloadedBuiltins(t *testing.T) {
	const text = `inline __host__ __device__ float2 floorf(float2 v) { return make_float2(floorf(v.x), floorf(v.y)); }
inline __host__ __device__ float2 make_float2(float s) { return make_float2(s, s); }
inline __host__ __device__ int2 max(int2 a, int2 b) { return make_int2(max(a.x, b.x), max(a.y, b.y)); }
__device__ double atomicAdd(double *a, double v) { return *a += v; }
__global__ void k(float2 *a, int2 *b, float *c, double *d) {
  a[0] = floorf(make_float2(c[0]));
  b[0] = max(b[1], b[2]);
  atomicAdd(c, 1.0f);
  atomicAdd(d, 1.0);
}
`
	u, err := Parse(Config{File: "k.cu", Text: text, Dialect: ast.CUDA})
	if err != nil {
		t.Fatal(err)
	}
	got := u.String()
	for _, want := range []string{
		"a[0] = floorf(make_float2(", "{floor.float(v.s0), floor.float(v.s1)}",
		"{max.int(a.s0, b.s0), max.int(a.s1, b.s1)}",
		"b[0] = max(b[1], b[2]);", "atomic_add.float(c, 1.0f)", "atomicAdd((double *)(d), 1.0)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestTruthIsBool checks that comparisons, logical operators and ! have the type bool in C++, and int in C.
func TestTruthIsBool(t *testing.T) {
	u, err := Parse(Config{File: "k.cu", Dialect: ast.CUDA, Text: `
__device__ constexpr int f(bool) { return 3; }
__device__ constexpr int f(int) { return 7; }
template <typename T> __device__ constexpr int size(T) { return sizeof(T); }
__global__ void k(int *o, int a, int b) {
  auto c = a < b;
  o[0] = f(a < b) + f(!a) + f(a && b) + f(o == nullptr) + f(1 < 2) + f(false && a) + f(a + 1);
  o[1] = size(a < b) + sizeof(a || b) + sizeof(c) + sizeof((a < b) + 0);
}`})
	if err != nil {
		t.Fatal(err)
	}
	text := u.String()
	for _, want := range []string{
		"bool c = (bool)((a <.int b));",
		"f((bool)((a <.int b))) + f((bool)(!a))) + f((bool)((a && b)))) + f((bool)((o ==.__global int * ",
		" + f((bool)1)) + f((bool)0)) + f((a + 1))",
		"(size<bool>((bool)((a <.int b)))) + 1ul) + 1ul) + 4ul)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestOverloadBeside checks that the function of the language is called where it fits better than the
// program's of the same name, which is not recursion, and that an exact fit of the program's is kept.
func TestOverloadBeside(t *testing.T) {
	for _, c := range []struct {
		name, text string
		dialect    ast.Dialect
		want       []string
	}{
		{"warp shuffle", `__device__ inline double __shfl_down(double v, int d, int size = 32) {
  float2 p; p.x = __shfl_down(p.x, d, size); return (double)p.x + v; }
__device__ inline double __shfl_xor_sync(unsigned m, double v, int d) { return __shfl_xor_sync(m, __double2loint(v), d); }
__global__ void k(double *o, float *f) { o[0] = __shfl_down(o[0], 1); f[0] = __shfl_down(f[1], 2); o[1] = __shfl_xor_sync(~0u, o[1], 1); }`, ast.CUDA,
			[]string{"p.s0 = sub_group_shuffle_down", "o[0] = __shfl_down(o[0], 1, 32)",
				"f[0] = sub_group_shuffle_down.float(f[1]", "return (double)(sub_group_shuffle_xor.int(",
				"o[1] = __shfl_xor_sync("}},
		{"of another precision", `__device__ double fmax(double a, int b) { return fmax(a, (double)b); }
__device__ long abs(long a) { return abs((int)a); }
__global__ void k(double *o, long *l) { o[0] = fmax(o[1], 3); l[0] = abs(l[1]); }`, ast.CUDA,
			[]string{"return fmax.double(a", "o[0] = fmax(o[1], 3)", "return (long)(abs.int(", "l[0] = abs(l[1])"}},
		{"rounding", `__device__ double __fadd_rn(double a, double b) { return __fadd_rn((float)a, (float)b); }
__global__ void k(double *o) { o[0] = __fadd_rn(o[1], o[2]); }`, ast.CUDA, []string{"o[0] = __fadd_rn(o[1], o[2])"}},
		{"overloadable", `__attribute__((overloadable)) float max(double2 a, float b) { return max((float)a.x, b); }
float __attribute__((overloadable)) fract(float x) { float i; return fract(x, &i); }
__kernel void k(__global float *o) { o[0] = max((double2)(1.0, o[1]), o[2]) + max(o[3], o[4]) + fract(o[5]); }`,
			ast.OpenCL,
			[]string{"return max.float(", "max.float(o[3], o[4])", "return fract.float(x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, err := Parse(Config{File: "k", Text: c.text, Dialect: c.dialect})
			if err != nil {
				t.Fatal(err)
			}
			got := u.String()
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
		})
	}
}

// TestArgumentsOfDialects: arguments that one language converts implicitly and the other does not (OpenCL C 6.2.1: a
// scalar becomes a vector; C++ has bool from pointers and no pointers from integers).
func TestArgumentsOfDialects(t *testing.T) {
	for _, c := range []struct {
		param, argument string
		opencl, cuda    bool
	}{
		{"float4", "1.0f", true, false}, {"float4", "x", true, false}, {"float4", "v", true, true}, {"float", "v", false, false},
		{"int4", "v", false, false}, {"float", "1", true, true},
	} {
		for _, d := range []ast.Dialect{ast.OpenCL, ast.CUDA} {
			function, kernel, want := "__attribute__((overloadable))", "__kernel void k(__global float *o", c.opencl
			if d == ast.CUDA {
				function, kernel, want = "__device__", "__global__ void k(float *o", c.cuda
			}
			text := function + " float f(" + c.param + " p) { return 1; }\n" + function +
				" float f(double3 p, int n) { return 2; }\n" + kernel + ", float4 v, float x) { o[0] = f(" + c.argument + "); }"
			if _, err := Parse(Config{File: "k", Text: text, Dialect: d}); (err == nil) != want {
				t.Errorf("%v: f(%s) for %s: %v, want accepted %t", d, c.argument, c.param, err, want)
			}
		}
	}
}

// TestBuiltinDeclaredAgain: a declaration of a function of the language without a body is of that function.
func TestBuiltinDeclaredAgain(t *testing.T) {
	u := mustParse(t, ast.CUDA, `extern __device__ __device_builtin__ void __syncthreads(void);
__global__ void k() { __syncthreads(); }`)
	if got := u.String(); !strings.Contains(got, "barrier.void(3u)") {
		t.Errorf("a builtin that is declared again gives\n%s", got)
	}
}
