// Fragments of matrices (CUDA C++ Programming Guide, Warp Matrix Functions). Package tensor writes the types.
#ifndef KL_WMMA
#define KL_WMMA
namespace nvcuda {
namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}
}
enum layout_t { mem_row_major, mem_col_major };
template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
  static_assert(M < 0, "a fragment of this shape or type is not supported: half, __nv_bfloat16, signed and unsigned char "
    "with 16x16x16, 32x8x16 or 8x32x16, precision::tf32 with 16x16x8 and double with 8x8x4 are");
};
KL_FRAGMENTS
__device__ inline float __float_to_tf32(float x) {
  unsigned int bits = __float_as_uint(x);
  bits = fabsf(x) < INFINITY ? bits + 0x1000u : bits;
  return __uint_as_float(bits & 0xffffe000u);
}

template <class Use, int M, int N, int K, class T, class L>
__device__ void fill_fragment(fragment<Use, M, N, K, T, L> &f, const typename fragment<Use, M, N, K, T, L>::element_type &x) {
  typename fragment<Use, M, N, K, T, L>::part *part = &f;
  __kl_fill_fragment(part, x);
}
template <class Use, int M, int N, int K, class T, class L>
__device__ void load_matrix_sync(fragment<Use, M, N, K, T, L> &f, const typename fragment<Use, M, N, K, T, L>::element_type *p, unsigned ldm) {
  static_assert(!std::is_same<Use, accumulator>::value, "the layout of an accumulator in memory is needed: mem_row_major or mem_col_major");
  typename fragment<Use, M, N, K, T, L>::part *part = &f;
  __kl_load_fragment(part, p, ldm, 0);
}
template <int M, int N, int K, class T>
__device__ void load_matrix_sync(fragment<accumulator, M, N, K, T, void> &f, const T *p, unsigned ldm, layout_t layout) {
  typename fragment<accumulator, M, N, K, T, void>::part *part = &f;
  if (layout == mem_row_major) __kl_load_fragment(part, p, ldm, 0);
  else __kl_load_fragment(part, p, ldm, 1);
}
template <int M, int N, int K, class T>
__device__ void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T, void> &f, unsigned ldm, layout_t layout) {
  const typename fragment<accumulator, M, N, K, T, void>::part *part = &f;
  if (layout == mem_row_major) __kl_store_fragment(part, p, ldm, 0);
  else __kl_store_fragment(part, p, ldm, 1);
}
template <int M, int N, int K, class D, class A, class B, class LA, class LB, class C>
__device__ void mma_sync(fragment<accumulator, M, N, K, D, void> &d, const fragment<matrix_a, M, N, K, A, LA> &a, const fragment<matrix_b, M, N, K, B, LB> &b,
                         const fragment<accumulator, M, N, K, C, void> &c, bool saturate = false) {
  typename fragment<accumulator, M, N, K, D, void>::part *pd = &d;
  const typename fragment<matrix_a, M, N, K, A, LA>::part *pa = &a;
  const typename fragment<matrix_b, M, N, K, B, LB>::part *pb = &b;
  const typename fragment<accumulator, M, N, K, C, void>::part *pc = &c;
  __kl_multiply_fragments(pd, pa, pb, pc);
}
}
}
#endif
