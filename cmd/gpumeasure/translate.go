package main

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/internal/generate"
)

// clamped is what the built-in kernels use that CUDA C has not.
const clamped = "static __device__ int clamp(int x, int least, int most) " +
	"{ return x < least ? least : x > most ? most : x; }\n"

// cudaWords are the words of the built-in kernels in CUDA C.
var cudaWords = strings.NewReplacer(
	"\nfloat ", "\n__device__ float ", // a function
	"#pragma unroll UNROLL", "enum { unrolled = UNROLL };\n#pragma unroll unrolled", // nvcc leaves macros in pragmas
	"__kernel ", `extern "C" __global__ `, "__global ", "", "__local const ", "const ", "__local ", "__shared__ ",
	"__constant ", "const ", "(float4)(", "make_float4(", "barrier(CLK_LOCAL_MEM_FENCE)", "__syncthreads()",
	"get_global_id(0)", "(int)(blockIdx.x * blockDim.x + threadIdx.x)",
	"get_global_id(1)", "(int)(blockIdx.y * blockDim.y + threadIdx.y)",
	"get_local_id(0)", "(int)threadIdx.x", "get_local_id(1)", "(int)threadIdx.y",
	"get_group_id(0)", "(int)blockIdx.x", "get_group_id(1)", "(int)blockIdx.y",
	"native_cos(", "__cosf(", "native_rsqrt(", "rsqrtf(", "as_int(", "__float_as_int(", "as_float(", "__int_as_float(",
	" rsqrt(", " rsqrtf(", " exp(", " expf(", " sqrt(", " sqrtf(", " log(", " logf(", " fabs(", " fabsf(", " cos(", " cosf(",
)

// inCUDA is a built-in kernel for devices that read CUDA C alone.
func inCUDA(s *generate.Source) *generate.Source {
	if s.Dialect == ast.CUDA {
		return s
	}
	twin := *s
	twin.File = strings.TrimSuffix(s.File, ".cl") + ".cu"
	twin.Dialect, twin.Text = ast.CUDA, clamped+"#line 1\n"+cudaWords.Replace(s.Text)
	return &twin
}
