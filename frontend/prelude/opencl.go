package prelude

import (
	"fmt"
	"strings"

	"gpupipe/frontend/encoding"
	"gpupipe/frontend/source"
)

// preludeOpenCL is OpenCL C 1.2 (specification 6.1 types, 6.5 qualifiers,
// 6.12 constants) with the usual optional extensions.
var preludeOpenCL = makePreludeOpenCL()

// openCLConstants are the macros of the language (6.10, 6.12) and its
// extensions; the values of CLK_ constants are those of the Khronos headers.
const openCLConstants = `#define __OPENCL_VERSION__ 120
#define __OPENCL_C_VERSION__ 120
#define CL_VERSION_1_0 100
#define CL_VERSION_1_1 110
#define CL_VERSION_1_2 120
#define __ENDIAN_LITTLE__ 1
#define __IMAGE_SUPPORT__ 1
#define cl_khr_fp64 1
#define cl_khr_fp16 1
#define cl_khr_global_int32_base_atomics 1
#define cl_khr_global_int32_extended_atomics 1
#define cl_khr_local_int32_base_atomics 1
#define cl_khr_local_int32_extended_atomics 1
#define cl_khr_int64_base_atomics 1
#define cl_khr_int64_extended_atomics 1
#define cl_khr_byte_addressable_store 1
#define cl_khr_3d_image_writes 1
#define cl_nv_pragma_unroll 1
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef uint cl_mem_fence_flags;
typedef int memory_order;
typedef int memory_scope;
typedef volatile int atomic_int;
typedef volatile uint atomic_uint;
typedef volatile long atomic_long;
typedef volatile ulong atomic_ulong;
typedef volatile float atomic_float;
typedef volatile double atomic_double;
typedef volatile size_t atomic_size_t;
typedef volatile ptrdiff_t atomic_ptrdiff_t;
typedef volatile intptr_t atomic_intptr_t;
typedef volatile uintptr_t atomic_uintptr_t;
typedef volatile int atomic_flag;
#define ATOMIC_VAR_INIT(x) (x)
#define ATOMIC_FLAG_INIT 0
#define memory_order_relaxed 0
#define memory_order_acquire 2
#define memory_order_release 3
#define memory_order_acq_rel 4
#define memory_order_seq_cst 5
#define memory_scope_work_item 0
#define memory_scope_work_group 1
#define memory_scope_device 2
#define memory_scope_all_svm_devices 3
#define memory_scope_all_devices 3
#define memory_scope_sub_group 4
#define to_global(p) (p)
#define to_local(p) (p)
#define to_private(p) (p)
#define MAXFLOAT FLT_MAX
#define M_E_F 2.718281828459045f
#define M_LOG2E_F 1.442695040888963f
#define M_LOG10E_F 0.434294481903252f
#define M_LN2_F 0.693147180559945f
#define M_LN10_F 2.302585092994046f
#define M_PI_F 3.141592653589793f
#define M_PI_2_F 1.570796326794897f
#define M_PI_4_F 0.785398163397448f
#define M_1_PI_F 0.318309886183791f
#define M_2_PI_F 0.636619772367581f
#define M_2_SQRTPI_F 1.128379167095513f
#define M_SQRT2_F 1.414213562373095f
#define M_SQRT1_2_F 0.707106781186548f
#define FP_ILOGB0 INT_MIN
#define FP_ILOGBNAN INT_MAX
#define HALF_MAX ((half)65504.0f)
#define HALF_MIN ((half)6.103515625e-05f)
#define HALF_EPSILON ((half)9.765625e-04f)
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define CLK_IMAGE_MEM_FENCE 4
#define CLK_NORMALIZED_COORDS_FALSE 0
#define CLK_NORMALIZED_COORDS_TRUE 1
#define CLK_ADDRESS_NONE 0
#define CLK_ADDRESS_CLAMP_TO_EDGE 2
#define CLK_ADDRESS_CLAMP 4
#define CLK_ADDRESS_REPEAT 6
#define CLK_ADDRESS_MIRRORED_REPEAT 8
#define CLK_FILTER_NEAREST 0x10
#define CLK_FILTER_LINEAR 0x20
#define CLK_R 0x10B0
#define CLK_A 0x10B1
#define CLK_RG 0x10B2
#define CLK_RA 0x10B3
#define CLK_RGB 0x10B4
#define CLK_RGBA 0x10B5
#define CLK_BGRA 0x10B6
#define CLK_ARGB 0x10B7
#define CLK_INTENSITY 0x10B8
#define CLK_LUMINANCE 0x10B9
#define CLK_Rx 0x10BA
#define CLK_RGx 0x10BB
#define CLK_RGBx 0x10BC
#define CLK_DEPTH 0x10BD
#define CLK_sRGB 0x10BF
#define CLK_sRGBx 0x10C0
#define CLK_sRGBA 0x10C1
#define CLK_sBGRA 0x10C2
#define CLK_SNORM_INT8 0x10D0
#define CLK_SNORM_INT16 0x10D1
#define CLK_UNORM_INT8 0x10D2
#define CLK_UNORM_INT16 0x10D3
#define CLK_UNORM_SHORT_565 0x10D4
#define CLK_UNORM_SHORT_555 0x10D5
#define CLK_UNORM_INT_101010 0x10D6
#define CLK_SIGNED_INT8 0x10D7
#define CLK_SIGNED_INT16 0x10D8
#define CLK_SIGNED_INT32 0x10D9
#define CLK_UNSIGNED_INT8 0x10DA
#define CLK_UNSIGNED_INT16 0x10DB
#define CLK_UNSIGNED_INT32 0x10DC
#define CLK_HALF_FLOAT 0x10DD
#define CLK_FLOAT 0x10DE
#define vec_type_hint(...) kl_ignored
#define __vec_type_hint__(...) kl_ignored
#define __kernel __attribute__((kl_kernel))
#define kernel __attribute__((kl_kernel))
#define __kernel_exec(x, type) __attribute__((kl_kernel)) __attribute__((work_group_size_hint(x, 1, 1)))
#define kernel_exec(x, type) __kernel_exec(x, type)
`

// openCLVectorElems are the element types of vectors, openCLVectorLens their
// lengths (6.1.2).
var (
	openCLVectorElems = []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double", "bool"}
	openCLVectorLens  = []int{2, 3, 4, 8, 16}
)

func makePreludeOpenCL() string {
	var b strings.Builder
	b.WriteString(preludeBase)
	b.WriteString(preludeCommon)
	b.WriteString(openCLConstants)
	for _, t := range encoding.OpenCLOpaque {
		fmt.Fprintf(&b, "typedef int %s;\n", t)
	}
	typedefVectors(&b, source.OpenCL)
	for _, q := range []struct {
		keyword string
		n       int
	}{
		{"global", encoding.QualGlobal}, {"local", encoding.QualLocal}, {"constant", encoding.QualConstant}, {"private", encoding.QualPrivate},
		{"read_only", encoding.QualReadOnly}, {"write_only", encoding.QualWriteOnly}, {"read_write", encoding.QualReadWrite},
	} {
		defineQualifier(&b, q.keyword, q.n)
		defineQualifier(&b, "__"+q.keyword, q.n)
	}
	return b.String()
}
