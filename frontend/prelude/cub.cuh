#ifndef KL_CUB
#define KL_CUB
#if defined(__AMDGCN_WAVEFRONT_SIZE)
#define KL_CUB_WARP __AMDGCN_WAVEFRONT_SIZE
#elif defined(__HIP_PLATFORM_AMD__)
#define KL_CUB_WARP 64
#else
#define KL_CUB_WARP 32
#endif
#if __CUDA_ARCH__ >= 800
#define KL_CUB_REDUX 1
#else
#define KL_CUB_REDUX 0
#endif
namespace cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

struct Sum {
  template <typename T> __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
struct Difference {
  template <typename T> __device__ T operator()(const T &a, const T &b) const { return a - b; }
};
struct Max {
  template <typename T> __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
  template <typename T> __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
struct Equality {
  template <typename T> __device__ bool operator()(const T &a, const T &b) const { return a == b; }
};
struct Inequality {
  template <typename T> __device__ bool operator()(const T &a, const T &b) const { return a != b; }
};

// Asked outside of the classes that have a member Sum.
template <typename Op> inline constexpr bool klIsSum = std::is_same_v<Op, Sum>;
template <typename Op> inline constexpr bool klIsMax = std::is_same_v<Op, Max>;
template <typename Op> inline constexpr bool klIsMin = std::is_same_v<Op, Min>;

struct KlNone {
  int none;
};
struct NullType {};

// A thread's place among those of its logical warp, and in its block.
template <int THREADS> __device__ int klLane() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  if constexpr (THREADS == KL_CUB_WARP) return lane;
  else return lane % THREADS;
}
template <int X, int Y, int Z> __device__ unsigned klRowMajor() {
  if constexpr (Y == 1 && Z == 1) return threadIdx.x;
  else if constexpr (Z == 1) return threadIdx.y * X + threadIdx.x;
  else return threadIdx.z * (X * Y) + threadIdx.y * X + threadIdx.x;
}

// Reductions of a thread's own items.
template <typename T, int N, typename Op> __device__ T klThreadReduce(T (&items)[N], Op op) {
  T x = items[0];
#pragma unroll
  for (int i = 1; i < N; i++) x = op(x, items[i]);
  return x;
}

// Objects go through shuffles word by word.
template <typename T, typename Shuffle> __device__ T klByWords(const T &x, Shuffle shuffle) {
  if constexpr (std::is_arithmetic_v<T>) return shuffle(x);
  else {
    using Word = std::conditional_t<alignof(T) % 4 == 0, unsigned, unsigned char>;
    T y;
#pragma unroll
    for (int i = 0; i < (int)(sizeof(T) / sizeof(Word)); i++) ((Word *)&y)[i] = shuffle(((const Word *)&x)[i]);
    return y;
  }
}

// WarpReduce by shuffles: log2(THREADS) steps. The sum of floats, doubles and unsigned integers is
// added under the predicate that the shuffle gives; other operations compare the lane.
template <typename T, int THREADS = KL_CUB_WARP, int ARCH = 0> class WarpReduce {
 public:
  using TempStorage = KlNone;
  __device__ WarpReduce(TempStorage &) {}
  template <typename Op> __device__ T Reduce(T x, Op op) {
    if constexpr (KL_CUB_REDUX && (std::is_same_v<T, int> || std::is_same_v<T, unsigned>) && THREADS == 32) {
      if constexpr (klIsSum<Op>) return __reduce_add_sync(0xffffffffu, x);
      else if constexpr (klIsMax<Op>) return __reduce_max_sync(0xffffffffu, x);
      else if constexpr (klIsMin<Op>) return __reduce_min_sync(0xffffffffu, x);
      else return klSteps(x, op, THREADS);
    } else if constexpr (klIsSum<Op> && (std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, unsigned> || std::is_same_v<T, int64_t> || std::is_same_v<T, ulong>)) {
#pragma unroll
      for (int offset = 1; offset < THREADS; offset *= 2) x = x + __shfl_down_sync(0xffffffffu, x, offset, THREADS);
      return x;
    } else return klSteps(x, op, THREADS);
  }
  template <typename Op> __device__ T Reduce(T x, Op op, int valid) { return klSteps(x, op, valid); }
  __device__ T Sum(T x) { return Reduce(x, cub::Sum()); }
  __device__ T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }
  template <typename Op> __device__ T klSteps(T x, Op op, int valid) {
    int lane = klLane<THREADS>();
#pragma unroll
    for (int offset = 1; offset < THREADS; offset *= 2) {
      T y = klByWords(x, [&](auto w) { return __shfl_down_sync(0xffffffffu, w, offset, THREADS); });
      T z = op(x, y);
      x = lane < valid - offset ? z : x;
    }
    return x;
  }
};

template <typename T, int N> struct KlValues {
  T values[N];
};

