// What decides: taken branches, pipes, L1 that groups share, atomics by line, constants by lane, partial sectors.
#include "suite.h"

__constant__ float constants[4096];

// A loop of N independent multiply-adds; the trip count is not known.
template <int N>
__global__ void loop_ffma(float* out, float a, int n)
{
    float x[N];
    for (int k = 0; k < N; ++k) x[k] = threadIdx.x + k;
#pragma unroll 1
    for (int r = 0; r < n; ++r)
#pragma unroll
        for (int k = 0; k < N; ++k) x[k] = x[k] * a + a;
    float s = 0;
    for (int k = 0; k < N; ++k) s += x[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// A, B: multiply-adds of float and of int in each iteration, C additions of int, D logic operations.
template <class M>
__global__ void mix(float* out, float a, int b, int n)
{
    constexpr int A = M::a, B = M::b, C = M::c, D = M::d;
    float x[A + 1]; int y[B + 1], z[C + 1], w[D + 1];
    for (int k = 0; k < A; ++k) x[k] = threadIdx.x + k;
    for (int k = 0; k < B; ++k) y[k] = threadIdx.x + k;
    for (int k = 0; k < C; ++k) z[k] = threadIdx.x + k;
    for (int k = 0; k < D; ++k) w[k] = threadIdx.x + k;
#pragma unroll 1
    for (int r = 0; r < n; ++r)
#pragma unroll
        for (int t = 0; t < 8; ++t) {
#pragma unroll
            for (int k = 0; k < A; ++k) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[k]) : "f"(a));
#pragma unroll
            for (int k = 0; k < B; ++k) asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(y[k]) : "r"(b));
#pragma unroll
            for (int k = 0; k < C; ++k) asm volatile("add.s32 %0, %0, %1;" : "+r"(z[k]) : "r"(b));
#pragma unroll
            for (int k = 0; k < D; ++k) asm volatile("xor.b32 %0, %0, %1;" : "+r"(w[k]) : "r"(b));
        }
    float s = 0;
    for (int k = 0; k < A; ++k) s += x[k];
    for (int k = 0; k < B; ++k) s += y[k];
    for (int k = 0; k < C; ++k) s += z[k];
    for (int k = 0; k < D; ++k) s += w[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
template <int A, int B, int C, int D> struct M { static constexpr int a = A, b = B, c = C, d = D; };

// A group reads its own K KiB again and again, a line of 128 bytes by each warp and load.
template <int K>
__global__ void l1_share(const float* __restrict__ in, float* __restrict__ out, int n)
{
    constexpr int words = K * 256;
    const float* mine = in + blockIdx.x * words;
    float s = 0;
#pragma unroll 1
    for (int r = 0; r < n; ++r)
#pragma unroll 4
        for (int k = threadIdx.x; k < words; k += 256) s += mine[(k + r * 0) ^ (r & 1 ? 32 : 0)];
    out[blockIdx.x * 256 + threadIdx.x] = s;
}

// Adds of integers and floats: words spread S words apart over N places.
template <class T, int N, int S>
__device__ void atomics_of(T* bins)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned h = i * 2654435761u;
    h ^= h >> 15;
#pragma unroll 1
    for (int r = 0; r < 4; ++r) {
        atomicAdd(bins + (h % N) * S, T(threadIdx.x + r));
        h = h * 2654435761u + 12345u;
        h ^= h >> 13;
    }
}
#define ATOMICS(T, N, S) __global__ void atomics_##T##_##N##_##S(T* bins) { atomics_of<T, N, S>(bins); }
ATOMICS(int, 1, 1) ATOMICS(int, 8, 1) ATOMICS(int, 32, 1) ATOMICS(int, 256, 1) ATOMICS(int, 256, 8)
ATOMICS(int, 256, 32) ATOMICS(int, 4096, 1) ATOMICS(int, 65536, 1)
ATOMICS(float, 1, 1) ATOMICS(float, 8, 1) ATOMICS(float, 32, 1) ATOMICS(float, 256, 1) ATOMICS(float, 256, 32)
ATOMICS(float, 4096, 1) ATOMICS(float, 65536, 1)

