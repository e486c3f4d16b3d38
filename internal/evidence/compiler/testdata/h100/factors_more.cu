// Twelve more loops, each with the factors 1, 2, 4 and 8: for a check of what the first sixteen led to.
#include "suite.h"

__constant__ float window[32];

template <int U>
__global__ void complex_power(const float2* __restrict__ in, float2* __restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 z = in[i], w = make_float2(1, 0);
#pragma unroll U
    for (int k = 0; k < 64; ++k)
        w = make_float2(w.x * z.x - w.y * z.y, w.x * z.y + w.y * z.x);
    out[i] = w;
}

template <int U>
__global__ void bytes_sum(const unsigned char* __restrict__ in, int* __restrict__ out, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
#pragma unroll U
    for (int k = 0; k < n; ++k)
        s += in[k * pitch + i];
    out[i] = s;
}

template <int U>
__global__ void windowed(const float* __restrict__ in, float* __restrict__ out, int n)
{
    __shared__ float part[256 + 32];
    int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = in[i];
    if (threadIdx.x < 32)
        part[threadIdx.x + 256] = in[i + 256];
    __syncthreads();
    float a = 0, b = 0;
    for (int r = 0; r < n; ++r)
#pragma unroll U
        for (int k = 0; k < 32; ++k) {
            float x = part[threadIdx.x + k];
            a += x * window[k];
            b = fmaxf(b, x);
        }
    out[i] = a + b;
}

template <int U>
__global__ void vertical(const float* __restrict__ in, float* __restrict__ out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float s = 0;
#pragma unroll U
    for (int k = -8; k < 8; ++k) {
        int r = min(max(y + k, 0), h - 1);
        s += in[r * w + x];
    }
    out[y * w + x] = s;
}

template <int U>
__global__ void gravity(const float4* __restrict__ body, float4* __restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    float ax = 0, ay = 0, az = 0;
#pragma unroll U
    for (int j = 0; j < n; ++j) {
        float4 o = body[j];
        float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
        float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        r = o.w * r * r * r;
        ax += r * dx;
        ay += r * dy;
        az += r * dz;
    }
    out[i] = make_float4(ax, ay, az, 0);
}

template <int U>
__global__ void bits_mixed(const unsigned* __restrict__ in, unsigned* __restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = in[i], b = a * 3 + 1;
#pragma unroll U
    for (int k = 0; k < rounds; ++k) {
        a = (a << 7 | a >> 25) + b;
        b = (b ^ a) + (a & 0x0f0f0f0f);
    }
    out[i] = a ^ b;
}

template <int U>
__global__ void matvec_shared(const float* __restrict__ m, const float* __restrict__ v, float* __restrict__ out, int n)
{
    __shared__ float x[1024];
    for (int k = threadIdx.x; k < 1024; k += 256)
        x[k] = v[k];
    __syncthreads();
    int row = blockIdx.x * 256 + threadIdx.x;
    float s = 0;
#pragma unroll U
    for (int k = 0; k < n; ++k)
        s += m[k * 65536 + row] * x[k];
    out[row] = s;
}

template <int U>
__global__ void polynomial_error(const double* __restrict__ in, double* __restrict__ out, double c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = in[i], y = 0, e = 0;
#pragma unroll U
    for (int k = 0; k < 32; ++k) {
        double t = y * x + c;
        e += t - y;
        y = t;
    }
    out[i] = y + e;
}

template <int U>
__global__ void copy_strided(const float4* __restrict__ in, float4* __restrict__ out, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll U
    for (int k = 0; k < n; ++k)
        out[i + k * stride] = in[i + k * stride];
}

template <int U>
__global__ void clipped(const float* __restrict__ in, float* __restrict__ out, float low, float high, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0, x = in[i];
#pragma unroll U
    for (int k = 0; k < n; ++k) {
        x = x * 1.5f - 0.25f;
        if (x < low)
            x = low;
        if (x > high)
            x -= high;
        s += sqrtf(x);
    }
    out[i] = s;
}

template <int U>
__global__ void tile_transpose_add(const float* __restrict__ a, float* __restrict__ b, int n)
{
    __shared__ float t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll U
    for (int k = 0; k < 32; k += 4)
        t[threadIdx.y + k][threadIdx.x] = a[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll U
    for (int k = 0; k < 32; k += 4)
        b[(y + k) * n + x] = t[threadIdx.x][threadIdx.y + k] + 1.0f;
}

template <int U>
__global__ void scan_rows(const int* __restrict__ in, int* __restrict__ out, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, most = 0, s = 0;
#pragma unroll U
    for (int k = 0; k < n; ++k) {
        s += in[k * pitch + i] & 255;
        most = max(most, s - k);
        out[k * pitch + i] = most;
    }
}

CONSTANT(window)
#define EACH(B) B(1) B(2) B(4) B(8)
#define X(U) BENCH_AS(complex_power_u##U, complex_power<U>, dim3(8192), dim3(256), 0, p.at<float2>(0), p.at<float2>(4))
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, bytes_sum_u##U, bytes_sum<U>, dim3(256), dim3(256), 0, p.b(0), p.i(4), 400, 65536)
EACH(X)
#undef X
#define X(U) BENCH_AS(windowed_u##U, windowed<U>, dim3(4096), dim3(256), 0, p.f(0), p.f(4), 10)
EACH(X)
#undef X
#define X(U) BENCH_AS(vertical_u##U, vertical<U>, dim3(64, 512), dim3(32, 8), 0, p.f(0), p.f(4), 2048, 4096)
EACH(X)
#undef X
#define X(U) BENCH_AS(gravity_u##U, gravity<U>, dim3(264), dim3(128), 0, p.at<float4>(0), p.at<float4>(4), 4096)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, bits_mixed_u##U, bits_mixed<U>, dim3(8192), dim3(256), 0, p.u(0), p.u(4), 100)
EACH(X)
#undef X
#define X(U) BENCH_AS(matvec_shared_u##U, matvec_shared<U>, dim3(256), dim3(256), 0, p.f(0), p.f(5), p.f(6), 1000)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_doubles, polynomial_error_u##U, polynomial_error<U>, dim3(8192), dim3(128), 0, p.d(0), p.d(4), 0.5)
EACH(X)
#undef X
#define X(U) BENCH_AS(copy_strided_u##U, copy_strided<U>, dim3(512), dim3(256), 0, p.at<float4>(0), p.at<float4>(4), 60, 131072)
EACH(X)
#undef X
#define X(U) BENCH_AS(clipped_u##U, clipped<U>, dim3(4096), dim3(256), 0, p.f(0), p.f(4), 0.25f, 2.0f, 64)
EACH(X)
#undef X
#define X(U) BENCH_AS(tile_transpose_add_u##U, tile_transpose_add<U>, dim3(128, 128), dim3(32, 4), 0, p.f(0), p.f(4), 4096)
EACH(X)
#undef X
#define X(U) BENCH_AS_ON(fill_words, scan_rows_u##U, scan_rows<U>, dim3(512), dim3(64), 0, p.i(0), p.i(4), 150, 32768)
EACH(X)
#undef X
