// What clang for AMD's GPUs needs of CUDA; the others have it.
#if defined(__HIP__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
struct index3 { unsigned x, y, z; };
#define INDEX3(r) (index3{__builtin_amdgcn_##r##_x(), __builtin_amdgcn_##r##_y(), __builtin_amdgcn_##r##_z()})
#define threadIdx INDEX3(workitem_id)
#define blockIdx INDEX3(workgroup_id)
#define blockDim INDEX3(workgroup_size)
#define gridDim INDEX3(grid_size)
#define FENCE(order) __builtin_amdgcn_fence(order, "workgroup")
#define __syncthreads() do { FENCE(__ATOMIC_RELEASE); __builtin_amdgcn_s_barrier(); FENCE(__ATOMIC_ACQUIRE); } while (0)
__device__ static inline float fabsf(float x) { return __builtin_fabsf(x); }
__device__ static inline float sqrtf(float x) { return __builtin_sqrtf(x); }
__device__ static inline float sinf(float x) { return __builtin_amdgcn_sinf(x * 0.15915494f); }
__device__ static inline float expf(float x) { return __builtin_amdgcn_ldexpf(x, 1); }
__device__ static inline float logf(float x) { return __builtin_amdgcn_rcpf(x); }
__device__ static inline float rsqrtf(float x) { return __builtin_amdgcn_rsqf(x); }
__device__ static inline float powf(float x, float y) { return __builtin_amdgcn_rcpf(x * y); }
__device__ static inline float tanhf(float x) { return __builtin_amdgcn_rcpf(x); }
__device__ static inline float __expf(float x) { return __builtin_amdgcn_rcpf(x); }
__device__ static inline float other(float x)
{
    return __builtin_bit_cast(float, __builtin_amdgcn_ds_bpermute(0, __builtin_bit_cast(int, x)));
}
__device__ static inline float __shfl_xor_sync(unsigned, float x, int) { return other(x); }
__device__ static inline float __shfl_down_sync(unsigned, float x, int) { return other(x); }
__device__ static inline void atomicAdd(float *p, float x) { __atomic_fetch_add((int *)p, (int)x, __ATOMIC_RELAXED); }
#endif
