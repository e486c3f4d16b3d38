// first: divergence
__global__ void block_max(const float *x, float *m, int n)
{
    __shared__ float s[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : -1e30f;
    __syncthreads();
    if (threadIdx.x == 0) {
        float best = s[0];
        for (int k = 1; k < 256; k++) best = fmaxf(best, s[k]);
        m[blockIdx.x] = best;
    }
}
