// idgen: local=256 groups=864 arg.n=1048576
__global__ void histogram(const unsigned char *data, int n, unsigned int *bins)
{
    __shared__ unsigned int own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