// The elements of a thread: side by side, or those of all threads in turn.
#define KL_CUB_DIRECT(NAME, PARAMETER, AT) \
  template <PARAMETER typename T, int ITEMS, typename It> \
  __device__ void Load##NAME(int thread, It from, T (&x)[ITEMS]) { \
    for (int i = 0; i < ITEMS; i++) x[i] = from[AT]; \
  } \
  template <PARAMETER typename T, int ITEMS, typename It> \
  __device__ void Store##NAME(int thread, It to, T (&x)[ITEMS]) { \
    for (int i = 0; i < ITEMS; i++) to[AT] = x[i]; \
  }
#define KL_COMMA ,
KL_CUB_DIRECT(DirectBlocked, , thread * ITEMS + i)
KL_CUB_DIRECT(DirectStriped, int THREADS KL_COMMA, thread + i * THREADS)

// BlockReduce by the reductions of warps: their results go through shared memory to the first thread.
template <typename T, int X, int ALGORITHM = 2, int Y = 1, int Z = 1, int ARCH = 0> class BlockReduce {
  __shared__ KlValues<T, (X * Y * Z + KL_CUB_WARP - 1) / KL_CUB_WARP> *temp;

 public:
  using TempStorage = KlValues<T, (X * Y * Z + KL_CUB_WARP - 1) / KL_CUB_WARP>;
  __device__ BlockReduce() : BlockReduce([]() -> TempStorage & { __shared__ TempStorage own; return own; }()) {}
  __device__ BlockReduce(TempStorage &storage) : temp(&storage) {
    if constexpr (ALGORITHM != 2) cub_block_reduce_raking();
  }
  template <typename Op> __device__ T Reduce(T x, Op op) {
    if constexpr (X * Y * Z % KL_CUB_WARP == 0) return klAcross(klInWarp(x, op), op, X * Y * Z);
    else return klAcross(klInWarp(x, op, X * Y * Z), op, X * Y * Z);
  }
  template <typename Op> __device__ T Reduce(T x, Op op, int valid) {
    if (valid >= X * Y * Z) return Reduce(x, op);
    return klAcross(klInWarp(x, op, valid), op, valid);
  }
  template <int N, typename Op> __device__ T Reduce(T (&items)[N], Op op) { return Reduce(klThreadReduce(items, op), op); }
  __device__ T Sum(T x) { return Reduce(x, cub::Sum()); }
  __device__ T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }
  template <int N> __device__ T Sum(T (&items)[N]) { return Reduce(items, cub::Sum()); }

  template <typename Op> __device__ T klInWarp(T x, Op op) {
    KlNone none;
    return WarpReduce<T, KL_CUB_WARP>(none).Reduce(x, op);
  }
  template <typename Op> __device__ T klInWarp(T x, Op op, int valid) {
    KlNone none;
    return WarpReduce<T, KL_CUB_WARP>(none).Reduce(x, op, valid - (int)(klRowMajor<X, Y, Z>() / KL_CUB_WARP) * KL_CUB_WARP);
  }
  template <typename Op> __device__ T klAcross(T x, Op op, int valid) {
    unsigned thread = klRowMajor<X, Y, Z>();
    if (klLane<KL_CUB_WARP>() == 0) temp->values[thread / KL_CUB_WARP] = x;
    __syncthreads();
    if (thread == 0) {
#pragma unroll
      for (int w = 1; w < (X * Y * Z + KL_CUB_WARP - 1) / KL_CUB_WARP; w++)
        if (w * KL_CUB_WARP < valid) x = op(x, temp->values[w]);
    }
    return x;
  }
};

