// Barriers, pipelines and asynchronous copies of libcu++ and of cooperative groups (CUDA C++ Programming Guide, Asynchronous
// Barrier, Asynchronous Data Copies).
#ifndef KL_ASYNC
#define KL_ASYNC
#include <cooperative_groups.h>
#include <cuda/atomic>
namespace cuda {
// A size that N divides, as the addresses.
template <size_t N> struct aligned_size_t {
  static constexpr size_t align = N;
  size_t value;
  constexpr aligned_size_t(size_t n) : value(n) {}
  constexpr operator size_t() const { return value; }
};

template <thread_scope S = thread_scope_system> class barrier {
 public:
  unsigned long __state;
  using arrival_token = unsigned long;
  barrier() = default;
  __device__ barrier(ptrdiff_t n) : __state(n) { check(); }
  __device__ static void check() {
    if constexpr (S < thread_scope_block) cuda_barrier_of_groups();
  }
  __device__ arrival_token arrive(ptrdiff_t n = 1) {
    check();
    return __kl_arrive(&__state);
  }
  __device__ void wait(arrival_token token) { __kl_await(&__state, token); }
  __device__ void wait_parity(bool phase) { __kl_await_parity(&__state, phase); }
  __device__ void arrive_and_wait() {
    check();
    __kl_meet(&__state);
  }
};
template <thread_scope S> __device__ void init(barrier<S> *b, ptrdiff_t n) { b->__state = n; }

template <thread_scope S, unsigned char STAGES = 1> struct pipeline_shared_state {
  unsigned long words[2];
};

// The pipeline of one work item waits for its own copies; that of a group for all of them.
template <thread_scope S> class pipeline {
 public:
  __device__ void producer_acquire() {}
  __device__ void producer_commit() { __kl_commit(); }
  __device__ void consumer_wait() { __kl_consume(); }
  __device__ void consumer_release() { __kl_release(); }
  __device__ void quit() {}
};
template <> class pipeline<thread_scope_block> {
 public:
  unsigned long __state;
  __device__ void producer_acquire() { __kl_await(&__state); }
  __device__ void producer_commit() { __kl_commit(); }
  __device__ void consumer_wait() {
    __kl_consume();
    __syncthreads();
  }
  __device__ void consumer_release() {
    __kl_arrive(&__state);
    __kl_release();
  }
  __device__ void quit() {}
};
enum class pipeline_role { producer, consumer };
__device__ inline pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <class Group, thread_scope S, unsigned char STAGES>
__device__ pipeline<S> make_pipeline(const Group &, pipeline_shared_state<S, STAGES> *) { return {}; }
template <class Group, thread_scope S, unsigned char STAGES, class Role>
__device__ pipeline<S> make_pipeline(const Group &, pipeline_shared_state<S, STAGES> *, Role) {
  cuda_pipeline_roles();
  return {};
}
template <unsigned char N, thread_scope S> __device__ void pipeline_consumer_wait_prior(pipeline<S> &) { __kl_prior(N); }
template <thread_scope S> __device__ void pipeline_producer_commit(pipeline<S> &, barrier<thread_scope_block> &b) { __kl_bind(&b.__state); }
}

namespace __kl {
// The widest word, of at most 16 bytes, in which a size and the addresses can be copied.
constexpr size_t widest(size_t n) { return (n & -n) < 16 ? n & -n : 16; }
template <class T, class Size> struct word { static constexpr size_t bytes = widest(alignof(T)); };
template <class Size> struct word<void, Size> { static constexpr size_t bytes = 1; };
template <class T, size_t N> struct word<T, cuda::aligned_size_t<N>> { static constexpr size_t bytes = widest(N); };
template <size_t N> struct word<void, cuda::aligned_size_t<N>> { static constexpr size_t bytes = widest(N); };

// Copies by one work item; what is smaller than the smallest asynchronous copy is loaded and stored.
template <size_t BYTES> __device__ void copy(unsigned char *to, const unsigned char *from, size_t n) {
  for (size_t i = 0; i < n; i += BYTES) {
    if constexpr (BYTES >= 4) __kl_copy(to + i, from + i, BYTES);
    else if constexpr (BYTES == 2) *(unsigned short *)(to + i) = *(const unsigned short *)(from + i);
    else to[i] = from[i];
  }
}
template <size_t BYTES> __device__ void copy_all(unsigned char *to, const unsigned char *from, size_t n) {
  if constexpr (BYTES >= 4) __kl_copy_all(to, from, n, BYTES);
  else cuda_memcpy_async_narrow();
}
}

