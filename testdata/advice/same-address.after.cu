// Counts in shared memory, each lane in its own counter.
// idgen: local=256 groups=4096
__global__ void count(const float *x, unsigned *n, float limit)
{
    __shared__ unsigned counters[256];
    counters[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
        atomicInc(&counters[threadIdx.x ^ k], 1000);
    __syncthreads();
    n[blockIdx.x * 256 + threadIdx.x] = counters[threadIdx.x];
}
