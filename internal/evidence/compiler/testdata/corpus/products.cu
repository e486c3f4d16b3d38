// Products of matrices with tiles of TILE x TILE in shared memory and TM x TN results of a thread.
#ifndef TILE
#define TILE 16
#endif
#ifndef TM
#define TM 1
#endif
#ifndef TN
#define TN 1
#endif
#ifndef F
#define F float
#endif

extern "C" __global__ void registers(const F *__restrict__ a, const F *__restrict__ b, F *__restrict__ c, int n)
{
    __shared__ F as[TILE][TILE * TM];
    __shared__ F bs[TILE][TILE * TN];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE * TM, column = blockIdx.x * TILE * TN;
    F sum[TM][TN] = {};
    for (int k = 0; k < n; k += TILE) {
        for (int m = 0; m < TM; ++m)
            as[tx][ty + m * TILE] = a[(row + ty + m * TILE) * n + k + tx];
        for (int m = 0; m < TN; ++m)
            bs[ty][tx + m * TILE] = b[(k + ty) * n + column + tx + m * TILE];
        __syncthreads();
        for (int i = 0; i < TILE; ++i) {
            F left[TM], right[TN];
            for (int m = 0; m < TM; ++m)
                left[m] = as[i][ty + m * TILE];
            for (int m = 0; m < TN; ++m)
                right[m] = bs[i][tx + m * TILE];
            for (int m = 0; m < TM; ++m)
                for (int l = 0; l < TN; ++l)
                    sum[m][l] += left[m] * right[l];
        }
        __syncthreads();
    }
    for (int m = 0; m < TM; ++m)
        for (int l = 0; l < TN; ++l)
            c[(row + ty + m * TILE) * n + column + tx + l * TILE] = sum[m][l];
}

extern "C" __global__ void direct(const F *a, const F *b, F *c, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    F sum[TM] = {};
    for (int k = 0; k < n; ++k) {
        F right = b[k * n + x];
        for (int m = 0; m < TM; ++m)
            sum[m] += a[(y * TM + m) * n + k] * right;
    }
    for (int m = 0; m < TM; ++m)
        c[(y * TM + m) * n + x] = sum[m];
}

extern "C" __global__ void bounded(const F *a, const F *b, F *c, int rows, int columns, int depth, F alpha, F beta)
{
    __shared__ F as[TILE][TILE + 1];
    __shared__ F bs[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    F sum = 0;
    for (int k = 0; k < depth; k += TILE) {
        as[threadIdx.y][threadIdx.x] = y < rows && k + threadIdx.x < depth ? a[y * depth + k + threadIdx.x] : F(0);
        bs[threadIdx.y][threadIdx.x] = x < columns && k + threadIdx.y < depth ? b[(k + threadIdx.y) * columns + x] : F(0);
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (y < rows && x < columns)
        c[y * columns + x] = alpha * sum + beta * c[y * columns + x];
}
