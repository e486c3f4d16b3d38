// Plain kernels whose traffic anybody can count.

__global__ void copy(float *o, const float *a, int n, int shift)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        o[i] = a[i + shift];
}

__global__ void copy_bytes(char *o, const char *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        o[i] = a[i];
}

__global__ void gather(float *o, const float *a, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        o[i] = a[(size_t)i * stride];
}

__global__ void transpose(float *o, const float *a, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    o[x * w + y] = a[y * w + x];
}

__global__ void rows(float *y, const float *A, int m, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < m) {
        float s = 0;
        for (int k = 0; k < n; k++)
            s += A[r * n + k];
        y[r] = s;
    }
}

__global__ void sums(float *o, const float *a)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = a[blockIdx.x * 256 + t];
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        o[blockIdx.x] = s[0];
}

__global__ void stencil(float *o, const float *a, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x < w - 1 && y < h - 1)
        o[y * w + x] = a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x];
}

__global__ void add_each(int *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(o + i, 1);
}
