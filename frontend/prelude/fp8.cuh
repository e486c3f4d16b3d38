#ifndef KL_FP8
#define KL_FP8
// Numbers of 8 bits (CUDA Math API, FP8 Intrinsics): what converts them is an instruction from compute capability
// 8.9 on.
#include <cuda_fp16.h>
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_SATFINITE = 1 }; // __NV_NOSAT has no instruction
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
#define KL_HOW __nv_saturation_t s, __nv_fp8_interpretation_t t
#if __CUDA_ARCH__ >= 890
#define KL_CVT(text, result, to, ...) asm(text : to(result) : __VA_ARGS__)
#else
#define KL_CVT(text, result, to, ...) cuda_fp8_in_software()
#endif
__device__ inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, KL_HOW) {
  unsigned short r = 0;
  if (t == __NV_E4M3) KL_CVT("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", r, "=h", "f"(x.y), "f"(x.x));
  else KL_CVT("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;", r, "=h", "f"(x.y), "f"(x.x));
  return r;
}
__device__ inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, KL_HOW) {
  return (__nv_fp8_storage_t)__nv_cvt_float2_to_fp8x2(make_float2(x, 0), s, t);
}
__device__ inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, KL_HOW) {
  return __nv_cvt_float_to_fp8((float)x, s, t);
}
__device__ inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, KL_HOW) {
  return __nv_cvt_float2_to_fp8x2(make_float2((float)x.x, (float)x.y), s, t);
}
__device__ inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, KL_HOW) {
  unsigned short r = 0;
  unsigned both = x.x | (unsigned)x.y << 16;
  if (t == __NV_E4M3) KL_CVT("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;", r, "=h", "r"(both));
  else KL_CVT("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;", r, "=h", "r"(both));
  return r;
}
__device__ inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, KL_HOW) {
  return (__nv_fp8_storage_t)__nv_cvt_halfraw2_to_fp8x2(__half2_raw(x.x, 0), s, t);
}
__device__ inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, KL_HOW) {
  return __nv_cvt_float_to_fp8(__uint_as_float((unsigned)x.x << 16), s, t);
}
__device__ inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, KL_HOW) {
  float2 both = make_float2(__uint_as_float((unsigned)x.x << 16), __uint_as_float((unsigned)x.y << 16));
  return __nv_cvt_float2_to_fp8x2(both, s, t);
}
__device__ inline half2 klHalvesOfFp8(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t t) {
  half2 r;
  if (t == __NV_E4M3) KL_CVT("cvt.rn.f16x2.e4m3x2 %0, %1;", (unsigned &)r, "=r", "h"(x));
  else KL_CVT("cvt.rn.f16x2.e5m2x2 %0, %1;", (unsigned &)r, "=r", "h"(x));
  return r;
}
__device__ inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t t) {
  return __half2_raw(klHalvesOfFp8(x, t));
}
__device__ inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t t) {
  return __half_raw(__nv_cvt_fp8x2_to_halfraw2(x, t).x);
}
#define KL_FP8_OF(name, kind) \
  struct name { \
    __nv_fp8_storage_t __x; \
    name() = default; \
    explicit __device__ name(float x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, kind)) {} \
    explicit __device__ name(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind)) {} \
    explicit __device__ name(half x) : __x(__nv_cvt_halfraw_to_fp8(__half_raw(x), __NV_SATFINITE, kind)) {} \
    explicit __device__ name(__nv_bfloat16 x) : \
      __x(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw(x), __NV_SATFINITE, kind)) {} \
    explicit __device__ name(int x) : __x(__nv_cvt_float_to_fp8((float)x, __NV_SATFINITE, kind)) {} \
    explicit __device__ operator half() const { return klHalvesOfFp8(__x, kind).x; } \
    explicit __device__ operator float() const { return __half2float(klHalvesOfFp8(__x, kind).x); } \
    explicit __device__ operator double() const { return float(*this); } \
    explicit __device__ operator __nv_bfloat16() const { return __float2bfloat16(float(*this)); } \
  };
#define KL_FP8_PAIR_OF(name, kind) \
  struct alignas(2) name { \
    __nv_fp8x2_storage_t __x; \
    name() = default; \
    explicit __device__ name(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind)) {} \
    explicit __device__ name(double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, kind)) {} \
    explicit __device__ name(half2 x) : __x(__nv_cvt_halfraw2_to_fp8x2(__half2_raw(x), __NV_SATFINITE, kind)) {} \
    explicit __device__ operator half2() const { return klHalvesOfFp8(__x, kind); } \
    explicit __device__ operator float2() const { return __half22float2(half2(*this)); } \
  };
#define KL_FP8_FOUR_OF(name, pair, kind) \
  struct alignas(4) name { \
    __nv_fp8x4_storage_t __x; \
    name() = default; \
    explicit __device__ name(float4 x) : __x(pair(make_float2(x.x, x.y)).__x | \
      (unsigned)pair(make_float2(x.z, x.w)).__x << 16) {} \
    explicit __device__ name(half2 low, half2 high) : __x(pair(low).__x | (unsigned)pair(high).__x << 16) {} \
    explicit __device__ operator float4() const { \
      pair low, high; \
      low.__x = (unsigned short)__x; \
      high.__x = (unsigned short)(__x >> 16); \
      float2 a = float2(low), b = float2(high); \
      return make_float4(a.x, a.y, b.x, b.y); \
    } \
  };
KL_FP8_OF(__nv_fp8_e4m3, __NV_E4M3)
KL_FP8_OF(__nv_fp8_e5m2, __NV_E5M2)
KL_FP8_PAIR_OF(__nv_fp8x2_e4m3, __NV_E4M3)
KL_FP8_PAIR_OF(__nv_fp8x2_e5m2, __NV_E5M2)
KL_FP8_FOUR_OF(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3, __NV_E4M3)
KL_FP8_FOUR_OF(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2, __NV_E5M2)
#endif
