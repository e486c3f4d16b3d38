// Register pressure: N values that live at once, under a bound of registers.
#ifndef N
#define N 16
#endif
#ifndef BOUNDS
#define BOUNDS 256
#endif
#ifndef F
#define F float
#endif

extern "C" __global__ void __launch_bounds__(BOUNDS) sums(const F *in, F *out, int rounds)
{
    F v[N];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < N; ++k)
        v[k] = in[i + k * 1024];
    for (int r = 0; r < rounds; ++r)
        for (int k = 0; k < N; ++k)
            v[k] = v[k] * v[(k + 1) % N] + v[(k + 5) % N];
    for (int k = 0; k < N; ++k)
        out[i + k * 1024] = v[k];
}

extern "C" __global__ void __launch_bounds__(BOUNDS) outer(const F *a, const F *b, F *c, int n)
{
    F s[N / 4][4] = {};
    int t = threadIdx.x;
    for (int k = 0; k < n; ++k) {
        F x[N / 4], y[4];
        for (int m = 0; m < N / 4; ++m)
            x[m] = a[k * 1024 + m * 32 + t];
        for (int m = 0; m < 4; ++m)
            y[m] = b[k * 128 + m * 32 + t];
        for (int m = 0; m < N / 4; ++m)
            for (int l = 0; l < 4; ++l)
                s[m][l] += x[m] * y[l];
    }
    for (int m = 0; m < N / 4; ++m)
        for (int l = 0; l < 4; ++l)
            c[(m * 4 + l) * 1024 + t] = s[m][l];
}

extern "C" __global__ void __launch_bounds__(BOUNDS) reversed(const F *in, F *out)
{
    F v[N];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < N; ++k)
        v[k] = in[i + k * 4096] + k;
    __syncthreads();
    F s = 0;
    for (int k = N - 1; k >= 0; --k) {
        s = s * v[k] + 1;
        out[i + k * 4096] = s;
    }
}
