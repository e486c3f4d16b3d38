// The macros of HIP's platforms: on NVIDIA's nvcc's stay, on AMD's clang says what the device can do (HIP's documentation,
// Feature macros), and operations rounded to nearest are C's (amd_device_functions.h).
#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H
#ifdef KL_NVIDIA
#define __HIPCC__ 1
#define __HIP_PLATFORM_NVIDIA__ 1
#define __HIP_PLATFORM_NVCC__ 1
#define __HIP_DEVICE_COMPILE__ 1
#else
#undef __CUDACC__
#undef __NVCC__
#undef __CUDA_ARCH__
#undef __CUDACC_VER_MAJOR__
#undef __CUDACC_VER_MINOR__
#undef CUDART_VERSION
#undef CUDA_VERSION
#define __HIP__ 1
#define __HIPCC__ 1
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1
#define __HIP_DEVICE_COMPILE__ 1
#define __AMDGCN__ 1
#define __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__ (1)
#define __HIP_ARCH_HAS_GLOBAL_FLOAT_ATOMIC_EXCH__ (1)
#define __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__ (1)
#define __HIP_ARCH_HAS_SHARED_FLOAT_ATOMIC_EXCH__ (1)
#define __HIP_ARCH_HAS_FLOAT_ATOMIC_ADD__ (1)
#define __HIP_ARCH_HAS_GLOBAL_INT64_ATOMICS__ (1)
#define __HIP_ARCH_HAS_SHARED_INT64_ATOMICS__ (1)
#define __HIP_ARCH_HAS_DOUBLES__ (1)
#define __HIP_ARCH_HAS_WARP_VOTE__ (1)
#define __HIP_ARCH_HAS_WARP_BALLOT__ (1)
#define __HIP_ARCH_HAS_WARP_SHUFFLE__ (1)
#define __HIP_ARCH_HAS_WARP_FUNNEL_SHIFT__ (0)
#define __HIP_ARCH_HAS_THREAD_FENCE_SYSTEM__ (1)
#define __HIP_ARCH_HAS_SYNC_THREAD_EXT__ (0)
#define __HIP_ARCH_HAS_SURFACE_FUNCS__ (0)
#define __HIP_ARCH_HAS_3DGRID__ (1)
#define __HIP_ARCH_HAS_DYNAMIC_PARALLEL__ (0)
#define __fadd_rn(x, y) ((float)(x) + (float)(y))
#define __fsub_rn(x, y) ((float)(x) - (float)(y))
#define __fmul_rn(x, y) ((float)(x) * (float)(y))
#define __dadd_rn(x, y) ((double)(x) + (double)(y))
#define __dsub_rn(x, y) ((double)(x) - (double)(y))
#define __dmul_rn(x, y) ((double)(x) * (double)(y))
#endif
// Names that both platforms know, and clang's for AMD's instructions.
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
#define __hip_bfloat16 __nv_bfloat16
#define hip_bfloat16 __nv_bfloat16
#define __hip_bfloat162 __nv_bfloat162
#define hipTextureObject_t cudaTextureObject_t
#define hipSurfaceObject_t cudaSurfaceObject_t
#define hipReadModeElementType cudaReadModeElementType
#define hipReadModeNormalizedFloat cudaReadModeNormalizedFloat
#define hipTextureReadMode cudaTextureReadMode
#define hipTextureType1D cudaTextureType1D
#define hipTextureType2D cudaTextureType2D
#define hipTextureType3D cudaTextureType3D
#define hipFloatComplex float2
#define hipComplex float2
#define hipDoubleComplex double2
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define unsafeAtomicAdd atomicAdd
#define safeAtomicAdd atomicAdd
#define __builtin_nontemporal_load(p) (*(p))
#define __builtin_nontemporal_store(v, p) (*(p) = (v))
#define __builtin_amdgcn_workitem_id_x() threadIdx.x
#define __builtin_amdgcn_workitem_id_y() threadIdx.y
#define __builtin_amdgcn_workitem_id_z() threadIdx.z
#define __builtin_amdgcn_workgroup_id_x() blockIdx.x
#define __builtin_amdgcn_workgroup_id_y() blockIdx.y
#define __builtin_amdgcn_workgroup_id_z() blockIdx.z
#define __builtin_amdgcn_s_barrier() __syncthreads()
#define __builtin_amdgcn_wave_barrier() __syncwarp()
#define __builtin_amdgcn_sched_barrier(mask) ((void)0)
#define __builtin_amdgcn_rsqf(x) __frsqrt_rn(x)
#define __builtin_amdgcn_sqrtf(x) __fsqrt_rn(x)
#endif
