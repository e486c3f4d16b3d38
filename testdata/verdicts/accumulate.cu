// first: latency, minor: restrict
__global__ void gemv_t(const float *A, const float *x, float *y, int rows, int cols)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= cols) return;
    y[j] = 0;
    for (int i = 0; i < rows; i++) y[j] += A[i * cols + j] * x[i];
}
