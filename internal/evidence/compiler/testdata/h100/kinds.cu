// Eighteen loops of other kinds, each with four factors or widths: predicted before they were measured.
#include "suite.h"

template <int U>
__global__ void softmax(const float* __restrict__ in, float* __restrict__ out, int width)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    const float* r = in + (size_t)row * width;
    float top = -1e30f;
#pragma unroll U
    for (int k = lane; k < width; k += 32)
        top = fmaxf(top, r[k]);
    for (int d = 16; d > 0; d >>= 1)
        top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
    float sum = 0;
#pragma unroll U
    for (int k = lane; k < width; k += 32)
        sum += __expf(r[k] - top);
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_xor_sync(~0u, sum, d);
    float scale = 1 / sum;
#pragma unroll U
    for (int k = lane; k < width; k += 32)
        out[(size_t)row * width + k] = __expf(r[k] - top) * scale;
}

// U values of a thread, kept in registers.
template <int U>
__global__ void layernorm(const float* __restrict__ in, const float* __restrict__ gain, float* __restrict__ out)
{
    __shared__ float sums[8], squares[8];
    int t = threadIdx.x, warp = t >> 5;
    const float* r = in + blockIdx.x * (256 * U);
    float x[U], sum = 0, square = 0;
#pragma unroll
    for (int k = 0; k < U; ++k) {
        x[k] = r[k * 256 + t];
        sum += x[k];
        square += x[k] * x[k];
    }
    for (int d = 16; d > 0; d >>= 1) {
        sum += __shfl_xor_sync(~0u, sum, d);
        square += __shfl_xor_sync(~0u, square, d);
    }
    if ((t & 31) == 0) { sums[warp] = sum; squares[warp] = square; }
    __syncthreads();
    sum = square = 0;
    for (int w = 0; w < 8; ++w) { sum += sums[w]; square += squares[w]; }
    float mean = sum / (256 * U), scale = rsqrtf(square / (256 * U) - mean * mean + 1e-5f);
#pragma unroll
    for (int k = 0; k < U; ++k)
        out[blockIdx.x * (256 * U) + k * 256 + t] = (x[k] - mean) * scale * gain[k * 256 + t];
}

// A matrix of 32 x 32 and a vector for each warp.
template <int U>
__global__ void gemv_batch(const float* __restrict__ m, const float* __restrict__ v, float* __restrict__ out)
{
    int at = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    float x = v[at * 32 + lane], sum = 0;
#pragma unroll U
    for (int k = 0; k < 32; ++k)
        sum += m[(at * 32 + k) * 32 + lane] * __shfl_sync(~0u, x, k);
    out[at * 32 + lane] = sum;
}

template <int U>
__global__ void half_poly(const half2* __restrict__ in, half2* __restrict__ out, float a, float b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    half2 x = in[i], y = __float2half2_rn(a), z = __float2half2_rn(b);
    half2 one = __float2half2_rn(0.5f);
#pragma unroll U
    for (int k = 0; k < 128; ++k) {
        y = __hfma2(y, x, one);
        z = __hadd2(__hmul2(z, y), x);
    }
    out[i] = __hadd2(y, z);
}

// Each thread scans U values, the group their sums.
template <int U>
__global__ void scan(const int* __restrict__ in, int* __restrict__ out)
{
    __shared__ int line[256 * U], part[256];
    int t = threadIdx.x, b = blockIdx.x * (256 * U);
#pragma unroll
    for (int k = 0; k < U; ++k)
        line[k * 256 + t] = in[b + k * 256 + t];
    __syncthreads();
    int x[U], sum = 0;
#pragma unroll
    for (int k = 0; k < U; ++k) {
        sum += line[t * U + k];
        x[k] = sum;
    }
    part[t] = sum;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int y = t >= d ? part[t - d] : 0;
        __syncthreads();
        part[t] += y;
        __syncthreads();
    }
    int before = t ? part[t - 1] : 0;
#pragma unroll
    for (int k = 0; k < U; ++k)
        line[t * U + k] = x[k] + before;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < U; ++k)
        out[b + k * 256 + t] = line[k * 256 + t];
}

