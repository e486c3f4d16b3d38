// Fourteen more loops, each with the factors 1, 2, 4 and 8: predicted before they were measured.
#include "suite.h"

__constant__ unsigned remainders[256];
__constant__ float taps[32];

template <int U>
__global__ void logsum(const float* __restrict__ in, float* __restrict__ out)
{
    __shared__ float row[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float me = in[i];
    row[threadIdx.x] = me;
    __syncthreads();
    float sum = 0;
#pragma unroll U
    for (int k = 0; k < 96; ++k)
        sum += __logf(row[k] + me);
    out[i] = sum;
}

template <int U>
__global__ void blend(const float* __restrict__ image, float* __restrict__ out, float dx, float dy)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float sum = 0, fx = x * 0.5f, fy = y * 0.5f;
#pragma unroll U
    for (int k = 0; k < 32; ++k) {
        int ix = int(fx), iy = int(fy);
        float a = fx - ix, b = fy - iy;
        const float* p = image + iy * 2048 + ix;
        float top = p[0] + a * (p[1] - p[0]), low = p[2048] + a * (p[2049] - p[2048]);
        sum += top + b * (low - top);
        fx += dx;
        fy += dy;
    }
    out[y * 1024 + x] = sum;
}

template <int U>
__global__ void residue(const unsigned* __restrict__ in, unsigned* __restrict__ out, unsigned q, unsigned inverse)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = in[i], y = 1;
#pragma unroll U
    for (int k = 0; k < 64; ++k) {
        unsigned m = y * x, h = __umulhi(y, x);
        unsigned t = __umulhi(m * inverse, q);
        y = h - t + (h < t ? q : 0);
    }
    out[i] = y;
}

template <int U>
__global__ void warp_rows(const float* __restrict__ m, const float* __restrict__ v, float* __restrict__ out, int width)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    const float* r = m + (size_t)row * width;
    float sum = 0;
#pragma unroll U
    for (int k = lane; k < width; k += 32)
        sum += r[k] * v[k];
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0)
        out[row] = sum;
}

template <int U>
__global__ void wave(const float* __restrict__ in, float* __restrict__ out, float c, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float now = in[i], before = now * 0.5f;
#pragma unroll U
    for (int s = 0; s < steps; ++s) {
        float left = __shfl_up_sync(~0u, now, 1), right = __shfl_down_sync(~0u, now, 1);
        float next = 2 * now - before + c * (left - 2 * now + right);
        before = now;
        now = next;
    }
    out[i] = now;
}

template <int U>
__global__ void orbit(const float4* __restrict__ in, float4* __restrict__ out, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = in[i];
    float vx = 0.1f, vy = 0.2f, vz = 0.3f;
#pragma unroll U
    for (int k = 0; k < 48; ++k) {
        float r2 = p.x * p.x + p.y * p.y + p.z * p.z + 0.01f;
        float r = rsqrtf(r2), f = -p.w * r * r * r * dt;
        vx += f * p.x; vy += f * p.y; vz += f * p.z;
        p.x += vx * dt; p.y += vy * dt; p.z += vz * dt;
    }
    out[i] = p;
}

template <int U>
__global__ void crc(const unsigned* __restrict__ in, unsigned* __restrict__ out, int words)
{
    __shared__ unsigned table[256];
    table[threadIdx.x] = remainders[threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned c = ~0u;
#pragma unroll U
    for (int k = 0; k < words; ++k) {
        unsigned w = in[i + k * 65536];
        c = table[(c ^ w) & 255] ^ (c >> 8);
        c = table[(c ^ (w >> 16)) & 255] ^ (c >> 8);
    }
    out[i] = c;
}

template <int U>
__global__ void spread(const float* __restrict__ in, float* __restrict__ out, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
#pragma unroll U
    for (int k = 0; k < 24; ++k) {
        x = x * a + 1;
        out[k * 262144 + i] = x;
    }
}

template <int U>
__global__ void slide(const float* __restrict__ in, float* __restrict__ out)
{
    __shared__ float line[512 + 32];
    int t = threadIdx.x, b = blockIdx.x * 512;
    for (int k = t; k < 544; k += 128)
        line[k] = in[b + k];
    __syncthreads();
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma unroll U
    for (int k = 0; k < 32; ++k) {
        float c = taps[k];
        s0 += c * line[t + k];
        s1 += c * line[t + 128 + k];
        s2 += c * line[t + 256 + k];
        s3 += c * line[t + 384 + k];
    }
    out[b + t] = s0; out[b + t + 128] = s1; out[b + t + 256] = s2; out[b + t + 384] = s3;
}

template <int U>
__global__ void bytes(const char4* __restrict__ a, const char4* __restrict__ b, int* __restrict__ out, int n)
{
    __shared__ int part[128];
    int i = blockIdx.x * 128 + threadIdx.x, sum = 0;
    const int* bw = reinterpret_cast<const int*>(b);
    const int* aw = reinterpret_cast<const int*>(a);
    for (int t = 0; t < n; t += 128) {
        part[threadIdx.x] = bw[t + threadIdx.x];
        __syncthreads();
#pragma unroll U
        for (int k = 0; k < 128; ++k)
            sum = __dp4a(aw[i] ^ k, part[k], sum);
        __syncthreads();
    }
    out[i] = sum;
}

template <int U>
__global__ void digits(const unsigned* __restrict__ in, unsigned* __restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = in[i], s = 0;
#pragma unroll U
    for (int k = 0; k < 40; ++k) {
        s += x % 10;
        x = x / 10 + (__brev(x) >> 3);
    }
    out[i] = s;
}

template <int U>
__global__ void triangle(const float* __restrict__ in, float* __restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], sum = 0;
    for (int a = 0; a < n; ++a) {
        float y = x + a;
#pragma unroll U
        for (int b = 0; b < a; ++b)
            y = y * x + b;
        sum += y;
    }
    out[i] = sum;
}

