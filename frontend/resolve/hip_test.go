package resolve

import (
	"gpupipe/frontend/ast"
	"strings"
	"testing"
	"testing/fstest"
)

// HIP's header need not be there: its names are known, and the macros tell programs
// that the compiler is not nvcc.
func TestHIPHeader(t *testing.T) {
	const body = `
#if !defined(__HIP_PLATFORM_AMD__) || !defined(__HIPCC__) || defined(__CUDACC__) || defined(__CUDA_ARCH__)
#error
#endif
__global__ void wave(float *out, const float *in, int n) {
  HIP_DYNAMIC_SHARED(float, part)
  int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x, stride = hipBlockDim_x * hipGridDim_x;
  part[threadIdx.x] = __builtin_amdgcn_rcpf(in[i]);
  __builtin_amdgcn_s_barrier();
  __builtin_nontemporal_store(__builtin_nontemporal_load(&in[i]), &out[i]);
  unsafeAtomicAdd(&out[__lane_id()], part[__builtin_amdgcn_workitem_id_x()] + __shfl_down(part[0], 1) + stride);
}
int main() { hipLaunchKernelGGL(wave, dim3(4), dim3(64), 256, 0, 0, 0, 4); }
`
	for _, include := range []string{"#include <hip/hip_runtime.h>", "#include \"hip/hip_runtime.h\"",
		"#include <hip/hip_runtime.h>\n#include \"hip/hip_runtime.h\""} {
		u, err := Parse(Config{File: "k.hip", Dialect: ast.CUDA, Text: include + body})
		if err != nil {
			t.Errorf("%s: %v", include, err)
			continue
		}
		if len(u.Kernels) != 1 || len(u.Warnings) > 0 {
			t.Errorf("%s: %d kernels, warnings %v", include, len(u.Kernels), u.Warnings)
		}
	}
	// In <> it is the one that is built in, which is said where there is another.
	fs := fstest.MapFS{"hip/hip_runtime.h": {Data: []byte("#define LANES 64\n")}}
	for _, c := range []struct {
		include, wrong string
		notes          int
	}{{`"hip/hip_runtime.h"`, "LANES != 64 || defined(__HIPCC__)", 0},
		{"<hip/hip_runtime.h>", "defined(LANES) || !defined(__HIPCC__)", 1}} {
		text := "#include " + c.include + "\n#if " + c.wrong + "\n#error\n#endif\n" +
			"__global__ void f(int *a) { a[0] = 1; }"
		u, err := Parse(Config{File: "k.hip", Dialect: ast.CUDA, FS: fs, IncludePaths: []string{"."}, Text: text})
		if err != nil {
			t.Errorf("%s: %v", c.include, err)
		} else if len(u.Warnings) != c.notes {
			t.Errorf("%s: %v", c.include, u.Warnings)
		}
	}
	// To OpenCL it is a header like any other.
	if _, err := Parse(Config{File: "k.cl", Dialect: ast.OpenCL, Text: "#include \"hip/hip_runtime.h\"\n" +
		"__kernel void f(__global int *a) { a[0] = 1; }"}); err == nil ||
		!strings.Contains(err.Error(), "cannot find") {
		t.Errorf("OpenCL: %v", err)
	}
}

// TestHIPBfloat16: HIP's bfloat16 is a type of its own.
func TestHIPBfloat16(t *testing.T) {
	u := mustParse(t, ast.CUDA, `#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
__global__ void k(__half *p) { p[threadIdx.x] = p[0] + p[1]; }
__global__ void k(__hip_bfloat16 *p) { __hip_bfloat162 *q = reinterpret_cast<__hip_bfloat162 *>(p); q[threadIdx.x] = __hadd2(q[0], q[1]); }
`)
	if len(u.Kernels) != 2 || len(u.Broken) > 0 {
		t.Errorf("kernels %v, broken %v", u.Kernels, u.Broken)
	}
}