// Sums of segments within warps, the heads of which are flagged.
template <int U>
__global__ void segments(const unsigned* __restrict__ in, unsigned* __restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    unsigned x = in[i];
#pragma unroll U
    for (int r = 0; r < rounds; ++r) {
        unsigned heads = __ballot_sync(~0u, ((x >> r) & 7) == 0) | 1;
        int head = 31 - __clz(heads & (~0u >> (31 - lane)));
        for (int d = 1; d < 32; d *= 2) {
            unsigned y = __shfl_up_sync(~0u, x, d);
            if (lane - d >= head) x += y;
        }
    }
    out[i] = x;
}

template <int U>
__global__ void bitonic(const unsigned* __restrict__ in, unsigned* __restrict__ out)
{
    __shared__ unsigned s[512];
    int t = threadIdx.x, b = blockIdx.x * 512;
    s[t] = in[b + t];
    s[t + 256] = in[b + t + 256];
    for (int size = 2; size <= 512; size *= 2)
#pragma unroll U
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int at = 2 * t - (t & (stride - 1));
            unsigned x = s[at], y = s[at + stride];
            bool up = (at & size) == 0;
            if ((x > y) == up) { s[at] = y; s[at + stride] = x; }
        }
    __syncthreads();
    out[b + t] = s[t];
    out[b + t + 256] = s[t + 256];
}

// Seven points; planes behind, here and ahead rotate through registers.
template <int U>
__global__ void stencil3(const float* __restrict__ in, float* __restrict__ out, int n, int planes, float a, float c)
{
    int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1;
    const float* p = in + y * n + x;
    float* q = out + y * n + x;
    int plane = n * n;
    float behind = p[0], here = p[plane];
#pragma unroll U
    for (int z = 1; z < planes - 1; ++z) {
        float ahead = p[(z + 1) * plane];
        const float* h = p + z * plane;
        q[z * plane] = a * here + c * (behind + ahead + h[-1] + h[1] + h[-n] + h[n]);
        behind = here;
        here = ahead;
    }
}

// Diagonals of a sparse matrix.
template <int U>
__global__ void diagonals(const float* __restrict__ d, const float* __restrict__ x, float* __restrict__ out, int n, int count)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll U
    for (int k = 0; k < count; ++k) {
        int column = row + (k - 8) * 48;
        if (column >= 0 && column < n)
            sum += d[k * n + row] * x[column];
    }
    out[row] = sum;
}

template <int U>
__global__ void philox(unsigned* __restrict__ out, unsigned key, int rounds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned c0 = i, c1 = 0, c2 = 1, c3 = 2, k0 = key, k1 = ~key;
#pragma unroll U
    for (int r = 0; r < rounds; ++r) {
        unsigned h0 = __umulhi(0xD2511F53u, c0), l0 = 0xD2511F53u * c0;
        unsigned h1 = __umulhi(0xCD9E8D57u, c2), l1 = 0xCD9E8D57u * c2;
        c0 = h1 ^ c1 ^ k0; c1 = l1; c2 = h0 ^ c3 ^ k1; c3 = l0;
        k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
    }
    out[i] = c0 ^ c1 ^ c2 ^ c3;
}

// Pi by xorshift: hits of the unit circle.
template <int U>
__global__ void hits(const unsigned* __restrict__ seeds, int* __restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    unsigned s = seeds[i] | 1;
#pragma unroll U
    for (int k = 0; k < n; ++k) {
        s ^= s << 13; s ^= s >> 17; s ^= s << 5;
        float x = s * 2.3283064e-10f;
        s ^= s << 13; s ^= s >> 17; s ^= s << 5;
        float y = s * 2.3283064e-10f;
        if (x * x + y * y < 1) ++count;
    }
    out[i] = count;
}

