// idgen: local=256 groups=131072
__global__ void matvec(const float *A, const float *x, float *y, int n, int m)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (i < n) {
        float s = 0;
        for (int j = lane; j < m; j += 32)
            s += A[i * m + j] * x[j];
        for (int d = 16; d > 0; d >>= 1)
            s += __shfl_down_sync(0xffffffff, s, d);
        if (lane == 0)
            y[i] = s;
    }
}
