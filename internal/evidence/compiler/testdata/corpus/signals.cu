// Filters, transforms and half precision. K: taps; N: points of a thread; F: the type.
#include <cuda_fp16.h>
#ifndef K
#define K 9
#endif
#ifndef N
#define N 4
#endif
#ifndef F
#define F float
#endif

__constant__ F taps[K * K];

extern "C" __global__ void fir(const F *__restrict__ in, F *__restrict__ out)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * N;
    for (int p = 0; p < N; ++p) {
        F s = 0;
        for (int k = 0; k < K; ++k)
            s += taps[k] * in[i + p + k];
        out[i + p] = s;
    }
}

extern "C" __global__ void convolve(const F *__restrict__ in, F *__restrict__ out, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    F s = 0;
    for (int r = 0; r < K; ++r)
        for (int c = 0; c < K; ++c)
            s += taps[r * K + c] * in[(y + r) * w + x + c];
    out[y * w + x] = s;
}

extern "C" __global__ void convolve_by(const F *in, const F *filter, F *out, int w, int size)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    F s[N] = {};
    for (int r = 0; r < size; ++r)
        for (int c = 0; c < size; ++c) {
            F f = filter[r * size + c];
            for (int p = 0; p < N; ++p)
                s[p] += f * in[(y * N + p + r) * w + x + c];
        }
    for (int p = 0; p < N; ++p)
        out[(y * N + p) * w + x] = s[p];
}

extern "C" __global__ void butterflies(float2 *data, int half, float angle)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = i & (half - 1), j = 2 * i - k;
    float s, c;
    __sincosf(angle * k, &s, &c);
    float2 a = data[j], b = data[j + half];
    float2 t = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
    data[j] = make_float2(a.x + t.x, a.y + t.y);
    data[j + half] = make_float2(a.x - t.x, a.y - t.y);
}

extern "C" __global__ void dft(const float2 *in, float2 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 v[N], w[N];
    for (int k = 0; k < N; ++k)
        v[k] = in[i + k * n];
    for (int k = 0; k < N; ++k) {
        w[k] = make_float2(0, 0);
        for (int l = 0; l < N; ++l) {
            float a = -6.2831853f * ((k * l) % N) / N, c = cosf(a), s = sinf(a);
            w[k].x += v[l].x * c - v[l].y * s;
            w[k].y += v[l].x * s + v[l].y * c;
        }
    }
    for (int k = 0; k < N; ++k)
        out[i + k * n] = w[k];
}

extern "C" __global__ void halves(const half *a, const half *b, half *c, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = __hfma(a[i], b[i], c[i]);
}

extern "C" __global__ void pairs(const half2 *a, const half2 *b, half2 *c, int n)
{
    half2 s = c[threadIdx.x];
    for (int k = 0; k < N; ++k)
        s = __hfma2(a[threadIdx.x + k * n], b[threadIdx.x + k * n], s);
    c[threadIdx.x] = s;
}

extern "C" __global__ void mixed(const half *a, const float *x, float *y, int n)
{
    float s = 0;
    for (int k = 0; k < n; ++k)
        s += __half2float(a[k * blockDim.x + threadIdx.x]) * x[k];
    y[threadIdx.x] = s;
}

extern "C" __global__ void softmax(const float *in, float *out, int n)
{
    const float *row = in + blockIdx.x * n;
    float high = -1e30f, sum = 0;
    for (int i = threadIdx.x; i < n; i += 32)
        high = fmaxf(high, row[i]);
    for (int d = 16; d > 0; d /= 2)
        high = fmaxf(high, __shfl_xor_sync(0xffffffffu, high, d));
    for (int i = threadIdx.x; i < n; i += 32)
        sum += __expf(row[i] - high);
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    for (int i = threadIdx.x; i < n; i += 32)
        out[blockIdx.x * n + i] = __expf(row[i] - high) / sum;
}
