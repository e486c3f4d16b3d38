__global__ void pi(unsigned long long *hits, int rounds, unsigned seed)
{
    unsigned s = seed ^ (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u;
    int n = 0;
    for (int r = 0; r < rounds; r++) {
        s = s * 1664525u + 1013904223u;
        float x = (s >> 8) * (1.0f / 16777216.0f);
        s = s * 1664525u + 1013904223u;
        float y = (s >> 8) * (1.0f / 16777216.0f);
        if (x * x + y * y <= 1.0f) n++;
    }
    __shared__ int part[8];
    for (int d = 16; d; d /= 2) n += __shfl_down_sync(~0u, n, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = n;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < 8; k++) n += part[k];
        atomicAdd(hits, (unsigned long long)n);
    }
}
int main()
{
    unsigned long long *h;
    cudaMalloc(&h, 8);
    pi<<<256, 256>>>(h, 64, 12345u);
}
