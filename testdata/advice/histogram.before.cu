// idgen: local=256 groups=65536 arg.n=16777216
__global__ void histogram(const unsigned char *data, int n, unsigned int *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1);
}