// Radix 4 in shared memory: 1024 points of a group of 256.
template <int U>
__global__ void fft(const float2* __restrict__ in, float2* __restrict__ out)
{
    __shared__ float re[1024], im[1024];
    int t = threadIdx.x, b = blockIdx.x * 1024;
    float2 v[4];
    for (int k = 0; k < 4; ++k)
        v[k] = in[b + t + k * 256];
#pragma unroll U
    for (int step = 1; step < 1024; step *= 4) {
        int j = t & (step - 1);
        float angle = -6.2831853f * j / (4 * step);
        for (int k = 1; k < 4; ++k) {
            float s = __sinf(angle * k), c = __cosf(angle * k), x = v[k].x, y = v[k].y;
            v[k] = make_float2(x * c - y * s, x * s + y * c);
        }
        float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), e = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
        float2 f = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), g = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
        int at = (t - j) * 4 + j;
        __syncthreads();
        re[at] = a.x + f.x; im[at] = a.y + f.y;
        re[at + step] = e.x + g.x; im[at + step] = e.y + g.y;
        re[at + 2 * step] = a.x - f.x; im[at + 2 * step] = a.y - f.y;
        re[at + 3 * step] = e.x - g.x; im[at + 3 * step] = e.y - g.y;
        __syncthreads();
        for (int k = 0; k < 4; ++k)
            v[k] = make_float2(re[t + k * 256], im[t + k * 256]);
    }
    for (int k = 0; k < 4; ++k)
        out[b + t + k * 256] = v[k];
}

__device__ float normal_share(float d)
{
    float k = 1 / (1 + 0.2316419f * fabsf(d));
    float c = 0.39894228f * __expf(-0.5f * d * d) *
        (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - c : c;
}

// U options of a thread.
template <int U>
__global__ void black_scholes(const float* __restrict__ price, const float* __restrict__ strike,
                              const float* __restrict__ years, float* __restrict__ call, float* __restrict__ put,
                              float rate, float volatility)
{
    int all = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int k = 0; k < U; ++k, i += all) {
        float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
        float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
        float d2 = d1 - volatility * root, n1 = normal_share(d1), n2 = normal_share(d2), e = expf(-rate * t);
        call[i] = s * n1 - x * e * n2;
        put[i] = x * e * (1 - n2) - s * (1 - n1);
    }
}

template <int U>
__global__ void nearest(const float4* __restrict__ points, const float4* __restrict__ centres, int* __restrict__ out)
{
    __shared__ float4 c[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 64) c[threadIdx.x] = centres[threadIdx.x];
    __syncthreads();
    float4 p = points[i];
    float best = 1e30f;
    int which = 0;
#pragma unroll U
    for (int k = 0; k < 64; ++k) {
        float4 q = c[k];
        float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z, w = p.w - q.w;
        float d = x * x + y * y + z * z + w * w;
        if (d < best) { best = d; which = k; }
    }
    out[i] = which;
}

template <int U>
__global__ void gravity(const double4* __restrict__ bodies, double4* __restrict__ out, int n)
{
    __shared__ double4 tile[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    double4 p = bodies[i];
    double ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n; t += 128) {
        tile[threadIdx.x] = bodies[t + threadIdx.x];
        __syncthreads();
#pragma unroll U
        for (int k = 0; k < 128; ++k) {
            double x = tile[k].x - p.x, y = tile[k].y - p.y, z = tile[k].z - p.z;
            double r2 = x * x + y * y + z * z + 0.01, r = rsqrt(r2), f = tile[k].w * r * r * r;
            ax += f * x; ay += f * y; az += f * z;
        }
        __syncthreads();
    }
    out[i] = make_double4(ax, ay, az, 0);
}

template <int U>
__global__ void grey(const uchar4* __restrict__ in, unsigned char* __restrict__ out, int n)
{
    int all = gridDim.x * blockDim.x;
#pragma unroll U
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all) {
        uchar4 p = in[i];
        out[i] = (77 * p.x + 150 * p.y + 29 * p.z + 128) >> 8;
    }
}

// A tile of 32 x 32 of a group of 32 x (32 / U).
template <int U>
__global__ void turn(const float* __restrict__ in, float* __restrict__ out, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int k = 0; k < 32; k += 32 / U)
        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int k = 0; k < 32; k += 32 / U)
        out[(y + k) * height + x] = tile[threadIdx.x][threadIdx.y + k];
}

