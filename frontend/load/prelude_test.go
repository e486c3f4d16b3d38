package load

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend/cxx"
	"gpupipe/frontend/encoding"
	"gpupipe/frontend/prelude"
	"gpupipe/frontend/source"

	"modernc.org/cc/v4"
)

// TestPrelude checks that every word of a language parses where it may stand.
func TestPrelude(t *testing.T) {
	var types strings.Builder
	for i, v := range prelude.VectorTypes(source.OpenCL) {
		fmt.Fprintf(&types, "%s v%d;\n", v, i)
	}
	for i, o := range encoding.OpenCLOpaque {
		fmt.Fprintf(&types, "typedef %s o%d;\n", o, i)
	}
	var cuda strings.Builder
	for i, v := range prelude.VectorTypes(source.CUDA) {
		fmt.Fprintf(&cuda, "__device__ %s v%d;\n", v, i)
	}
	for i, o := range append(encoding.CUDAOpaque, cxx.ScalarNames...) {
		fmt.Fprintf(&cuda, "typedef %s o%d;\n", o, i)
	}
	for _, c := range []struct {
		d    source.Dialect
		text string
	}{
		{source.OpenCL, types.String()},
		{source.OpenCL, "kernel void k(global float *a, local int *b, constant uchar *c, __private int *d, read_only image2d_t e, write_only image3d_t f, sampler_t s) { local float t[4]; private int p; size_t n = get_global_id(0); }"},
		{source.OpenCL, "__kernel_exec(8, float4) void k(void) {}"},
		{source.OpenCL, "__kernel __attribute__((vec_type_hint(float4))) __attribute__((work_group_size_hint(8, 1, 1))) void k(__global const volatile uint *restrict a) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }"},
		{source.OpenCL, "float x = M_PI_F + FLT_MAX + INFINITY + NAN + MAXFLOAT; double y = M_PI + DBL_MAX; int z = INT_MAX + CHAR_BIT + CLK_FILTER_LINEAR; void *p = NULL; bool b = true;"},
		{source.OpenCL, "#if __OPENCL_VERSION__ < 120 || !defined(cl_khr_fp64) || !defined(CL_VERSION_1_2)\n#error\n#endif\n"},
		{source.OpenCL, "typedef unsigned int uint; typedef unsigned char uchar; typedef struct { float x, y; } float2;"},
		{source.OpenCL, "void f(float4 a) { float4 b = (float4)(a.xy, 1.0f, 2.0f); b.s0123 = a.wzyx; b = (float4)(1, 2, 3, 4).xyzw; }"},
		{source.CUDA, cuda.String()},
		{source.CUDA, "__global__ void k() { int i = threadIdx.x + blockIdx.y * blockDim.z + gridDim.x + warpSize; dim3 d; __syncthreads(); float4 v = make_float4(1, 2, 3, 4); }"},
		{source.CUDA, "__device__ __forceinline__ float f(const float *__restrict__ p) { return p[0] + CUDART_PI_F + INFINITY; }\n__device__ __noinline__ void g() {}\n__managed__ int m;\nstatic __device__ int s;"},
		{source.CUDA, "#if __CUDA_ARCH__ < 700 || !defined(__CUDACC__) || !defined(__cplusplus)\n#error\n#endif\n"},
		{source.CUDA, "typedef unsigned int uint; typedef unsigned long long uint64; struct alignas(8) P { int x, y; };"},
	} {
		if _, err := parse(&Config{File: "k", Text: c.text, Dialect: c.d}); err != nil {
			t.Errorf("%v: %v\n%s", c.d, err, c.text)
		}
	}
}

// TestAttributes checks that every attribute of a kernel reaches the tree, with
// all of its values, which cc alone does not see to.
func TestAttributes(t *testing.T) {
	for _, c := range []struct {
		d          source.Dialect
		text, want string
	}{
		{source.OpenCL, "__kernel __attribute__((reqd_work_group_size(8, 4, 2))) void k(void) {}", "kl_kernel reqd_work_group_size(8,4,2)"},
		{source.OpenCL, "__attribute__((a, reqd_work_group_size(B, B, 1), b, c)) __kernel void k(void) {}", "a reqd_work_group_size(16,16,1) b c kl_kernel"},
		{source.OpenCL, "#define KERNEL(x) __attribute__((reqd_work_group_size(x, 1, 1), a, b)) __kernel\nKERNEL(B) void k(void) {}", "reqd_work_group_size(16,1,1) a b kl_kernel"},
		{source.OpenCL, "__kernel void __attribute__((vec_type_hint(float4), work_group_size_hint(1,2,3)))\nk(void) {}", "kl_kernel kl_ignored work_group_size_hint(1,2,3)"},
		{source.CUDA, "__global__ void __launch_bounds__(B * 2, 4) k() {}", "kl_kernel kl_launch_bounds(16*2,4)"},
		{source.CUDA, "__host__ __device__ void k() {}", "kl_device"},
	} {
		p := parseTree(t, Config{File: "k", Text: c.text, Dialect: c.d, Defines: []string{"B=16"}})
		var got []string
		for tu := p.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
			if fd := tu.ExternalDeclaration.FunctionDefinition; fd != nil {
				values := encoding.AttributesOf(fd.DeclarationSpecifiers, nil)
				for _, v := range values {
					got = append(got, strings.ReplaceAll(cc.NodeSource(v), " ", ""))
					if encoding.AttributeNamed(values, v.Token.SrcStr()) == nil {
						t.Errorf("%s is not found", v.Token.SrcStr())
					}
				}
			}
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: got %s, want %s", c.text, g, c.want)
		}
	}
}

// TestQualifiers checks the encoding of address spaces in the tree.
func TestQualifiers(t *testing.T) {
	count := func(text, until string) (n int) {
		before, _, _ := strings.Cut(text, until)
		return strings.Count(before, "_Nonnull")
	}
	for _, c := range []struct {
		d    source.Dialect
		text string
		want int
	}{
		{source.OpenCL, "__global int *x;", encoding.QualGlobal}, {source.OpenCL, "local int *x;", encoding.QualLocal}, {source.OpenCL, "constant int x = 1;", encoding.QualConstant},
		{source.OpenCL, "__private int *x;", encoding.QualPrivate}, {source.OpenCL, "typedef read_only image2d_t x;", encoding.QualReadOnly}, {source.OpenCL, "typedef __write_only image2d_t x;", encoding.QualWriteOnly},
		{source.OpenCL, "typedef read_write image2d_t x;", encoding.QualReadWrite}, {source.OpenCL, "int * __local x;", encoding.QualLocal},
		{source.CUDA, "__shared__ int x;", encoding.QualLocal}, {source.CUDA, "__constant__ int x;", encoding.QualConstant}, {source.CUDA, "__device__ void x(int &r);", 0},
	} {
		p := parseTree(t, Config{File: "k", Text: c.text, Dialect: c.d})
		var b strings.Builder
		for _, tok := range userTokens(p) {
			b.WriteString(tok.SrcStr() + " ")
		}
		if got := count(b.String(), "x "); got != c.want {
			t.Errorf("%s: %d qualifiers, want %d: %s", c.text, got, c.want, b.String())
		}
	}
}
