// Sums, scans and histograms. B: threads of a block; F: the type; P: elements of a thread.
#ifndef B
#define B 256
#endif
#ifndef F
#define F float
#endif
#ifndef P
#define P 4
#endif

extern "C" __global__ void tree(const F *in, F *out, int n)
{
    __shared__ F part[B];
    int t = threadIdx.x;
    F s = 0;
    for (int i = blockIdx.x * B + t; i < n; i += B * gridDim.x)
        s += in[i];
    part[t] = s;
    __syncthreads();
    for (int d = B / 2; d > 0; d >>= 1) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

extern "C" __global__ void shuffled(const F *in, F *out, int n)
{
    __shared__ F part[B / 32];
    F s = 0;
    for (int p = 0; p < P; ++p) {
        int i = (blockIdx.x * P + p) * B + threadIdx.x;
        if (i < n)
            s += in[i];
    }
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(0xffffffffu, s, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x < B / 32) {
        s = part[threadIdx.x];
        for (int d = B / 64; d > 0; d /= 2)
            s += __shfl_down_sync(0xffu, s, d);
        if (threadIdx.x == 0)
            atomicAdd(out, s);
    }
}

extern "C" __global__ void scan(const F *in, F *out, int n)
{
    __shared__ F part[2][B];
    int t = threadIdx.x, i = blockIdx.x * B + t, now = 0;
    part[0][t] = i < n ? in[i] : F(0);
    __syncthreads();
    for (int d = 1; d < B; d *= 2) {
        part[1 - now][t] = t >= d ? part[now][t] + part[now][t - d] : part[now][t];
        now = 1 - now;
        __syncthreads();
    }
    if (i < n)
        out[i] = part[now][t];
}

extern "C" __global__ void warp_scan(const int *in, int *out)
{
    int lane = threadIdx.x & 31, i = blockIdx.x * B + threadIdx.x, v[P], sum = 0;
    for (int p = 0; p < P; ++p)
        v[p] = sum += in[i * P + p];
    int all = sum;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffffu, all, d);
        if (lane >= d)
            all += other;
    }
    for (int p = 0; p < P; ++p)
        out[i * P + p] = v[p] + all - sum;
}

extern "C" __global__ void histogram(const unsigned char *in, unsigned *out, int n)
{
    __shared__ unsigned bins[256];
    for (int i = threadIdx.x; i < 256; i += B)
        bins[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * B + threadIdx.x; i < n; i += B * gridDim.x)
        atomicAdd(&bins[in[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += B)
        atomicAdd(&out[i], bins[i]);
}

extern "C" __global__ void extremes(const F *in, F *low, F *high, int n)
{
    F a = in[threadIdx.x], b = a;
    for (int i = threadIdx.x; i < n; i += B) {
        a = min(a, in[i]);
        b = max(b, in[i]);
    }
    low[blockIdx.x * B + threadIdx.x] = a;
    high[blockIdx.x * B + threadIdx.x] = b;
}

extern "C" __global__ void dot(const F *__restrict__ a, const F *__restrict__ b, F *out, int n)
{
    F s[P] = {};
    for (int i = threadIdx.x; i + (P - 1) * B < n; i += P * B)
        for (int p = 0; p < P; ++p)
            s[p] += a[i + p * B] * b[i + p * B];
    F all = 0;
    for (int p = 0; p < P; ++p)
        all += s[p];
    out[threadIdx.x] = all;
}