template <int U>
__global__ void congruence(const unsigned* __restrict__ in, unsigned* __restrict__ out, unsigned divisor, unsigned modulus)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = in[i], sum = 0;
#pragma unroll U
    for (int k = 0; k < 24; ++k) {
        sum += x / divisor;
        x = (x * 1664525u + 1013904223u) % modulus + k;
    }
    out[i] = sum + x;
}

template <int U>
__global__ void letters(const unsigned char* __restrict__ text, int* __restrict__ out, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x, words = 0;
    int before = ' ';
#pragma unroll U
    for (int k = 0; k < length; ++k) {
        int c = text[k * all + i];
        if (c >= 'A' && c <= 'Z') c += 32;
        bool letter = c >= 'a' && c <= 'z';
        words += letter & (before == ' ');
        before = letter ? c : ' ';
    }
    out[i] = words;
}

// Fields of a structure, one after the other.
struct Particle { float x, y, z, vx, vy, vz; };
template <int U>
__global__ void particles(Particle* __restrict__ p, float dt, float g, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Particle a = p[i];
#pragma unroll U
    for (int r = 0; r < rounds; ++r) {
        a.vy -= g * dt;
        a.x += a.vx * dt; a.y += a.vy * dt; a.z += a.vz * dt;
        if (a.y < 0) { a.y = -a.y; a.vy = -0.9f * a.vy; }
    }
    p[i] = a;
}

// A batch of products of 64 x 64 matrices: BX x BY threads, each with TX columns BX apart and TY rows.
template <int BX, int BY, int TX, int TY, int SHARED, int U>
__global__ void __launch_bounds__(BX * BY) batched(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c)
{
    __shared__ float sa[BY * TY][SHARED ? 65 : 1], sb[SHARED ? 64 : 1][BX * TX];
    int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * (BX * TX), y0 = blockIdx.y * (BY * TY);
    a += blockIdx.z * 4096; b += blockIdx.z * 4096; c += blockIdx.z * 4096;
    if (SHARED) {
        for (int k = ty * BX + tx; k < BY * TY * 64; k += BX * BY)
            sa[k / 64][k % 64] = a[y0 * 64 + k];
        for (int k = ty; k < 64; k += BY)
#pragma unroll
            for (int i = 0; i < TX; ++i)
                sb[k][tx + i * BX] = b[k * 64 + x0 + tx + i * BX];
        __syncthreads();
    }
    float sum[TY][TX] = {};
#pragma unroll U
    for (int k = 0; k < 64; ++k) {
        float row[TX];
#pragma unroll
        for (int i = 0; i < TX; ++i)
            row[i] = SHARED ? sb[k][tx + i * BX] : b[k * 64 + x0 + tx + i * BX];
#pragma unroll
        for (int j = 0; j < TY; ++j) {
            float left = SHARED ? sa[ty * TY + j][k] : a[(y0 + ty * TY + j) * 64 + k];
#pragma unroll
            for (int i = 0; i < TX; ++i)
                sum[j][i] += left * row[i];
        }
    }
#pragma unroll
    for (int j = 0; j < TY; ++j)
#pragma unroll
        for (int i = 0; i < TX; ++i)
            c[(y0 + ty * TY + j) * 64 + x0 + tx + i * BX] = sum[j][i];
}

