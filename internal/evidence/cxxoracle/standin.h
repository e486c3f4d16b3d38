// CUDA's keywords and variables for a host compiler: one work item at a time.
#define __global__
#define __device__
#define __host__
#define __constant__
#define __shared__ static
#define __forceinline__ __attribute__((always_inline)) inline
#define __launch_bounds__(...)
struct uint3 { unsigned x, y, z; };
struct dim3 {
	unsigned x, y, z;
	constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
static uint3 threadIdx, blockIdx;
static const dim3 blockDim(8), gridDim(1);
static inline void __syncthreads() {}
extern "C" int printf(const char *, ...);
struct alignas(8) int2 { int x, y; };
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(16) float4 { float x, y, z, w; };
static inline int2 make_int2(int x, int y) { return {x, y}; }