// WarpScan by shuffles, after Kogge and Stone: log2(THREADS) steps.
template <typename T, int THREADS = KL_CUB_WARP, int ARCH = 0> class WarpScan {
 public:
  using TempStorage = KlNone;
  __device__ WarpScan(TempStorage &) {}
  template <typename Op> __device__ T klInclusive(T x, Op op) {
    int lane = klLane<THREADS>();
#pragma unroll
    for (int offset = 1; offset < THREADS; offset *= 2) {
      T y = __shfl_up_sync(0xffffffffu, x, offset, THREADS);
      T z = op(y, x);
      x = lane < offset ? x : z;
    }
    return x;
  }
  template <typename Op> __device__ T klExclusive(T inclusive, T x, T initial, Op op) {
    if constexpr (klIsSum<Op> && (std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, int64_t> || std::is_same_v<T, ulong>)) {
      return op(initial, inclusive) - x;
    } else {
      T y = __shfl_up_sync(0xffffffffu, op(initial, inclusive), 1, THREADS);
      return klLane<THREADS>() == 0 ? initial : y;
    }
  }
  __device__ T klBefore(T inclusive) { return __shfl_up_sync(0xffffffffu, inclusive, 1, THREADS); }
  __device__ T klLast(T inclusive) { return __shfl_sync(0xffffffffu, inclusive, THREADS - 1, THREADS); }

  template <typename Op> __device__ void InclusiveScan(T x, T &inclusive, Op op) { inclusive = klInclusive(x, op); }
  template <typename Op> __device__ void InclusiveScan(T x, T &inclusive, Op op, T &total) {
    inclusive = klInclusive(x, op);
    total = klLast(inclusive);
  }
  template <typename Op> __device__ void ExclusiveScan(T x, T &exclusive, Op op) { exclusive = klBefore(klInclusive(x, op)); }
  template <typename Op> __device__ void ExclusiveScan(T x, T &exclusive, T initial, Op op) {
    exclusive = klExclusive(klInclusive(x, op), x, initial, op);
  }
  template <typename Op> __device__ void ExclusiveScan(T x, T &exclusive, T initial, Op op, T &total) {
    T inclusive = klInclusive(x, op);
    total = klLast(inclusive);
    exclusive = klExclusive(inclusive, x, initial, op);
  }
  __device__ void InclusiveSum(T x, T &inclusive) { InclusiveScan(x, inclusive, cub::Sum()); }
  __device__ void InclusiveSum(T x, T &inclusive, T &total) { InclusiveScan(x, inclusive, cub::Sum(), total); }
  __device__ void ExclusiveSum(T x, T &exclusive) { ExclusiveScan(x, exclusive, (T)0, cub::Sum()); }
  __device__ void ExclusiveSum(T x, T &exclusive, T &total) { ExclusiveScan(x, exclusive, (T)0, cub::Sum(), total); }
  __device__ T Broadcast(T x, unsigned lane) { return __shfl_sync(0xffffffffu, x, lane, THREADS); }
};

