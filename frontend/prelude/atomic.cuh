// Atomic objects of libcu++ (CUDA C++ Programming Guide, libcu++, Synchronization Primitives; C++20 [atomics]). A
// stronger order than memory_order_relaxed is a fence beside the access.
#ifndef KL_ATOMIC
#define KL_ATOMIC
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release,
                    memory_order_acq_rel, memory_order_seq_cst };
namespace std {
using cuda::memory_order;
using cuda::memory_order_relaxed;
using cuda::memory_order_consume;
using cuda::memory_order_acquire;
using cuda::memory_order_release;
using cuda::memory_order_acq_rel;
using cuda::memory_order_seq_cst;
}
}

namespace __kl {
template <cuda::thread_scope S> __device__ inline void fence() {
  if constexpr (S == cuda::thread_scope_block) __threadfence_block();
  else if constexpr (S == cuda::thread_scope_device) __threadfence();
  else if constexpr (S == cuda::thread_scope_system) __threadfence_system();
}
template <cuda::thread_scope S> __device__ inline void before(cuda::memory_order o) {
  if (o == cuda::memory_order_release || o == cuda::memory_order_acq_rel || o == cuda::memory_order_seq_cst) fence<S>();
}
template <cuda::thread_scope S> __device__ inline void after(cuda::memory_order o) {
  if (o != cuda::memory_order_relaxed && o != cuda::memory_order_release) fence<S>();
}

// What objects and references do; P is a class with at().
template <class T, cuda::thread_scope S, class P> class atomic_access {
  __device__ T *place() const { return static_cast<const P *>(this)->at(); }

 public:
  using value_type = T;
  __device__ T load(cuda::memory_order o = cuda::memory_order_seq_cst) const {
    before<S>(o == cuda::memory_order_seq_cst ? o : cuda::memory_order_relaxed);
    T x = *(volatile T *)place();
    after<S>(o);
    return x;
  }
  __device__ void store(T x, cuda::memory_order o = cuda::memory_order_seq_cst) const {
    before<S>(o);
    *(volatile T *)place() = x;
  }
  __device__ operator T() const { return load(); }
#define KL_FETCH(name, function) \
  __device__ T name(T x, cuda::memory_order o = cuda::memory_order_seq_cst) const { \
    before<S>(o); \
    T old = function(place(), x); \
    after<S>(o); \
    return old; \
  }
  KL_FETCH(exchange, atomicExch)
  KL_FETCH(fetch_add, atomicAdd)
  KL_FETCH(fetch_sub, atomicSub)
  KL_FETCH(fetch_and, atomicAnd)
  KL_FETCH(fetch_or, atomicOr)
  KL_FETCH(fetch_xor, atomicXor)
  KL_FETCH(fetch_min, atomicMin)
  KL_FETCH(fetch_max, atomicMax)
#undef KL_FETCH
  __device__ bool compare_exchange_strong(T &expected, T desired,
                                          cuda::memory_order o = cuda::memory_order_seq_cst) const {
    before<S>(o);
    T old = atomicCAS(place(), expected, desired);
    after<S>(o);
    bool same = old == expected;
    expected = old;
    return same;
  }
  __device__ bool compare_exchange_strong(T &expected, T desired, cuda::memory_order o, cuda::memory_order) const {
    return compare_exchange_strong(expected, desired, o);
  }
  __device__ bool compare_exchange_weak(T &expected, T desired,
                                        cuda::memory_order o = cuda::memory_order_seq_cst) const {
    return compare_exchange_strong(expected, desired, o);
  }
  __device__ bool compare_exchange_weak(T &expected, T desired, cuda::memory_order o, cuda::memory_order) const {
    return compare_exchange_strong(expected, desired, o);
  }
  __device__ T operator++() const { return fetch_add(1) + 1; }
  __device__ T operator++(int) const { return fetch_add(1); }
  __device__ T operator--() const { return fetch_sub(1) - 1; }
  __device__ T operator--(int) const { return fetch_sub(1); }
  __device__ T operator+=(T x) const { return fetch_add(x) + x; }
  __device__ T operator-=(T x) const { return fetch_sub(x) - x; }
  __device__ T operator&=(T x) const { return fetch_and(x) & x; }
  __device__ T operator|=(T x) const { return fetch_or(x) | x; }
  __device__ T operator^=(T x) const { return fetch_xor(x) ^ x; }
  __device__ T operator=(T x) const {
    store(x);
    return x;
  }
};
}

namespace cuda {
__device__ inline void atomic_thread_fence(memory_order o, thread_scope s = thread_scope_system) {
  if (o == memory_order_relaxed) return;
  if (s == thread_scope_block) __threadfence_block();
  else if (s == thread_scope_device) __threadfence();
  else if (s == thread_scope_system) __threadfence_system();
}
template <class T, thread_scope S = thread_scope_system>
class atomic : public __kl::atomic_access<T, S, atomic<T, S>> {
 public:
  mutable T __value;
  atomic() = default;
  constexpr __device__ atomic(T x) : __value(x) {}
  __device__ T *at() const { return &__value; }
  using __kl::atomic_access<T, S, atomic<T, S>>::operator=;
};
template <class T, thread_scope S = thread_scope_system>
class atomic_ref : public __kl::atomic_access<T, S, atomic_ref<T, S>> {
 public:
  T *__at;
  explicit __device__ atomic_ref(T &x) : __at(&x) {}
  __device__ T *at() const { return __at; }
  using __kl::atomic_access<T, S, atomic_ref<T, S>>::operator=;
};
namespace std {
using cuda::atomic_thread_fence;
template <class T> using atomic = cuda::atomic<T>;
template <class T> using atomic_ref = cuda::atomic_ref<T>;
}
}
#endif
