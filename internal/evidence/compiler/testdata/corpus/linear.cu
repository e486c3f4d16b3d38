// Memory-bound kernels. F: the type; P: elements of a thread; TILE: tile.
#ifndef F
#define F float
#endif
#ifndef P
#define P 1
#endif
#ifndef TILE
#define TILE 32
#endif

extern "C" __global__ void axpy(int n, F a, const F *x, F *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void triad(const F *__restrict__ a, const F *__restrict__ b, F *__restrict__ c, F s)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * P;
    for (int p = 0; p < P; ++p)
        c[i + p] = a[i + p] + s * b[i + p];
}

extern "C" __global__ void copy4(const float4 *in, float4 *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i];
}

extern "C" __global__ void transpose(const F *in, F *out, int w, int h)
{
    __shared__ F tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += 8)
        if (x < w && y + i < h)
            tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * w + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += 8)
        if (x < h && y + i < w)
            out[(y + i) * h + x] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void matvec(const F *__restrict__ a, const F *__restrict__ x, F *__restrict__ y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    F s = 0;
    for (int k = 0; k < n; ++k)
        s += a[k * n + row] * x[k];
    y[row] = s;
}

extern "C" __global__ void matvec_warp(const F *a, const F *x, F *y, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    F s = 0;
    for (int k = lane; k < n; k += 32)
        s += a[row * n + k] * x[k];
    for (int d = 16; d > 0; d >>= 1)
        s += __shfl_xor_sync(0xffffffffu, s, d);
    if (lane == 0)
        y[row] = s;
}

extern "C" __global__ void csr(const int *rows, const int *columns, const F *values, const F *x, F *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    F s = 0;
    for (int i = rows[row]; i < rows[row + 1]; ++i)
        s += values[i] * x[columns[i]];
    y[row] = s;
}

extern "C" __global__ void ell(const int *columns, const F *values, const F *x, F *y, int n, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        F s = 0;
        for (int i = 0; i < width; ++i) {
            int c = columns[i * n + row];
            if (c >= 0)
                s += values[i * n + row] * x[c];
        }
        y[row] = s;
    }
}

extern "C" __global__ void gather(const int *at, const F *in, F *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int p = 0; p < P; ++p, i += n)
        out[i] = in[at[i]];
}

struct particle {
    F x, y, z, u, v, w;
};

extern "C" __global__ void move_rows(particle *list, F dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    particle p = list[i];
    p.x += dt * p.u, p.y += dt * p.v, p.z += dt * p.w;
    if (p.x < 0 || p.x > 1)
        p.u = -p.u;
    if (p.y < 0 || p.y > 1)
        p.v = -p.v;
    if (p.z < 0 || p.z > 1)
        p.w = -p.w;
    list[i] = p;
}
