// Sixteen loops, each with the factors 1, 2, 4, 8 and 16 (f) or whole where the count is constant.
#include "suite.h"

__constant__ float coefficients[64];

template <int U>
__global__ void horner(const float* __restrict__ in, float* __restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], y = 0;
#pragma unroll U
    for (int k = 0; k < 64; ++k)
        y = y * x + coefficients[k];
    out[i] = y;
}

template <int U>
__global__ void dot(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float sum = 0;
#pragma unroll U
    for (int k = 0; k < n; ++k)
        sum += a[i + k * all] * b[i + k * all];
    out[i] = sum;
}

template <int U>
__global__ void mandel(float* __restrict__ out, float step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float cx = (i & 1023) * step - 0.7f, cy = (i >> 10) * step - 0.3f, x = 0, y = 0;
#pragma unroll U
    for (int k = 0; k < 256; ++k) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
    }
    out[i] = x + y;
}

template <int U>
__global__ void lookup(const float* __restrict__ in, float* __restrict__ out)
{
    __shared__ float table[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    table[threadIdx.x] = in[i];
    __syncthreads();
    float sum = 0;
#pragma unroll U
    for (int k = 0; k < 64; ++k)
        sum += table[(threadIdx.x + k * 5) & 255];
    out[i] = sum;
}

template <int U>
__global__ void columns(const float* __restrict__ in, float* __restrict__ out, int rows, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll U
    for (int r = 0; r < rows; ++r)
        sum += in[r * pitch + i];
    out[i] = sum;
}

template <int U>
__global__ void smooth(const float* __restrict__ in, float* __restrict__ out, int steps)
{
    __shared__ float line[256 + 32];
    int i = blockIdx.x * 256 + threadIdx.x;
    line[threadIdx.x] = in[i];
    if (threadIdx.x < 32)
        line[256 + threadIdx.x] = in[i + 256];
    __syncthreads();
    float sum = 0;
    for (int s = 0; s < steps; ++s) {
#pragma unroll U
        for (int k = 0; k < 32; ++k)
            sum = sum * 0.5f + line[threadIdx.x + k];
    }
    out[i] = sum;
}

template <int U>
__global__ void hash(const unsigned* __restrict__ in, unsigned* __restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = in[i], s = 0;
#pragma unroll U
    for (int k = 0; k < 128; ++k) {
        h ^= h << 13;
        h ^= h >> 17;
        h ^= h << 5;
        s += h * 2654435761u;
    }
    out[i] = s;
}

template <int U>
__global__ void softsum(const float* __restrict__ in, float* __restrict__ out, float scale)
{
    __shared__ float row[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float me = in[i];
    row[threadIdx.x] = me;
    __syncthreads();
    float sum = 0;
#pragma unroll U
    for (int k = 0; k < 128; ++k)
        sum += __expf(row[k] * scale - me);
    out[i] = sum;
}

template <int U>
__global__ void hamming(const unsigned* __restrict__ in, unsigned* __restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned me = in[i];
    int least = 32;
#pragma unroll U
    for (int k = 0; k < n; ++k)
        least = min(least, __popc(me ^ in[k]));
    out[i] = least;
}

template <int U>
__global__ void horner_double(const double* __restrict__ in, double* __restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = in[i], y = 1, z = 2;
#pragma unroll U
    for (int k = 0; k < 64; ++k) {
        y = y * x + 0.25;
        z = z * x + 0.75;
    }
    out[i] = y + z;
}

template <int U>
__global__ void rows(const float4* __restrict__ m, const float4* __restrict__ v, float* __restrict__ out, int n)
{
    __shared__ float4 part[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    float sum = 0;
    for (int b = 0; b < n; b += 64) {
        part[threadIdx.x] = v[b + threadIdx.x];
        __syncthreads();
#pragma unroll U
        for (int k = 0; k < 64; ++k) {
            float4 a = m[(b + k) * 65536 + i], x = part[k];
            sum += a.x * x.x + a.y * x.y + a.z * x.z + a.w * x.w;
        }
        __syncthreads();
    }
    out[i] = sum;
}

template <int U>
__global__ void above(const float* __restrict__ in, float* __restrict__ out, float limit, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    int count = 0;
#pragma unroll U
    for (int k = 0; k < n; ++k) {
        float x = in[i + k * 64];
        if (x > limit) {
            sum += x;
            ++count;
        }
    }
    out[i] = sum / count;
}

template <int U>
__global__ void nearest(const float2* __restrict__ points, const float2* __restrict__ centres, int* __restrict__ out)
{
    __shared__ float2 centre[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    centre[threadIdx.x] = centres[threadIdx.x];
    __syncthreads();
    float2 p = points[i];
    float best = 1e30f;
    int where = 0;
#pragma unroll U
    for (int k = 0; k < 128; ++k) {
        float dx = p.x - centre[k].x, dy = p.y - centre[k].y, d = dx * dx + dy * dy;
        if (d < best) {
            best = d;
            where = k;
        }
    }
    out[i] = where;
}

template <int U>
__global__ void recursive(const float* __restrict__ in, float* __restrict__ out, float a, int rows, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float y = 0;
#pragma unroll U
    for (int r = 0; r < rows; ++r) {
        y = y * a + in[r * pitch + i];
        out[r * pitch + i] = y;
    }
}

template <int U>
__global__ void halves(const half2* __restrict__ in, half2* __restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    half2 x = in[i], y = x, z = in[i + 1];
#pragma unroll U
    for (int k = 0; k < 128; ++k) {
        y = __hfma2(y, x, z);
        z = __hfma2(z, x, y);
    }
    out[i] = __hadd2(y, z);
}

template <int U>
__global__ void pick(const float* __restrict__ table, const int* __restrict__ index, float* __restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float sum = 0;
#pragma unroll U
    for (int k = 0; k < n; ++k)
        sum += table[index[i + k * all] & 8191];
    out[i] = sum;
}

CONSTANT(coefficients)
#define EACH(B) B(1) B(2) B(4) B(8) B(16)
#define X(U) BENCH_AS(horner_u##U, horner<U>, dim3(16384), dim3(256), 0, p.f(0), p.f(4))
EACH(X)
#undef X
#define X(U) BENCH_AS(dot_u##U, dot<U>, dim3(1024), dim3(256), 0, p.f(0), p.f(1), p.f(4), 60)
EACH(X)
#undef X
#define X(U) BENCH_AS(mandel_u##U, mandel<U>, dim3(4096), dim3(256), 0, p.f(4), 0.001f)
EACH(X)
#undef X
#define X(U) BENCH_AS(lookup_u##U, lookup<U>, dim3(16384), dim3(256), 0, p.f(0), p.f(4))
EACH(X)
#undef X
#define X(U) BENCH_AS(columns_u##U, columns<U>, dim3(256), dim3(128), 0, p.f(0), p.f(4), 400, 32768)
EACH(X)
#undef X
#define X(U) BENCH_AS(smooth_u##U, smooth<U>, dim3(4096), dim3(256), 0, p.f(0), p.f(4), 16)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, hash_u##U, hash<U>, dim3(8192), dim3(256), 0, p.u(0), p.u(4))
EACH(X)
#undef X
#define X(U) BENCH_AS(softsum_u##U, softsum<U>, dim3(16384), dim3(128), 0, p.f(0), p.f(4), 0.5f)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, hamming_u##U, hamming<U>, dim3(4096), dim3(256), 0, p.u(0), p.u(4), 200)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_doubles, horner_double_u##U, horner_double<U>, dim3(8192), dim3(128), 0, p.d(0), p.d(4))
EACH(X)
#undef X
#define X(U) BENCH_AS(rows_u##U, rows<U>, dim3(1024), dim3(64), 0, p.at<float4>(0), p.at<float4>(4), p.f(5), 192)
EACH(X)
#undef X
#define X(U) BENCH_AS(above_u##U, above<U>, dim3(8192), dim3(256), 0, p.f(0), p.f(4), 0.5f, 100)
EACH(X)
#undef X
#define X(U) BENCH_AS(nearest_u##U, nearest<U>, dim3(8192), dim3(128), 0, p.at<float2>(0), p.at<float2>(1), p.i(4))
EACH(X)
#undef X
#define X(U) BENCH_AS(recursive_u##U, recursive<U>, dim3(512), dim3(64), 0, p.f(0), p.f(2), 0.9f, 200, 32768)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_halves, halves_u##U, halves<U>, dim3(8192), dim3(256), 0, p.at<half2>(0), p.at<half2>(4))
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_indices, pick_u##U, pick<U>, dim3(1024), dim3(256), 0, p.f(0), p.i(2), p.f(4), 50)
EACH(X)
#undef X