template <int U>
__global__ void stretch(const double* __restrict__ in, double* __restrict__ out, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double low = 1e300, high = -1e300;
#pragma unroll U
    for (int r = 0; r < rows; ++r) {
        double x = in[r * 65536 + i];
        low = fmin(low, x);
        high = fmax(high, x);
    }
    out[i] = high - low;
}

template <int U>
__global__ void relax(float* __restrict__ out, const float* __restrict__ in, int steps)
{
    __shared__ float a[2][258];
    int t = threadIdx.x + 1, i = blockIdx.x * 256 + threadIdx.x;
    a[0][t] = in[i];
    if (t == 1) { a[0][0] = a[1][0] = 0; a[0][257] = a[1][257] = 0; }
    __syncthreads();
#pragma unroll U
    for (int s = 0; s < steps; ++s) {
        a[(s + 1) & 1][t] = 0.25f * a[s & 1][t - 1] + 0.5f * a[s & 1][t] + 0.25f * a[s & 1][t + 1];
        __syncthreads();
    }
    out[i] = a[steps & 1][t];
}

CONSTANT(remainders)
CONSTANT(taps)
#define EACH(B) B(1) B(2) B(4) B(8)
#define X(U) BENCH_AS(logsum_u##U, logsum<U>, dim3(16384), dim3(128), 0, p.f(0), p.f(4))
EACH(X)
#undef X
#define X(U) BENCH_AS(blend_u##U, blend<U>, dim3(32, 128), dim3(32, 8), 0, p.f(0), p.f(4), 1.25f, 0.75f)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, residue_u##U, residue<U>, dim3(8192), dim3(256), 0, p.u(0), p.u(4), 2147483647u, 2147483649u)
EACH(X)
#undef X
#define X(U) BENCH_AS(warp_rows_u##U, warp_rows<U>, dim3(1024), dim3(256), 0, p.f(0), p.f(3), p.f(4), 2048)
EACH(X)
#undef X
#define X(U) BENCH_AS(wave_u##U, wave<U>, dim3(4096), dim3(256), 0, p.f(0), p.f(4), 0.3f, 100)
EACH(X)
#undef X
#define X(U) BENCH_AS(orbit_u##U, orbit<U>, dim3(4096), dim3(128), 0, p.at<float4>(0), p.at<float4>(4), 0.01f)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, crc_u##U, crc<U>, dim3(256), dim3(256), 0, p.u(0), p.u(4), 200)
EACH(X)
#undef X
#define X(U) BENCH_AS(spread_u##U, spread<U>, dim3(1024), dim3(256), 0, p.f(0), p.f(2), 0.9f)
EACH(X)
#undef X
#define X(U) BENCH_AS(slide_u##U, slide<U>, dim3(8192), dim3(128), 0, p.f(0), p.f(4))
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, bytes_u##U, bytes<U>, dim3(4096), dim3(128), 0, p.at<char4>(0), p.at<char4>(1), p.i(4), 512)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, digits_u##U, digits<U>, dim3(8192), dim3(256), 0, p.u(0), p.u(4))
EACH(X)
#undef X
#define X(U) BENCH_AS(triangle_u##U, triangle<U>, dim3(2048), dim3(256), 0, p.f(0), p.f(4), 40)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_doubles, stretch_u##U, stretch<U>, dim3(256), dim3(256), 0, p.d(0), p.d(6), 400)
EACH(X)
#undef X
#define X(U) BENCH_AS(relax_u##U, relax<U>, dim3(8192), dim3(256), 0, p.f(4), p.f(0), 64)
EACH(X)
#undef X
