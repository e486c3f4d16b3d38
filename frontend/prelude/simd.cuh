// CUDA's functions on two half words or four bytes of a word (CUDA Math API, SIMD Intrinsics), which no instruction has
// since Maxwell: carries are kept within the lanes (Lamport, "Multiple byte processing with full-word instructions",
// 1975; Warren, "Hacker's Delight", 2-18). H is the highest bit of each lane, L the lowest one, S how far they are
// apart, and LANES selects of prmt the sign of each lane.
__device__ inline unsigned klPermuted(unsigned x, unsigned y, unsigned selector) {
  unsigned r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(selector));
  return r;
}
__device__ inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s) { return klPermuted(x, y, s & 0x7777); }
__device__ inline unsigned __vadd2(unsigned a, unsigned b) {
  unsigned sum = a + b;
  return sum - ((a ^ b ^ sum) & 0x10000);
}
__device__ inline unsigned __vsub2(unsigned a, unsigned b) {
  unsigned difference = a - b;
  return difference + ((a ^ b ^ difference) & 0x10000);
}
__device__ inline unsigned __vneg2(unsigned a) { return __vsub2(0, a); }
__device__ inline unsigned __vadd4(unsigned a, unsigned b) {
  return ((a & 0x7f7f7f7f) + (b & 0x7f7f7f7f)) ^ ((a ^ b) & 0x80808080);
}
__device__ inline unsigned __vsub4(unsigned a, unsigned b) {
  return ((a | 0x80808080) - (b & 0x7f7f7f7f)) ^ (~(a ^ b) & 0x80808080);
}
__device__ inline unsigned __vneg4(unsigned a) { return (0x80808080 - (a & 0x7f7f7f7f)) ^ (~a & 0x80808080); }
#define KL_COMPARE(N, H, S, name, signs) \
  __device__ inline unsigned __vcmp##name##N(unsigned a, unsigned b) { return klMask##N(signs); } \
  __device__ inline unsigned __vset##name##N(unsigned a, unsigned b) { return ((signs) & H) >> S; }
