// first: uncoalesced
// y = A x, a thread for each row
__global__ void matvec(const float *A, const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = 0;
        for (int j = 0; j < m; ++j)
            s += A[i * m + j] * x[j];
        y[i] = s;
    }
}