// BlockScan by raking: every thread's value goes to shared memory, where each of up to a warp's threads
// reduces a segment; the segments' results are scanned by that warp, and each thread scans its segment, which it
// loads again. Or by scans of the warps, whose results every thread adds up that stands behind them.
template <typename T, int N> struct KlScanValues {
  T values[N];
  T total;
};
template <typename T, int X, int ALGORITHM = 0, int Y = 1, int Z = 1, int ARCH = 0> class BlockScan {
  static constexpr int THREADS = X * Y * Z;
  static constexpr int WARPS = (X * Y * Z + KL_CUB_WARP - 1) / KL_CUB_WARP; // a raking thread's values, too
  static constexpr int RAKING = (X * Y * Z + WARPS - 1) / WARPS;            // threads
  static constexpr int STRIDE = WARPS % 2 == 0 && WARPS > 2 ? WARPS + 1 : WARPS;
  __shared__ KlScanValues<T, X * Y * Z * 3 / 2 + 1> *temp;

 public:
  using TempStorage = KlScanValues<T, X * Y * Z * 3 / 2 + 1>;
  __device__ BlockScan(TempStorage &storage) : temp(&storage) {
    if constexpr (ALGORITHM == 1) cub_block_scan_memoize();
  }

  // klScan is an exclusive scan or, if it says so, an inclusive one, of which the total is wanted or not. The
  // first thread's exclusive result is initial.
  template <bool INCLUSIVE, bool TOTAL, typename Op> __device__ T klScan(T x, T initial, Op op, T &total) {
    if constexpr (ALGORITHM == 2) return klWarpScans<INCLUSIVE>(x, initial, op, total);
    else {
      KlNone none;
      return klRaking<INCLUSIVE, TOTAL>(x, initial, op, total, none);
    }
  }
  // A prefix is asked for what stands before the block, which the first thread's answer is.
  template <bool INCLUSIVE, bool TOTAL, typename Op, typename Prefix>
  __device__ T klRaking(T x, T initial, Op op, T &total, Prefix &prefix) {
    KlNone none;
    unsigned thread = klRowMajor<X, Y, Z>();
    unsigned place = STRIDE == WARPS ? thread : thread + thread / WARPS;
    temp->values[place] = x;
    __syncthreads();
    if (thread < RAKING) {
      unsigned first = thread * STRIDE;
      T sum = temp->values[first];
#pragma unroll
      for (int i = 1; i < WARPS; i++) sum = op(sum, temp->values[first + i]);
      WarpScan<T, KL_CUB_WARP> warp(none);
      T inclusive = warp.klInclusive(sum, op);
      T before = warp.klExclusive(inclusive, sum, initial, op);
      if constexpr (!std::is_same_v<Prefix, KlNone>) {
        T first = warp.Broadcast(prefix(warp.klLast(inclusive)), 0);
        before = thread == 0 ? first : op(first, before);
      }
      if constexpr (TOTAL) {
        if (thread == RAKING - 1) temp->total = inclusive;
      }
#pragma unroll
      for (int i = 0; i < WARPS; i++) {
        T after = op(before, temp->values[first + i]);
        temp->values[first + i] = INCLUSIVE ? after : before;
        before = after;
      }
    }
    __syncthreads();
    if constexpr (TOTAL) total = temp->total;
    return temp->values[place];
  }
  template <bool INCLUSIVE, typename Op> __device__ T klWarpScans(T x, T initial, Op op, T &total) {
    KlNone none;
    WarpScan<T, KL_CUB_WARP> warp(none);
    unsigned own = klRowMajor<X, Y, Z>() / KL_CUB_WARP;
    T inclusive = warp.klInclusive(x, op);
    if (klLane<KL_CUB_WARP>() == KL_CUB_WARP - 1) temp->values[own] = inclusive;
    __syncthreads();
    T before = initial, sum = temp->values[0];
#pragma unroll
    for (int w = 1; w < WARPS; w++) {
      if (own == w) before = op(initial, sum);
      sum = op(sum, temp->values[w]);
    }
    total = sum;
    if constexpr (INCLUSIVE) return op(before, inclusive);
    else return warp.klExclusive(inclusive, x, before, op);
  }
  // klItems scans what N items of a thread come to, and then these.
  template <bool INCLUSIVE, bool TOTAL, int N, typename Op> __device__ void klItems(T (&in)[N], T (&out)[N], T initial, Op op, T &total) {
    T before = klScan<false, TOTAL>(klThreadReduce(in, op), initial, op, total);
#pragma unroll
    for (int i = 0; i < N; i++) {
      T after = op(before, in[i]);
      out[i] = INCLUSIVE ? after : before;
      before = after;
    }
  }

  template <typename Op> __device__ void InclusiveScan(T x, T &out, Op op) {
    T total;
    out = klScan<true, false>(x, (T)0, op, total);
  }
  template <typename Op> __device__ void InclusiveScan(T x, T &out, Op op, T &total) { out = klScan<true, true>(x, (T)0, op, total); }
  template <typename Op> __device__ void ExclusiveScan(T x, T &out, Op op) {
    T total;
    out = klScan<false, false>(x, (T)0, op, total);
  }
  template <typename Op> __device__ void ExclusiveScan(T x, T &out, T initial, Op op) {
    T total;
    out = klScan<false, false>(x, initial, op, total);
  }
  template <typename Op> __device__ void ExclusiveScan(T x, T &out, T initial, Op op, T &total) { out = klScan<false, true>(x, initial, op, total); }
  template <int N, typename Op> __device__ void InclusiveScan(T (&in)[N], T (&out)[N], Op op) {
    T total;
    klItems<true, false>(in, out, (T)0, op, total);
  }
  template <int N, typename Op> __device__ void InclusiveScan(T (&in)[N], T (&out)[N], Op op, T &total) { klItems<true, true>(in, out, (T)0, op, total); }
  template <int N, typename Op> __device__ void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op) {
    T total;
    klItems<false, false>(in, out, initial, op, total);
  }
  template <int N, typename Op> __device__ void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op, T &total) { klItems<false, true>(in, out, initial, op, total); }
  template <bool INCLUSIVE, typename Prefix> __device__ void klPrefixed(T x, T &out, Prefix &prefix) {
    T total;
    if constexpr (ALGORITHM == 2) {
      unsigned thread = klRowMajor<X, Y, Z>();
      T own = klWarpScans<INCLUSIVE>(x, (T)0, cub::Sum(), total);
      if (thread < KL_CUB_WARP) {
        T first = prefix(total);
        if (thread == 0) temp->total = first;
      }
      __syncthreads();
      out = temp->total + own;
    } else out = klRaking<INCLUSIVE, false>(x, (T)0, cub::Sum(), total, prefix);
  }
  __device__ void InclusiveSum(T x, T &out) { InclusiveScan(x, out, cub::Sum()); }
  __device__ void InclusiveSum(T x, T &out, T &total) { InclusiveScan(x, out, cub::Sum(), total); }
  template <typename Prefix> __device__ void InclusiveSum(T x, T &out, Prefix &prefix) { klPrefixed<true>(x, out, prefix); }
  __device__ void ExclusiveSum(T x, T &out) { ExclusiveScan(x, out, (T)0, cub::Sum()); }
  __device__ void ExclusiveSum(T x, T &out, T &total) { ExclusiveScan(x, out, (T)0, cub::Sum(), total); }
  template <typename Prefix> __device__ void ExclusiveSum(T x, T &out, Prefix &prefix) { klPrefixed<false>(x, out, prefix); }
  template <int N> __device__ void InclusiveSum(T (&in)[N], T (&out)[N]) { InclusiveScan(in, out, cub::Sum()); }
  template <int N> __device__ void InclusiveSum(T (&in)[N], T (&out)[N], T &total) { InclusiveScan(in, out, cub::Sum(), total); }
  template <int N> __device__ void ExclusiveSum(T (&in)[N], T (&out)[N]) { ExclusiveScan(in, out, (T)0, cub::Sum()); }
  template <int N> __device__ void ExclusiveSum(T (&in)[N], T (&out)[N], T &total) { ExclusiveScan(in, out, (T)0, cub::Sum(), total); }
};

