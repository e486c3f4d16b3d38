// Writes sums of values that may change with each store.
// idgen: local=256 groups=512
__global__ void sums(float *y, float *x)
{
    const int i = threadIdx.x;
#pragma unroll
    for (int k = 0; k < 16; ++k)
        y[(blockIdx.x & 7) * 4096 + k * 256 + i] = (x[i] + k * x[i + 256] + x[i + 512] * x[i + 768]) * k
            + x[i + 1024] * x[i + 1280] + x[i + 1536] * x[i + 1792];
}