#define EACH(B) B(1) B(2) B(4) B(8)
#define X(U) BENCH_AS(softmax_u##U, softmax<U>, dim3(1024), dim3(256), 0, p.f(0), p.f(4), 1024)
EACH(X)
#undef X
#define X(U) BENCH_AS(layernorm_u##U, layernorm<U>, dim3(32768 / U), dim3(256), 0, p.f(0), p.f(1), p.f(4))
EACH(X)
#undef X
#define X(U) BENCH_AS(gemv_batch_u##U, gemv_batch<U>, dim3(1024), dim3(256), 0, p.f(0), p.f(3), p.f(4))
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_halves, half_poly_u##U, half_poly<U>, dim3(4096), dim3(256), 0, p.at<half2>(0), p.at<half2>(4), 0.3f, 0.7f)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, scan_u##U, scan<U>, dim3(16384 / U), dim3(256), 0, p.i(0), p.i(4))
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, segments_u##U, segments<U>, dim3(4096), dim3(256), 0, p.u(0), p.u(4), 16)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, bitonic_u##U, bitonic<U>, dim3(4096), dim3(256), 0, p.u(0), p.u(4))
EACH(X)
#undef X
#define X(U) BENCH_AS(stencil3_u##U, stencil3<U>, dim3(8, 32), dim3(32, 8), 0, p.f(0), p.f(4), 258, 130, 0.4f, 0.1f)
EACH(X)
#undef X
#define X(U) BENCH_AS(diagonals_u##U, diagonals<U>, dim3(1024), dim3(256), 0, p.f(0), p.f(3), p.f(4), 262144, 17)
EACH(X)
#undef X
#define X(U) BENCH_AS(philox_u##U, philox<U>, dim3(8192), dim3(256), 0, p.u(4), 12345u, 40)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, hits_u##U, hits<U>, dim3(2048), dim3(256), 0, p.u(0), p.i(4), 64)
EACH(X)
#undef X
#define X(U) BENCH_AS(fft_u##U, fft<U>, dim3(4096), dim3(256), 0, p.at<float2>(0), p.at<float2>(4))
X(1) X(2) X(5)
#undef X
#define X(U) BENCH_AS(black_scholes_u##U, black_scholes<U>, dim3(16384 / U), dim3(256), 0, p.f(0), p.f(1), p.f(2), p.f(3), p.f(4), 0.02f, 0.3f)
EACH(X)
#undef X
#define X(U) BENCH_AS(nearest_u##U, nearest<U>, dim3(8192), dim3(128), 0, p.at<float4>(0), p.at<float4>(2), p.i(4))
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_doubles, gravity_u##U, gravity<U>, dim3(264), dim3(128), 0, p.at<double4>(0), p.at<double4>(4), 1024)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, grey_u##U, grey<U>, dim3(1056), dim3(256), 0, p.at<uchar4>(0), p.b(4), 4325376)
EACH(X)
#undef X
#define X(U) BENCH_AS(turn_u##U, turn<U>, dim3(64, 64), dim3(32, 32 / U), 0, p.f(0), p.f(4), 2048, 2048)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, congruence_u##U, congruence<U>, dim3(2048), dim3(256), 0, p.u(0), p.u(4), 1009u, 999983u)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, letters_u##U, letters<U>, dim3(1024), dim3(256), 0, p.b(0), p.i(4), 100)
EACH(X)
#undef X
#define X(U) BENCH_AS(particles_u##U, particles<U>, dim3(4096), dim3(256), 0, p.at<Particle>(0), 0.001f, 9.81f, 64)
EACH(X)
#undef X

#define S(BX, BY, TX, TY, SHARED, U) \
    static auto& batched_##BX##_##BY##_##TX##_##TY##_##SHARED##_u##U = batched<BX, BY, TX, TY, SHARED, U>; \
    BENCH_AS(batched_##BX##_##BY##_##TX##_##TY##_##SHARED##_u##U, batched_##BX##_##BY##_##TX##_##TY##_##SHARED##_u##U, \
             dim3(64 / (BX * TX), 64 / (BY * TY), 1024), dim3(BX, BY), 0, p.f(0), p.f(1), p.f(4))
#define UNROLLS(BX, BY, TX, TY, SHARED) S(BX, BY, TX, TY, SHARED, 1) S(BX, BY, TX, TY, SHARED, 4) S(BX, BY, TX, TY, SHARED, 16)
UNROLLS(16, 16, 1, 1, 1)
UNROLLS(16, 16, 2, 2, 1)
UNROLLS(16, 16, 4, 4, 1)
UNROLLS(32, 8, 1, 4, 1)
UNROLLS(32, 8, 2, 2, 1)
UNROLLS(32, 4, 2, 8, 1)
UNROLLS(8, 8, 4, 4, 1)
UNROLLS(16, 16, 1, 1, 0)
UNROLLS(16, 16, 4, 4, 0)
UNROLLS(32, 8, 1, 2, 0)
UNROLLS(32, 8, 2, 4, 0)
UNROLLS(32, 4, 1, 8, 0)
UNROLLS(8, 8, 8, 4, 0)