// BlockExchange moves items between arrangements: blocked (a thread's are consecutive), striped (they are a
// block's threads apart) and warp-striped (a warp's threads apart, within the warp's own). All go
// through shared memory, a barrier or, within a warp, its own between. Of more than 4 items, if their number is a power of two,
// every 32nd place stays empty, which spreads them over the banks.
template <typename T, int X, int ITEMS, bool SLICED = false, int Y = 1, int Z = 1, int ARCH = 0> class BlockExchange {
  static constexpr int THREADS = X * Y * Z;
  static constexpr bool PADDED = ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0;
  __shared__ KlValues<T, (X * Y * Z * ITEMS + (ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0 ? X * Y * Z * ITEMS / 32 : 0))> *temp;

 public:
  using TempStorage = KlValues<T, (X * Y * Z * ITEMS + (ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0 ? X * Y * Z * ITEMS / 32 : 0))>;
  __device__ BlockExchange(TempStorage &storage) : temp(&storage) {
    if constexpr (SLICED) cub_block_exchange_sliced();
  }

  __device__ int klPlace(int i) { return PADDED ? i + (i >> 5) : i; }
  __device__ void klPut(T (&items)[ITEMS], int first, int step) {
#pragma unroll
    for (int i = 0; i < ITEMS; i++) temp->values[klPlace(first + i * step)] = items[i];
  }
  __device__ void klGet(T (&items)[ITEMS], int first, int step) {
#pragma unroll
    for (int i = 0; i < ITEMS; i++) items[i] = temp->values[klPlace(first + i * step)];
  }
  // The place of a thread's first item in an arrangement by warps.
  __device__ int klWarpFirst() { return (int)(klRowMajor<X, Y, Z>() / KL_CUB_WARP) * KL_CUB_WARP * ITEMS + klLane<KL_CUB_WARP>(); }

  __device__ void StripedToBlocked(T (&in)[ITEMS], T (&out)[ITEMS]) {
    int thread = klRowMajor<X, Y, Z>();
    klPut(in, thread, THREADS);
    __syncthreads();
    klGet(out, thread * ITEMS, 1);
  }
  __device__ void BlockedToStriped(T (&in)[ITEMS], T (&out)[ITEMS]) {
    int thread = klRowMajor<X, Y, Z>();
    klPut(in, thread * ITEMS, 1);
    __syncthreads();
    klGet(out, thread, THREADS);
  }
  __device__ void WarpStripedToBlocked(T (&in)[ITEMS], T (&out)[ITEMS]) {
    int thread = klRowMajor<X, Y, Z>();
    klPut(in, klWarpFirst(), KL_CUB_WARP);
    __syncwarp();
    klGet(out, thread * ITEMS, 1);
  }
  __device__ void BlockedToWarpStriped(T (&in)[ITEMS], T (&out)[ITEMS]) {
    int thread = klRowMajor<X, Y, Z>();
    klPut(in, thread * ITEMS, 1);
    __syncwarp();
    klGet(out, klWarpFirst(), KL_CUB_WARP);
  }
  template <typename Rank> __device__ void klScatter(T (&in)[ITEMS], Rank (&ranks)[ITEMS]) {
#pragma unroll
    for (int i = 0; i < ITEMS; i++) temp->values[klPlace(ranks[i])] = in[i];
    __syncthreads();
  }
  template <typename Rank> __device__ void ScatterToBlocked(T (&in)[ITEMS], T (&out)[ITEMS], Rank (&ranks)[ITEMS]) {
    klScatter(in, ranks);
    klGet(out, klRowMajor<X, Y, Z>() * ITEMS, 1);
  }
  template <typename Rank> __device__ void ScatterToStriped(T (&in)[ITEMS], T (&out)[ITEMS], Rank (&ranks)[ITEMS]) {
    klScatter(in, ranks);
    klGet(out, klRowMajor<X, Y, Z>(), THREADS);
  }
  __device__ void StripedToBlocked(T (&items)[ITEMS]) { StripedToBlocked(items, items); }
  __device__ void BlockedToStriped(T (&items)[ITEMS]) { BlockedToStriped(items, items); }
  __device__ void WarpStripedToBlocked(T (&items)[ITEMS]) { WarpStripedToBlocked(items, items); }
  __device__ void BlockedToWarpStriped(T (&items)[ITEMS]) { BlockedToWarpStriped(items, items); }
};

