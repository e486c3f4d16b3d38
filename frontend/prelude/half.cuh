#ifndef KL_HALF
#define KL_HALF
// What cuda_fp16.h and cuda_bf16.h have beside the types and functions that are built in: bits, and lanes of pairs.
#define KL_PAIRS(T, T2, name) \
  static inline __device__ T2 klPairOf(T low, T high, T2 r) { \
    r.x = low; \
    r.y = high; \
    return r; \
  } \
  static inline __device__ T2 __lowhigh2highlow(T2 a) { return klPairOf(a.y, a.x, a); } \
  static inline __device__ T2 __lows2##name(T2 a, T2 b) { return klPairOf(a.x, b.x, a); } \
  static inline __device__ T2 __highs2##name(T2 a, T2 b) { return klPairOf(a.y, b.y, a); } \
  static inline __device__ T2 __low2##name(T2 a) { return klPairOf(a.x, a.x, a); } \
  static inline __device__ T2 __high2##name(T2 a) { return klPairOf(a.y, a.y, a); }
#define KL_RAW(T, T2, raw, raw2, bits, value) \
  struct raw { \
    unsigned short x; \
    raw() = default; \
    constexpr __device__ raw(unsigned short x) : x(x) {} \
    __device__ raw(T v) : x(bits(v)) {} \
    __device__ operator T() const { return value(x); } \
  }; \
  struct raw2 { \
    unsigned short x, y; \
    raw2() = default; \
    constexpr __device__ raw2(unsigned short x, unsigned short y) : x(x), y(y) {} \
    __device__ raw2(T2 v) : x(bits(v.x)), y(bits(v.y)) {} \
    __device__ operator T2() const { \
      T2 r; \
      r.x = value(x); \
      r.y = value(y); \
      return r; \
    } \
  };
KL_PAIRS(half, half2, half2)
KL_PAIRS(__nv_bfloat16, __nv_bfloat162, bfloat162)
KL_RAW(half, half2, __half_raw, __half2_raw, __half_as_ushort, __ushort_as_half)
KL_RAW(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, __nv_bfloat162_raw, __bfloat16_as_ushort, __ushort_as_bfloat16)
#endif
