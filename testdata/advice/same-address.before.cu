// Counts in shared memory, all lanes in one counter.
// idgen: local=256 groups=4096
__global__ void count(const float *x, int *n, float limit)
{
    __shared__ int counters[256];
    counters[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
        atomicAdd(&counters[k], threadIdx.x);
    __syncthreads();
    n[blockIdx.x * 256 + threadIdx.x] = counters[threadIdx.x];
}