// WarpExchange does the same within a logical warp.
template <typename T, int ITEMS, int THREADS = KL_CUB_WARP, int ARCH = 0> class WarpExchange {
  __shared__ KlValues<T, ITEMS * THREADS> *temp;

 public:
  using TempStorage = KlValues<T, ITEMS * THREADS>;
  __device__ WarpExchange(TempStorage &storage) : temp(&storage) {}
  __device__ void klMove(T (&in)[ITEMS], T (&out)[ITEMS], int put, int putStep, int get, int getStep) {
#pragma unroll
    for (int i = 0; i < ITEMS; i++) temp->values[put + i * putStep] = in[i];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) out[i] = temp->values[get + i * getStep];
  }
  __device__ void BlockedToStriped(T (&in)[ITEMS], T (&out)[ITEMS]) {
    int lane = klLane<THREADS>();
    klMove(in, out, lane * ITEMS, 1, lane, THREADS);
  }
  __device__ void StripedToBlocked(T (&in)[ITEMS], T (&out)[ITEMS]) {
    int lane = klLane<THREADS>();
    klMove(in, out, lane, THREADS, lane * ITEMS, 1);
  }
  template <typename Rank> __device__ void ScatterToStriped(T (&in)[ITEMS], T (&out)[ITEMS], Rank (&ranks)[ITEMS]) {
#pragma unroll
    for (int i = 0; i < ITEMS; i++) temp->values[ranks[i]] = in[i];
    __syncwarp();
    int lane = klLane<THREADS>();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) out[i] = temp->values[lane + i * THREADS];
  }
  template <typename Rank> __device__ void ScatterToStriped(T (&items)[ITEMS], Rank (&ranks)[ITEMS]) { ScatterToStriped(items, items, ranks); }
};

// BlockLoad and BlockStore move a block's items, blocked in its threads, from and to memory: each thread its own
// (DIRECT), those a block's threads apart, which stay so (STRIPED), or by striped accesses and an exchange, of the block
// (TRANSPOSE) or of each warp (WARP_TRANSPOSE).
template <typename T, int X, int ITEMS, int ALGORITHM = 0, int Y = 1, int Z = 1, int ARCH = 0> class BlockLoad {
  static constexpr int THREADS = X * Y * Z;
  __shared__ KlValues<T, (ALGORITHM == 3 || ALGORITHM == 4 ? X * Y * Z * ITEMS + (ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0 ? X * Y * Z * ITEMS / 32 : 0) : 1)> *temp;

 public:
  using TempStorage = KlValues<T, (ALGORITHM == 3 || ALGORITHM == 4 ? X * Y * Z * ITEMS + (ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0 ? X * Y * Z * ITEMS / 32 : 0) : 1)>;
  __device__ BlockLoad(TempStorage &storage) : temp(&storage) {
    if constexpr (ALGORITHM == 2) cub_block_load_vectorize();
    if constexpr (ALGORITHM == 5) cub_block_load_timesliced();
  }
  __device__ int klFirst() {
    if constexpr (ALGORITHM == 0) return klRowMajor<X, Y, Z>() * ITEMS;
    else if constexpr (ALGORITHM == 4) return (int)(klRowMajor<X, Y, Z>() / KL_CUB_WARP) * KL_CUB_WARP * ITEMS + klLane<KL_CUB_WARP>();
    else return klRowMajor<X, Y, Z>();
  }
  __device__ int klStep() { return ALGORITHM == 0 ? 1 : ALGORITHM == 4 ? KL_CUB_WARP : THREADS; }
  __device__ void klArrange(T (&items)[ITEMS]) {
    if constexpr (ALGORITHM == 3) {
      BlockExchange<T, X, ITEMS, false, Y, Z> exchange(*temp);
      exchange.StripedToBlocked(items, items);
    } else if constexpr (ALGORITHM == 4) {
      BlockExchange<T, X, ITEMS, false, Y, Z> exchange(*temp);
      exchange.WarpStripedToBlocked(items, items);
    }
  }
  template <typename From> __device__ void Load(From from, T (&items)[ITEMS]) {
    int first = klFirst(), step = klStep();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) items[i] = from[first + i * step];
    klArrange(items);
  }
  template <typename From> __device__ void Load(From from, T (&items)[ITEMS], int valid) {
    int first = klFirst(), step = klStep();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
      if (first + i * step < valid) items[i] = from[first + i * step];
    klArrange(items);
  }
  template <typename From> __device__ void Load(From from, T (&items)[ITEMS], int valid, T other) {
#pragma unroll
    for (int i = 0; i < ITEMS; i++) items[i] = other;
    Load(from, items, valid);
  }
};

