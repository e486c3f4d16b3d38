#ifndef KL_FP8
#define KL_FP8
// Numbers of 8 bits (CUDA Math API, FP8 Intrinsics): an instruction converts them from compute capability 8.9 on, before
// that operations on the bits of a double.
#include <cuda_fp16.h>
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_SATFINITE = 1 }; // __NV_NOSAT has no instruction
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
#define KL_HOW __nv_saturation_t s, __nv_fp8_interpretation_t t
#if __CUDA_ARCH__ >= 890
#define KL_CVT(text, result, to, software, ...) asm(text : to(result) : __VA_ARGS__)
#else
#define KL_CVT(text, result, to, software, ...) result = software
// To the nearest, ties to even; what is too large becomes the largest (OCP 8-bit Floating Point Specification, 5).
__device__ inline __nv_fp8_storage_t klFp8OfDouble(double x, __nv_fp8_interpretation_t t) {
  const int m = t == __NV_E4M3 ? 3 : 2, bias = t == __NV_E4M3 ? 7 : 15;
  const unsigned long long one = 1ull << 52, half = one >> (m + 1), infinity = 0x7ffull << 52;
  const unsigned long long most = t == __NV_E4M3 ? 0x407c000000000000ull : 0x40ec000000000000ull;
  unsigned long long bits = __double_as_longlong(x), a = bits & ~(1ull << 63);
  int exponent = (int)(a >> 52) - 1023 + bias;
  unsigned r = (unsigned)(a >> (52 - m)) & ((1u << m) - 1);
  if (a > infinity) r = 0x7f;
  else if (a > most) r = t == __NV_E4M3 ? 0x7e : 0x7b;
  else if (exponent < -m) r = 0;
  else {
    unsigned long long tie = half, rest = a;
    if (exponent > 0) r |= (unsigned)exponent << m;
    else {
      r = (r | 1u << m) >> (1 - exponent);
      tie <<= 1 - exponent;
      rest = a & (one - 1) | one;
    }
    rest &= 2 * tie - 1;
    r += rest > tie || rest == tie && (r & 1);
  }
  return (__nv_fp8_storage_t)(r | (unsigned)(bits >> 63) << 7);
}
__device__ inline unsigned klHalfOfFp8(unsigned x, __nv_fp8_interpretation_t t) {
  unsigned bits = (x & 0x7f) << (t == __NV_E4M3 ? 7 : 8), sign = (x & 0x80) << 8;
  if (t == __NV_E5M2) return bits | sign;
  if (bits == 0x3f80) return 0x7fff;
  if (bits == 0) return sign;
  unsigned up = bits < 0x400 ? __clz(bits) - 21 : 0; // a number without the leading 1 gets one
  return (bits << up) + 0x2000 - (up << 10) | sign;
}
__device__ inline unsigned klHalvesOf(unsigned x, __nv_fp8_interpretation_t t) {
  return klHalfOfFp8(x, t) | klHalfOfFp8(x >> 8, t) << 16;
}
__device__ inline unsigned short klPairOfFloats(float2 x, __nv_fp8_interpretation_t t) {
  return klFp8OfDouble(x.x, t) | klFp8OfDouble(x.y, t) << 8;
}
#endif
__device__ inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, KL_HOW) {
  unsigned short r = 0;
  if (t == __NV_E4M3) KL_CVT("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", r, "=h", klPairOfFloats(x, t), "f"(x.y), "f"(x.x));
  else KL_CVT("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;", r, "=h", klPairOfFloats(x, t), "f"(x.y), "f"(x.x));
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
  float2 floats = __half22float2((half2 &)both);
  if (t == __NV_E4M3) KL_CVT("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;", r, "=h", klPairOfFloats(floats, t), "r"(both));
  else KL_CVT("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;", r, "=h", klPairOfFloats(floats, t), "r"(both));
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
  if (t == __NV_E4M3) KL_CVT("cvt.rn.f16x2.e4m3x2 %0, %1;", (unsigned &)r, "=r", klHalvesOf(x, t), "h"(x));
  else KL_CVT("cvt.rn.f16x2.e5m2x2 %0, %1;", (unsigned &)r, "=r", klHalvesOf(x, t), "h"(x));
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
