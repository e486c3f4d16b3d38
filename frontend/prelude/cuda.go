package prelude

import (
	"fmt"
	"strings"

	"gpupipe/frontend/encoding"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tensor"
)

// preludeCUDA is CUDA C's device language (CUDA C++ Programming Guide, C++
// language extensions) without what needs a C++ compiler.
var preludeCUDA = makePreludeCUDA()

// cudaConstants are the macros and types of CUDA's headers that device code
// uses, but those that depend on the GPU (architecture.go).
const cudaConstants = `#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#define __cplusplus 201703L
#define __x86_64__ 1
#define __linux__ 1
#define __unix__ 1
#define __LP64__ 1
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long ssize_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef half __half;
typedef half __nv_bfloat16;
typedef half nv_bfloat16;
typedef long clock_t;
#define cudaBoundaryModeZero 0
#define cudaBoundaryModeClamp 1
#define cudaBoundaryModeTrap 2
typedef struct cudaExtent { size_t width, height, depth; } cudaExtent;
typedef struct cudaPos { size_t x, y, z; } cudaPos;
typedef int cudaError_t;
typedef unsigned long cudaGraphConditionalHandle;
#define nullptr ((void *)0)
#define constexpr const
#define consteval const
#define auto __kl_auto
typedef int __kl_auto;
typedef int __kl_braces;
#define __global__ __attribute__((kl_kernel))
#define __device__ __attribute__((kl_device))
#define __managed__ __attribute__((kl_managed))
#define __host__
#define __grid_constant__
#define __noinline__
#define __forceinline__ inline
#define __launch_bounds__(...) __attribute__((kl_launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)
#define __block_size__(size, ...) __attribute__((reqd_work_group_size size))
#define __align__(n) __attribute__((aligned(n)))
#define alignas(n) __attribute__((aligned(n)))
#define alignof _Alignof
#define static_assert(...)
#define noexcept
#define typename
#define thread_local
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define INT64_MAX LONG_MAX
#define INT64_MIN LONG_MIN
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX UINT_MAX
#define UINT64_MAX ULONG_MAX
#define LLONG_MAX LONG_MAX
#define LLONG_MIN LONG_MIN
#define ULLONG_MAX ULONG_MAX
#define SIZE_MAX ULONG_MAX
#define CUDART_INF_F INFINITY
#define CUDART_NAN_F NAN
#define CUDART_INF HUGE_VAL
#define CUDART_NAN (0.0 / 0.0)
#define CUDART_MAX_NORMAL_F FLT_MAX
#define CUDART_PI_F 3.141592654f
#define CUDART_PIO2_F 1.570796327f
#define CUDART_PIO4_F 0.785398163f
#define CUDART_2_OVER_PI_F 0.636619772f
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_L2E_F 1.442695041f
#define CUDART_LN2_F 0.693147181f
typedef struct dim3 { unsigned int x, y, z; } dim3;
#define __kl_dim3(...) __kl_dim3_(__VA_ARGS__, 1, 1)
#define __kl_dim3_(x, y, z, ...) ((dim3){x, y, z})
#define and &&
#define or ||
#define not !
#define bitand &
#define bitor |
#define compl ~
#define and_eq &=
#define or_eq |=
#define xor ^
#define xor_eq ^=
#define not_eq !=
#define INT8_C(n) n
#define UINT8_C(n) n
#define INT16_C(n) n
#define UINT16_C(n) n
#define INT64_C(n) n##L
#define UINT64_C(n) n##UL
#define INT32_C(n) n
#define UINT32_C(n) n##U
#define lround(x) ((long)round(x))
#define lroundf(x) ((long)roundf(x))
#define llround(x) ((long)round(x))
#define llroundf(x) ((long)roundf(x))
#define lrint(x) ((long)rint(x))
#define lrintf(x) ((long)rintf(x))
#define llrint(x) ((long)rint(x))
#define llrintf(x) ((long)rintf(x))
extern const dim3 threadIdx;
extern const dim3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
extern const int warpSize;
`

// cudaLibraryTypes are types of CUDA's libraries that kernels take, and the
// driver's names.
const cudaLibraryTypes = `typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cuComplex;
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;
typedef struct CUtensorMap { unsigned long __kl_words[16]; } __attribute__((aligned(64))) CUtensorMap;
`

// cudaVectorLens are the components that CUDA's vector types have; half has two.
var cudaVectorLens = []int{1, 2, 3, 4}

func makePreludeCUDA() string {
	var b strings.Builder
	b.WriteString(preludeBase)
	b.WriteString(preludeCommon)
	b.WriteString(cudaConstants)
	for _, t := range encoding.CUDAOpaque {
		fmt.Fprintf(&b, "typedef int %s;\n", t)
	}
	for _, t := range encoding.GroupTypes {
		fmt.Fprintf(&b, "typedef struct %s { unsigned int %s; } %s;\n", t, encoding.GroupMember, t)
	}
	asyncPrelude(&b)
	tensor.Prelude(&b)
	typedefVectors(&b, source.CUDA)
	b.WriteString(cudaLibraryTypes)
	defineQualifier(&b, "__shared__", encoding.QualLocal)
	defineQualifier(&b, "__constant__", encoding.QualConstant)
	defineQualifier(&b, encoding.MacroReference+" *", encoding.QualReference)
	return b.String()
}

// asyncPrelude declares the types.
func asyncPrelude(b *strings.Builder) {
	for _, t := range [][2]string{
		{encoding.TypeBarrier, "unsigned long " + encoding.AsyncMember}, {encoding.TypePipeline, "unsigned int " + encoding.AsyncMember}, {encoding.TypePipelineAll, "unsigned int " + encoding.AsyncMember},
		{encoding.TypePipelineState, "unsigned long " + encoding.AsyncMember + "[2]"}, {encoding.TypeAlignedSize, "unsigned long __kl_bytes, __kl_divisor"},
	} {
		b.WriteString("typedef struct " + t[0] + " { " + t[1] + "; } " + t[0] + ";\n")
	}
	b.WriteString("typedef unsigned long arrival_token;\n")
}