template <typename T, int N> struct KlStoreValues {
  KlValues<T, N> items;
  int valid;
};
template <typename T, int X, int ITEMS, int ALGORITHM = 0, int Y = 1, int Z = 1, int ARCH = 0> class BlockStore {
  static constexpr int THREADS = X * Y * Z;
  __shared__ KlStoreValues<T, (ALGORITHM == 3 || ALGORITHM == 4 ? X * Y * Z * ITEMS + (ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0 ? X * Y * Z * ITEMS / 32 : 0) : 1)> *temp;

 public:
  using TempStorage = KlStoreValues<T, (ALGORITHM == 3 || ALGORITHM == 4 ? X * Y * Z * ITEMS + (ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0 ? X * Y * Z * ITEMS / 32 : 0) : 1)>;
  __device__ BlockStore(TempStorage &storage) : temp(&storage) {
    if constexpr (ALGORITHM == 2) cub_block_store_vectorize();
    if constexpr (ALGORITHM == 5) cub_block_store_timesliced();
  }
  __device__ int klFirst() {
    if constexpr (ALGORITHM == 0) return klRowMajor<X, Y, Z>() * ITEMS;
    else if constexpr (ALGORITHM == 4) return (int)(klRowMajor<X, Y, Z>() / KL_CUB_WARP) * KL_CUB_WARP * ITEMS + klLane<KL_CUB_WARP>();
    else return klRowMajor<X, Y, Z>();
  }
  __device__ int klStep() { return ALGORITHM == 0 ? 1 : ALGORITHM == 4 ? KL_CUB_WARP : THREADS; }
  __device__ void klArrange(T (&items)[ITEMS]) {
    if constexpr (ALGORITHM == 3) {
      BlockExchange<T, X, ITEMS, false, Y, Z> exchange(temp->items);
      exchange.BlockedToStriped(items, items);
    } else if constexpr (ALGORITHM == 4) {
      BlockExchange<T, X, ITEMS, false, Y, Z> exchange(temp->items);
      exchange.BlockedToWarpStriped(items, items);
    }
  }
  template <typename To> __device__ void Store(To to, T (&items)[ITEMS]) {
    klArrange(items);
    int first = klFirst(), step = klStep();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) to[first + i * step] = items[i];
  }
  template <typename To> __device__ void Store(To to, T (&items)[ITEMS], int valid) {
    klArrange(items);
    if constexpr (ALGORITHM > 1) { // through shared memory, as the library's, which saves registers
      if (klRowMajor<X, Y, Z>() == 0) temp->valid = valid;
      __syncthreads();
      valid = temp->valid;
    }
    int first = klFirst(), step = klStep();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
      if (first + i * step < valid) to[first + i * step] = items[i];
  }
};

// BlockAdjacentDifference combines each item with the one before or behind it, which shared memory hands
// from thread to thread.
template <typename T, int X, int Y = 1, int Z = 1, int ARCH = 0> class BlockAdjacentDifference {
  __shared__ KlValues<T, X * Y * Z> *temp;

 public:
  using TempStorage = KlValues<T, X * Y * Z>;
  __device__ BlockAdjacentDifference(TempStorage &storage) : temp(&storage) {}
  // klLeft has, for the first thread, the item before the block's if there is one.
  template <int N, typename Op> __device__ void klLeft(T (&in)[N], T (&out)[N], Op op, bool before, T predecessor) {
    unsigned thread = klRowMajor<X, Y, Z>();
    temp->values[thread] = in[N - 1];
    __syncthreads();
#pragma unroll
    for (int i = N - 1; i > 0; i--) out[i] = op(in[i], in[i - 1]);
    if (thread > 0) out[0] = op(in[0], temp->values[thread - 1]);
    else if (before) out[0] = op(in[0], predecessor);
    else out[0] = in[0];
  }
  template <int N, typename Op> __device__ void klRight(T (&in)[N], T (&out)[N], Op op, bool behind, T successor) {
    unsigned thread = klRowMajor<X, Y, Z>();
    temp->values[thread] = in[0];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N - 1; i++) out[i] = op(in[i], in[i + 1]);
    if (thread < X * Y * Z - 1) out[N - 1] = op(in[N - 1], temp->values[thread + 1]);
    else if (behind) out[N - 1] = op(in[N - 1], successor);
    else out[N - 1] = in[N - 1];
  }
  template <int N, typename Op> __device__ void SubtractLeft(T (&in)[N], T (&out)[N], Op op) { klLeft(in, out, op, false, in[0]); }
  template <int N, typename Op> __device__ void SubtractLeft(T (&in)[N], T (&out)[N], Op op, T predecessor) { klLeft(in, out, op, true, predecessor); }
  template <int N, typename Op> __device__ void SubtractRight(T (&in)[N], T (&out)[N], Op op) { klRight(in, out, op, false, in[0]); }
  template <int N, typename Op> __device__ void SubtractRight(T (&in)[N], T (&out)[N], Op op, T successor) { klRight(in, out, op, true, successor); }
};

// BlockRadixSort: for every few bits each thread counts its items by digit, two counters of 16 bits in a word; the
// counts are scanned, of which every thread adds up a segment, and the items go to their ranks.
template <typename K, typename V, int THREADS, int ITEMS, int LANES> union KlRadixTemp {
  struct {
    unsigned counters[THREADS * (LANES + 1)];
    KlScanValues<unsigned, THREADS * 3 / 2 + 1> scan;
  } rank;
  typename BlockExchange<K, THREADS, ITEMS>::TempStorage keys;
  typename BlockExchange<V, THREADS, ITEMS>::TempStorage values;
};
template <typename K, int X, int ITEMS, typename V = NullType, int BITS = 4, bool MEMOIZE = true, int INNER = 2,
          cudaSharedMemConfig CONFIG = cudaSharedMemBankSizeFourByte, int Y = 1, int Z = 1, int ARCH = 0>