#define KL_LANES(N, H, L, S, LANES) \
  __device__ inline unsigned klMask##N(unsigned x) { return klPermuted(x, 0, LANES); } \
  __device__ inline unsigned klGtu##N(unsigned a, unsigned b) { return (a & ~b) + ((~(a ^ b) & ~L) >> 1); } \
  __device__ inline unsigned klGeu##N(unsigned a, unsigned b) { return (a | ~b) - ((~(a ^ b) & ~L) >> 1); } \
  __device__ inline unsigned klGes##N(unsigned a, unsigned b) { \
    unsigned low = (a | H) - (b & ~H); \
    return (~(a ^ b) & low) | (~a & b); \
  } \
  __device__ inline unsigned klDiffer##N(unsigned a, unsigned b) { \
    unsigned c = a ^ b; \
    return ((c | H) - L) | c; \
  } \
  __device__ inline unsigned __vabs##N(unsigned a) { \
    unsigned m = klMask##N(a); \
    return (a ^ m) + (m & L); \
  } \
  __device__ inline unsigned __vabsss##N(unsigned a) { \
    unsigned x = __vabs##N(a); \
    return x - (klMask##N(x) & L); \
  } \
  __device__ inline unsigned __vavgu##N(unsigned a, unsigned b) { return (a | b) - (((a ^ b) & ~L) >> 1); } \
  __device__ inline unsigned __vhaddu##N(unsigned a, unsigned b) { return (a & b) + (((a ^ b) & ~L) >> 1); } \
  KL_COMPARE(N, H, S, eq, ~klDiffer##N(a, b)) \
  KL_COMPARE(N, H, S, ne, klDiffer##N(a, b)) \
  KL_COMPARE(N, H, S, gtu, klGtu##N(a, b)) \
  KL_COMPARE(N, H, S, ltu, klGtu##N(b, a)) \
  KL_COMPARE(N, H, S, geu, klGeu##N(a, b)) \
  KL_COMPARE(N, H, S, leu, klGeu##N(b, a)) \
  KL_COMPARE(N, H, S, ges, klGes##N(a, b)) \
  KL_COMPARE(N, H, S, les, klGes##N(b, a)) \
  KL_COMPARE(N, H, S, gts, ~klGes##N(b, a)) \
  KL_COMPARE(N, H, S, lts, ~klGes##N(a, b)) \
  __device__ inline unsigned klSelect##N(unsigned signs, unsigned a, unsigned b) { \
    unsigned m = klMask##N(signs); \
    return (a & m) | (b & ~m); \
  } \
  __device__ inline unsigned __vmaxu##N(unsigned a, unsigned b) { return klSelect##N(klGeu##N(a, b), a, b); } \
  __device__ inline unsigned __vminu##N(unsigned a, unsigned b) { return klSelect##N(klGeu##N(b, a), a, b); } \
  __device__ inline unsigned __vmaxs##N(unsigned a, unsigned b) { return klSelect##N(klGes##N(a, b), a, b); } \
  __device__ inline unsigned __vmins##N(unsigned a, unsigned b) { return klSelect##N(klGes##N(b, a), a, b); } \
  __device__ inline unsigned __vaddus##N(unsigned a, unsigned b) { \
    unsigned low = (a & ~H) + (b & ~H); \
    return (low ^ ((a ^ b) & H)) | klMask##N((a & b) | ((a ^ b) & low)); \
  } \
  __device__ inline unsigned __vsubus##N(unsigned a, unsigned b) { \
    unsigned low = (a | H) - (b & ~H); \
    return (low ^ (~(a ^ b) & H)) & klMask##N((a & ~b) | (~(a ^ b) & low)); \
  } \
  __device__ inline unsigned klLimit##N(unsigned a) { return klMask##N(a) ^ ~H; } \
  __device__ inline unsigned __vaddss##N(unsigned a, unsigned b) { \
    unsigned sum = __vadd##N(a, b); \
    return klSelect##N(~(a ^ b) & (a ^ sum), klLimit##N(a), sum); \
  } \
  __device__ inline unsigned __vsubss##N(unsigned a, unsigned b) { \
    unsigned difference = __vsub##N(a, b); \
    return klSelect##N((a ^ b) & (a ^ difference), klLimit##N(a), difference); \
  } \
  __device__ inline unsigned __vnegss##N(unsigned a) { \
    unsigned x = __vneg##N(a); \
    return x - ((a & x & H) >> S); \
  }
KL_LANES(2, 0x80008000, 0x10001, 15, 0xbb99)
KL_LANES(4, 0x80808080, 0x1010101, 7, 0xba98)
#undef KL_COMPARE
#undef KL_LANES

// Products of four bytes, given as vectors; lengths of vectors, by the root of the sum of squares.
__device__ inline int __dp4a(char4 a, char4 b, int c) { return __dp4a((int &)a, (int &)b, c); }
__device__ inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) { return __dp4a((unsigned &)a, (unsigned &)b, c); }
#define KL_NORMS(T, f) \
__device__ inline T norm3d##f(T a, T b, T c) { return sqrt##f(a * a + b * b + c * c); } \
__device__ inline T norm4d##f(T a, T b, T c, T d) { return sqrt##f(a * a + b * b + c * c + d * d); } \
__device__ inline T rhypot##f(T a, T b) { return rsqrt##f(a * a + b * b); } \
__device__ inline T rnorm3d##f(T a, T b, T c) { return rsqrt##f(a * a + b * b + c * c); } \
__device__ inline T rnorm4d##f(T a, T b, T c, T d) { return rsqrt##f(a * a + b * b + c * c + d * d); }
KL_NORMS(float, f)
KL_NORMS(double, )
#undef KL_NORMS

// Copies and fillings of memory whose size is not a small constant: loops over bytes, as NVPTX's LowerAggrCopies makes.
__device__ inline void *klCopyBytes(void *to, const void *from, size_t n) {
  for (size_t i = 0; i < n; i++) ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
  return to;
}
__device__ inline void *klSetBytes(void *to, int value, size_t n) {
  for (size_t i = 0; i < n; i++) ((unsigned char *)to)[i] = (unsigned char)value;
  return to;
}
