#ifndef KL_COMPLEX
#define KL_COMPLEX
// What kernels use of cuComplex.h, with its scaling against overflow.
template <class T, class V> struct klComplex {
  static __device__ V of(T re, T im) {
    V z;
    z.x = re;
    z.y = im;
    return z;
  }
  static __device__ V product(V a, V b) { return of(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
  static __device__ V quotient(V a, V b) {
    T scale = T(1) / (std::fabs(b.x) + std::fabs(b.y));
    V p = of(a.x * scale, a.y * scale), q = of(b.x * scale, b.y * scale);
    T norm = T(1) / (q.x * q.x + q.y * q.y);
    return of((p.x * q.x + p.y * q.y) * norm, (p.y * q.x - p.x * q.y) * norm);
  }
  static __device__ T magnitude(V a) {
    T re = std::fabs(a.x), im = std::fabs(a.y), large, small;
    if (re > im) {
      large = re;
      small = im;
    } else {
      large = im;
      small = re;
    }
    T ratio = small / large, most = std::numeric_limits<T>::max();
    T size = large * std::sqrt(T(1) + ratio * ratio);
    if (large == T(0) || large > most || small > most) size = re + im;
    return size;
  }
  static __device__ V fused(V a, V b, V c) {
    T re = a.x * b.x + c.x, im = a.x * b.y + c.y;
    return of(re - a.y * b.y, im + a.y * b.x);
  }
};
#define KL_FUNCTIONS(T, V, suffix)                                                                  \
  __device__ inline T cuCreal##suffix(V a) { return a.x; }                                          \
  __device__ inline T cuCimag##suffix(V a) { return a.y; }                                          \
  __device__ inline V cuConj##suffix(V a) { return klComplex<T, V>::of(a.x, -a.y); }                \
  __device__ inline V cuCadd##suffix(V a, V b) { return klComplex<T, V>::of(a.x + b.x, a.y + b.y); } \
  __device__ inline V cuCsub##suffix(V a, V b) { return klComplex<T, V>::of(a.x - b.x, a.y - b.y); } \
  __device__ inline V cuCmul##suffix(V a, V b) { return klComplex<T, V>::product(a, b); }           \
  __device__ inline V cuCdiv##suffix(V a, V b) { return klComplex<T, V>::quotient(a, b); }          \
  __device__ inline T cuCabs##suffix(V a) { return klComplex<T, V>::magnitude(a); }                 \
  __device__ inline V cuCfma##suffix(V a, V b, V c) { return klComplex<T, V>::fused(a, b, c); }
KL_FUNCTIONS(float, float2, f)
KL_FUNCTIONS(double, double2, )
__device__ inline float2 make_cuFloatComplex(float re, float im) { return klComplex<float, float2>::of(re, im); }
__device__ inline float2 make_cuComplex(float re, float im) { return klComplex<float, float2>::of(re, im); }
__device__ inline double2 make_cuDoubleComplex(double re, double im) { return klComplex<double, double2>::of(re, im); }
__device__ inline double2 cuComplexFloatToDouble(float2 a) { return klComplex<double, double2>::of(a.x, a.y); }
__device__ inline float2 cuComplexDoubleToFloat(double2 a) { return klComplex<float, float2>::of((float)a.x, (float)a.y); }
#endif
