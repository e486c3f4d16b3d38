// Cooperative groups (CUDA C++ Programming Guide, Cooperative Groups). What a group does is a barrier of the work group or
// of the warp, and a shuffle or a vote of the warp, which have no instruction for less than that.
#ifndef KL_GROUPS
#define KL_GROUPS
namespace __kl {
__device__ inline unsigned lane() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
__device__ inline unsigned rank_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__device__ inline unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline unsigned rank_of_block() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
__device__ inline unsigned blocks_of_grid() { return gridDim.x * gridDim.y * gridDim.z; }
__device__ inline unsigned active() { return __popc(__activemask()); }
__device__ inline unsigned rank_of_active() { return __popc(__activemask() & ((1u << lane()) - 1)); }
enum kind { block, grid, coalesced, tile };
}

namespace cooperative_groups {
class thread_group {
 public:
  __kl::kind __kind;
  unsigned __size;
  __device__ thread_group(__kl::kind k, unsigned n) : __kind(k), __size(n) {}
  __device__ unsigned size() const { return __kind == __kl::coalesced ? __kl::active() : __size; }
  __device__ unsigned num_threads() const { return size(); }
  __device__ unsigned thread_rank() const {
    return __kind == __kl::tile ? __kl::rank_in_block() % __size : __kind == __kl::coalesced ? __kl::rank_of_active()
         : __kind == __kl::grid ? __kl::rank_of_block() * __kl::threads_of_block() + __kl::rank_in_block() : __kl::rank_in_block();
  }
  __device__ void sync() const {
    if (__kind == __kl::block) __syncthreads();
    else if (__kind == __kl::grid) __kl_sync_grid();
    else __syncwarp();
  }
  __device__ bool is_valid() const { return true; }
};

class thread_block {
 public:
  __device__ operator thread_group() const { return thread_group(__kl::block, __kl::threads_of_block()); }
  __device__ static void sync() { __syncthreads(); }
  __device__ static unsigned thread_rank() { return __kl::rank_in_block(); }
  __device__ static unsigned size() { return __kl::threads_of_block(); }
  __device__ static unsigned num_threads() { return __kl::threads_of_block(); }
  __device__ static dim3 group_index() { return blockIdx; }
  __device__ static dim3 thread_index() { return threadIdx; }
  __device__ static dim3 group_dim() { return blockDim; }
  __device__ static dim3 dim_threads() { return blockDim; }
};

class grid_group {
 public:
  __device__ operator thread_group() const { return thread_group(__kl::grid, size()); }
  __device__ static void sync() { __kl_sync_grid(); }
  __device__ static bool is_valid() { return true; }
  __device__ static unsigned size() { return __kl::threads_of_block() * __kl::blocks_of_grid(); }
  __device__ static unsigned num_threads() { return size(); }
  __device__ static unsigned num_blocks() { return __kl::blocks_of_grid(); }
  __device__ static unsigned block_rank() { return __kl::rank_of_block(); }
  __device__ static unsigned thread_rank() { return __kl::rank_of_block() * __kl::threads_of_block() + __kl::rank_in_block(); }
  __device__ static dim3 group_dim() { return gridDim; }
  __device__ static dim3 dim_blocks() { return gridDim; }
  __device__ static dim3 block_index() { return blockIdx; }
};
class multi_grid_group : public grid_group {};

// The work items of a warp that are active.
class coalesced_group {
 public:
  __device__ operator thread_group() const { return thread_group(__kl::coalesced, 0); }
  __device__ static void sync() { __syncwarp(); }
  __device__ static unsigned size() { return __kl::active(); }
  __device__ static unsigned num_threads() { return __kl::active(); }
  __device__ static unsigned thread_rank() { return __kl::rank_of_active(); }
  __device__ static unsigned meta_group_rank() { return 0; }
  __device__ static unsigned meta_group_size() { return 1; }
  template <class T> __device__ static T shfl(T x, int lane) { return __shfl_sync(0xffffffffu, x, lane, size()); }
  template <class T> __device__ static T shfl_up(T x, int by) { return __shfl_up_sync(0xffffffffu, x, by, size()); }
  template <class T> __device__ static T shfl_down(T x, int by) { return __shfl_down_sync(0xffffffffu, x, by, size()); }
  template <class T> __device__ static T shfl_xor(T x, int by) { return __shfl_xor_sync(0xffffffffu, x, by, size()); }
  __device__ static int any(int x) { return __any_sync(__activemask(), x); }
  __device__ static int all(int x) { return __all_sync(__activemask(), x); }
  __device__ static unsigned ballot(int x) { return __ballot_sync(__activemask(), x); }
  template <class T> __device__ static unsigned match_any(T x) { return __match_any_sync(__activemask(), x); }
  template <class T> __device__ static unsigned match_all(T x, int &same) { return __match_all_sync(__activemask(), x, &same); }
};

template <unsigned N, class Parent = void> class thread_block_tile {
 public:
  __device__ thread_block_tile() {}
  template <class Other> __device__ thread_block_tile(const thread_block_tile<N, Other> &) {}
  __device__ operator thread_group() const { return thread_group(__kl::tile, N); }
  __device__ static void sync() { __syncwarp(); }
  __device__ static constexpr unsigned size() { return N; }
  __device__ static constexpr unsigned num_threads() { return N; }
  __device__ static unsigned thread_rank() { return __kl::rank_in_block() % N; }
  __device__ static unsigned meta_group_rank() { return __kl::rank_in_block() / N; }
  __device__ static unsigned meta_group_size() { return __kl::threads_of_block() / N; }
  template <class T> __device__ static T shfl(T x, int lane) { return __shfl_sync(0xffffffffu, x, lane, N); }
  template <class T> __device__ static T shfl_up(T x, int by) { return __shfl_up_sync(0xffffffffu, x, by, N); }
  template <class T> __device__ static T shfl_down(T x, int by) { return __shfl_down_sync(0xffffffffu, x, by, N); }
  template <class T> __device__ static T shfl_xor(T x, int by) { return __shfl_xor_sync(0xffffffffu, x, by, N); }
  __device__ static int any(int x) { return __any_sync(0xffffffffu, x); }
  __device__ static int all(int x) { return __all_sync(0xffffffffu, x); }
  __device__ static unsigned ballot(int x) { return __ballot_sync(0xffffffffu, x); }
  template <class T> __device__ static unsigned match_any(T x) { return __match_any_sync(0xffffffffu, x); }
  template <class T> __device__ static unsigned match_all(T x, int &same) { return __match_all_sync(0xffffffffu, x, &same); }
};

__device__ inline thread_block this_thread_block() { return thread_block(); }
__device__ inline grid_group this_grid() { return grid_group(); }
__device__ inline multi_grid_group this_multi_grid() { return multi_grid_group(); }
__device__ inline coalesced_group coalesced_threads() { return coalesced_group(); }
template <unsigned N, class Group> __device__ thread_block_tile<N, Group> tiled_partition(const Group &) { return thread_block_tile<N, Group>(); }
template <class Group> __device__ thread_group tiled_partition(const Group &, unsigned n) { return thread_group(__kl::tile, n); }
template <class Group> __device__ coalesced_group binary_partition(const Group &, bool) { return coalesced_group(); }
template <class Group> __device__ coalesced_group labeled_partition(const Group &, int) { return coalesced_group(); }
template <class Group> __device__ void sync(const Group &g) { g.sync(); }

template <class T> struct plus { __device__ T operator()(const T &a, const T &b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
template <class T> struct bit_and { __device__ T operator()(const T &a, const T &b) const { return a & b; } };
template <class T> struct bit_or { __device__ T operator()(const T &a, const T &b) const { return a | b; } };
template <class T> struct bit_xor { __device__ T operator()(const T &a, const T &b) const { return a ^ b; } };
}

// Reductions and scans: those of a warp that the language has, else by shuffles in log2(size) steps.
namespace __kl {
template <class Group> struct is_warp { static constexpr bool value = false; };
template <> struct is_warp<cooperative_groups::coalesced_group> { static constexpr bool value = true; };
template <class Parent> struct is_warp<cooperative_groups::thread_block_tile<32, Parent>> { static constexpr bool value = true; };
template <class Op> struct of_warp {
  static constexpr bool value = false;
  template <class T> __device__ static T reduce(T x) { return x; }
  template <class T> __device__ static T inclusive(T x) { return x; }
  template <class T> __device__ static T exclusive(T x) { return x; }
};
#define KL_OF_WARP(op, name) \
template <class U> struct of_warp<cooperative_groups::op<U>> { \
  static constexpr bool value = std::is_arithmetic<U>::value; \
  __device__ static U reduce(U x) { return __kl_reduce_##name(x); } \
  __device__ static U inclusive(U x) { return __kl_scan_inclusive_##name(x); } \
  __device__ static U exclusive(U x) { return __kl_scan_exclusive_##name(x); } \
};
KL_OF_WARP(plus, add)
KL_OF_WARP(less, min)
KL_OF_WARP(greater, max)
KL_OF_WARP(bit_and, and)
KL_OF_WARP(bit_or, or)
KL_OF_WARP(bit_xor, xor)
#undef KL_OF_WARP
}

namespace cooperative_groups {
template <class Group, class T, class Op> __device__ T reduce(const Group &g, T x, Op op) {
  if constexpr (__kl::is_warp<Group>::value && __kl::of_warp<Op>::value) return __kl::of_warp<Op>::reduce(x);
#pragma unroll
  for (int by = g.size() / 2; by > 0; by /= 2) x = op(x, g.shfl_xor(x, by));
  return x;
}
template <class Group, class T, class Op> __device__ T inclusive_scan(const Group &g, T x, Op op) {
  if constexpr (__kl::is_warp<Group>::value && __kl::of_warp<Op>::value) return __kl::of_warp<Op>::inclusive(x);
#pragma unroll
  for (int by = 1; by < g.size(); by *= 2) {
    T y = g.shfl_up(x, by);
    if (g.thread_rank() >= by) x = op(y, x);
  }
  return x;
}
template <class Group, class T, class Op> __device__ T exclusive_scan(const Group &g, T x, Op op) {
  if constexpr (__kl::is_warp<Group>::value && __kl::of_warp<Op>::value) return __kl::of_warp<Op>::exclusive(x);
  T y = g.shfl_up(inclusive_scan(g, x, op), 1);
  return g.thread_rank() == 0 ? T() : y;
}
template <class Group, class T> __device__ T inclusive_scan(const Group &g, T x) { return inclusive_scan(g, x, plus<T>()); }
template <class Group, class T> __device__ T exclusive_scan(const Group &g, T x) { return exclusive_scan(g, x, plus<T>()); }
}

namespace __kl {
template <class F> __device__ unsigned of_cluster(F read) { unsigned x; read(x); return x; }
}
namespace cooperative_groups {
// Of a cluster only its registers are known, and no values of these.
#define KL_CLUSTER(register) __kl::of_cluster([](unsigned &x) { asm("mov.u32 %0, %%" register ";" : "=r"(x)); })
class cluster_group {
 public:
  __device__ operator thread_group() const { return thread_group(__kl::block, size()); }
  __device__ static void sync() { __kl_cluster_sync(); }
  __device__ static void barrier_arrive() {}
  __device__ static void barrier_wait() { __kl_cluster_sync(); }
  __device__ static unsigned block_rank() { return KL_CLUSTER("cluster_ctarank"); }
  __device__ static unsigned num_blocks() { return KL_CLUSTER("cluster_nctarank"); }
  __device__ static dim3 block_index() {
    return dim3(KL_CLUSTER("cluster_ctaid.x"), KL_CLUSTER("cluster_ctaid.y"), KL_CLUSTER("cluster_ctaid.z"));
  }
  __device__ static dim3 dim_blocks() {
    return dim3(KL_CLUSTER("cluster_nctaid.x"), KL_CLUSTER("cluster_nctaid.y"), KL_CLUSTER("cluster_nctaid.z"));
  }
  __device__ static unsigned thread_rank() { return block_rank() * __kl::threads_of_block() + __kl::rank_in_block(); }
  __device__ static unsigned num_threads() { return num_blocks() * __kl::threads_of_block(); }
  __device__ static unsigned size() { return num_threads(); }
  template <class T> __device__ static T *map_shared_rank(T *p, int) { return (T *)__kl_cluster_map(p); }
  template <class T> __device__ static unsigned query_shared_rank(const T *) { return block_rank(); }
};
#undef KL_CLUSTER
__device__ inline cluster_group this_cluster() { return cluster_group(); }
}
#endif