namespace cuda {
template <class T, class U, class Size, thread_scope S>
__device__ void memcpy_async(T *to, const U *from, Size n, pipeline<S> &) {
  __kl::copy<__kl::word<T, Size>::bytes>((unsigned char *)to, (const unsigned char *)from, n);
}
template <class T, class U, class Size, thread_scope S>
__device__ void memcpy_async(T *to, const U *from, Size n, barrier<S> &b) {
  __kl::copy<__kl::word<T, Size>::bytes>((unsigned char *)to, (const unsigned char *)from, n);
  __kl_bind(&b.__state);
}
template <class Group, class T, class U, class Size, thread_scope S>
__device__ void memcpy_async(const Group &, T *to, const U *from, Size n, pipeline<S> &) {
  __kl::copy_all<__kl::word<T, Size>::bytes>((unsigned char *)to, (const unsigned char *)from, n);
}
template <class Group, class T, class U, class Size, thread_scope S>
__device__ void memcpy_async(const Group &, T *to, const U *from, Size n, barrier<S> &b) {
  __kl::copy_all<__kl::word<T, Size>::bytes>((unsigned char *)to, (const unsigned char *)from, n);
  __kl_bind(&b.__state);
}

// Copies of blocks by the tensor memory accelerator (the same, Asynchronous Data Copies using the Tensor Memory Accelerator).
namespace device {
template <thread_scope S> __device__ unsigned long *barrier_native_handle(barrier<S> &b) { return &b.__state; }
template <thread_scope S> __device__ unsigned long barrier_arrive_tx(barrier<S> &b, ptrdiff_t n, ptrdiff_t bytes) {
  __kl_expect(&b.__state, bytes);
  return __kl_arrive(&b.__state);
}
template <thread_scope S> __device__ void barrier_expect_tx(barrier<S> &b, ptrdiff_t bytes) { __kl_expect(&b.__state, bytes); }
template <class T, class U, class Size, thread_scope S>
__device__ void memcpy_async_tx(T *to, const U *from, Size n, barrier<S> &b) { __kl_bulk_load((unsigned char *)to, (const unsigned char *)from, &b.__state, (size_t)n); }
namespace experimental {
__device__ inline void fence_proxy_async_shared_cta() { __threadfence_block(); }
__device__ inline void fence_proxy_async() { __threadfence_block(); }
__device__ inline void cp_async_bulk_commit_group() { __kl_bulk_commit(); }
template <int N> __device__ void cp_async_bulk_wait_group() { __kl_bulk_prior(N); }
template <int N> __device__ void cp_async_bulk_wait_group_read() { __kl_bulk_prior(N); }
template <class T, class U, thread_scope S>
__device__ void cp_async_bulk_global_to_shared(T *to, const U *from, unsigned n, barrier<S> &b) { __kl_bulk_load((unsigned char *)to, (const unsigned char *)from, &b.__state, n); }
template <class T, class U> __device__ void cp_async_bulk_shared_to_global(T *to, const U *from, unsigned n) { __kl_bulk_store((unsigned char *)to, (const unsigned char *)from, n); }
template <class T, class U, thread_scope S>
__device__ void cp_async_bulk_tensor_1d_global_to_shared(T *to, const U *map, int x, barrier<S> &b) { __kl_bulk_load((unsigned char *)to, (const unsigned char *)map, &b.__state, 0, x); }
template <class T, class U, thread_scope S>
__device__ void cp_async_bulk_tensor_2d_global_to_shared(T *to, const U *map, int x, int y, barrier<S> &b) {
  __kl_bulk_load((unsigned char *)to, (const unsigned char *)map, &b.__state, 0, x, y);
}
template <class T, class U, thread_scope S>
__device__ void cp_async_bulk_tensor_3d_global_to_shared(T *to, const U *map, int x, int y, int z, barrier<S> &b) {
  __kl_bulk_load((unsigned char *)to, (const unsigned char *)map, &b.__state, 0, x, y, z);
}
template <class T, class U, thread_scope S>
__device__ void cp_async_bulk_tensor_4d_global_to_shared(T *to, const U *map, int x, int y, int z, int u, barrier<S> &b) {
  __kl_bulk_load((unsigned char *)to, (const unsigned char *)map, &b.__state, 0, x, y, z, u);
}
template <class T, class U, thread_scope S>
__device__ void cp_async_bulk_tensor_5d_global_to_shared(T *to, const U *map, int x, int y, int z, int u, int v, barrier<S> &b) {
  __kl_bulk_load((unsigned char *)to, (const unsigned char *)map, &b.__state, 0, x, y, z, u, v);
}
}
}
}

namespace cooperative_groups {
// Each copy of a group is one that wait_prior counts.
template <class Group, class T, class U, class Size> __device__ void memcpy_async(const Group &, T *to, const U *from, Size n) {
  __kl::copy_all<__kl::word<T, Size>::bytes>((unsigned char *)to, (const unsigned char *)from, n);
  __kl_commit();
}
template <unsigned N, class Group> __device__ void wait_prior(const Group &g) {
  __kl_prior(N);
  g.sync();
}
template <class Group> __device__ void wait(const Group &g) { wait_prior<0>(g); }
}
#endif