// A constant by lane: D different words of a warp.
template <int D>
__global__ void constant_lanes(float* out, int n)
{
    float s = 0;
    int at = threadIdx.x % D;
#pragma unroll 4
    for (int r = 0; r < n; ++r) s += constants[(at + r * D) & 4095];
    out[blockIdx.x * 256 + threadIdx.x] = s;
}

// Of every sector W words are written, by neighbouring lanes.
template <int W>
__global__ void partial(float* out)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i / W * 8 + i % W] = i;
}

// Loads in flight: U loads of a warp that follow each other, each a line far away.
template <int U>
__global__ void flight(const float* __restrict__ in, float* __restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
#pragma unroll U
    for (int k = 0; k < n; ++k) s += in[i + k * 131072];
    out[i] = s;
}

CONSTANT(constants)
#define L(N, T) BENCH_AS(loop_ffma_##N##_##T, loop_ffma<N>, dim3(132), dim3(T), 0, p.f(4), 0.5f, 20000)
L(1, 128) L(1, 256) L(1, 512) L(1, 1024) L(2, 128) L(2, 512) L(2, 1024) L(4, 128) L(4, 256) L(4, 512) L(4, 1024)
L(8, 128) L(8, 256) L(8, 512) L(8, 1024) L(16, 128) L(16, 512) L(16, 1024)
#define MIX(A, B, C, D) \
    static Case case_mix_##A##_##B##_##C##_##D(__FILE__, "mix_" #A "_" #B "_" #C "_" #D, "mix", dim3(132), dim3(1024), 0, \
        fill_floats, reinterpret_cast<const void*>(mix<M<A, B, C, D>>), \
        [](const Pool& p) { launch(mix<M<A, B, C, D>>, dim3(132), dim3(1024), 0, p.f(4), 0.5f, 3, 200); }, \
        [](const Pool& p) { return describe(mix<M<A, B, C, D>>, p.f(4), 0.5f, 3, 200); });
MIX(4, 0, 0, 0) MIX(0, 4, 0, 0) MIX(0, 0, 4, 0) MIX(0, 0, 0, 4) MIX(4, 4, 0, 0) MIX(6, 2, 0, 0) MIX(4, 0, 4, 0)
MIX(4, 0, 0, 4) MIX(0, 4, 0, 4) MIX(0, 4, 4, 0) MIX(0, 0, 4, 4) MIX(4, 2, 2, 0) MIX(4, 2, 0, 2) MIX(2, 2, 2, 2)
#define S(K) BENCH_AS(l1_share_##K, l1_share<K>, dim3(1056), dim3(256), 0, p.f(0), p.f(4), 32)
S(8) S(16) S(20) S(24) S(26) S(28) S(29) S(30) S(31) S(32) S(34) S(36) S(40) S(48) S(64)
#define T1(T, N, S) BENCH_AS_ON(fill_words, atomics_##T##_##N##_##S, atomics_##T##_##N##_##S, dim3(1024), dim3(256), 0, p.at<T>(4))
T1(int, 1, 1) T1(int, 8, 1) T1(int, 32, 1) T1(int, 256, 1) T1(int, 256, 8) T1(int, 256, 32) T1(int, 4096, 1)
T1(int, 65536, 1) T1(float, 1, 1) T1(float, 8, 1) T1(float, 32, 1) T1(float, 256, 1) T1(float, 256, 32)
T1(float, 4096, 1) T1(float, 65536, 1)
#define CL(D) BENCH_AS(constant_lanes_##D, constant_lanes<D>, dim3(1056), dim3(256), 0, p.f(4), 256)
CL(1) CL(2) CL(4) CL(8) CL(16) CL(32)
#define PA(W) BENCH_AS(partial_##W, partial<W>, dim3(8192), dim3(256), 0, p.f(4))
PA(1) PA(2) PA(4) PA(8)
#define FL(U, T) BENCH_AS(flight_##U##_##T, flight<U>, dim3(132), dim3(T), 0, p.f(0), p.f(4), 64)
FL(1, 64) FL(4, 64) FL(16, 64) FL(1, 256) FL(4, 256) FL(16, 256) FL(1, 1024) FL(4, 1024) FL(16, 1024)