class BlockRadixSort {
  using Word = std::conditional_t<sizeof(K) == 8, unsigned long long, std::conditional_t<sizeof(K) == 4, unsigned, std::conditional_t<sizeof(K) == 2, unsigned short, unsigned char>>>;
  static constexpr int THREADS = X * Y * Z;
  static constexpr int LANES = 1 << (BITS - 1);
  static constexpr Word TOP = (Word)1 << (sizeof(K) * 8 - 1);
  __shared__ KlRadixTemp<Word, V, X * Y * Z, ITEMS, 1 << (BITS - 1)> *temp;

 public:
  using TempStorage = KlRadixTemp<Word, V, X * Y * Z, ITEMS, 1 << (BITS - 1)>;
  __device__ BlockRadixSort(TempStorage &storage) : temp(&storage) {}

  // Keys as unsigned numbers in the same order.
  static __device__ Word klIn(K key) {
    Word w = *(Word *)&key;
    if constexpr (std::is_floating_point_v<K>) return w ^ (w & TOP ? (Word)-1 : TOP);
    else if constexpr (std::is_signed_v<K>) return w ^ TOP;
    else return w;
  }
  static __device__ K klOut(Word w) {
    if constexpr (std::is_floating_point_v<K>) w ^= w & TOP ? TOP : (Word)-1;
    else if constexpr (std::is_signed_v<K>) w ^= TOP;
    return *(K *)&w;
  }
  template <bool DOWN> __device__ void klRank(Word (&keys)[ITEMS], int (&ranks)[ITEMS], int bit, int bits) {
    unsigned thread = klRowMajor<X, Y, Z>();
    unsigned *counters = temp->rank.counters;
    unsigned short before[ITEMS], *counter[ITEMS];
#pragma unroll
    for (int i = 0; i <= LANES; i++) counters[i * THREADS + thread] = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
      unsigned digit;
      if constexpr (sizeof(K) == 8) digit = (unsigned)(keys[i] >> bit) & ((1u << bits) - 1);
      else asm("bfe.u32 %0, %1, %2, %3;" : "=r"(digit) : "r"((unsigned)keys[i]), "r"(bit), "r"(bits));
      unsigned half = digit / LANES, lane = digit % LANES;
      if (DOWN) {
        half = 1 - half;
        lane = LANES - 1 - lane;
      }
      counter[i] = (unsigned short *)&counters[lane * THREADS + thread] + half;
      before[i] = *counter[i];
      *counter[i] = before[i] + 1;
    }
    __syncthreads();
    unsigned segment[LANES + 1], sum = 0, first;
#pragma unroll
    for (int i = 0; i <= LANES; i++) {
      segment[i] = counters[thread * (LANES + 1) + i];
      sum += segment[i];
    }
    auto prefix = [](unsigned total) { return total << 16; };
    BlockScan<unsigned, X, INNER, Y, Z>(temp->rank.scan).ExclusiveSum(sum, first, prefix);
#pragma unroll
    for (int i = 0; i <= LANES; i++) {
      counters[thread * (LANES + 1) + i] = first;
      first += segment[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) ranks[i] = before[i] + *counter[i];
  }
  template <bool DOWN, bool STRIPED, typename Values> __device__ void klSort(K (&keys)[ITEMS], Values &values, int bit, int end) {
    Word words[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) words[i] = klIn(keys[i]);
    while (true) {
      int ranks[ITEMS];
      klRank<DOWN>(words, ranks, bit, ::min(BITS, end - bit));
      bit += BITS;
      __syncthreads();
      klMove(temp->keys, words, ranks, STRIPED && bit >= end);
      if constexpr (!std::is_same_v<Values, KlNone>) {
        __syncthreads();
        klMove(temp->values, values, ranks, STRIPED && bit >= end);
      }
      if (bit >= end) break;
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++) keys[i] = klOut(words[i]);
  }
  template <typename Temp, typename T> __device__ void klMove(Temp &to, T (&items)[ITEMS], int (&ranks)[ITEMS], bool striped) {
    BlockExchange<T, X, ITEMS, false, Y, Z> exchange(to);
    if (striped) exchange.ScatterToStriped(items, items, ranks);
    else exchange.ScatterToBlocked(items, items, ranks);
  }

#define KL_SORT(NAME, DOWN, STRIPED) \
  __device__ void NAME(K (&keys)[ITEMS], int bit = 0, int end = sizeof(K) * 8) { \
    KlNone none; \
    klSort<DOWN, STRIPED>(keys, none, bit, end); \
  } \
  __device__ void NAME(K (&keys)[ITEMS], V (&values)[ITEMS], int bit = 0, int end = sizeof(K) * 8) { klSort<DOWN, STRIPED>(keys, values, bit, end); }
  KL_SORT(Sort, false, false)
  KL_SORT(SortDescending, true, false)
  KL_SORT(SortBlockedToStriped, false, true)
  KL_SORT(SortDescendingBlockedToStriped, true, true)
#undef KL_SORT
};
}
#endif
