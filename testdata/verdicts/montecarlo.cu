// first: same-address
__global__ void pi(unsigned long long *hits, int rounds, unsigned seed)
{
    unsigned s = seed ^ (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u;
    for (int r = 0; r < rounds; r++) {
        s = s * 1664525u + 1013904223u;
        float x = (s >> 8) * (1.0f / 16777216.0f);
        s = s * 1664525u + 1013904223u;
        float y = (s >> 8) * (1.0f / 16777216.0f);
        if (x * x + y * y <= 1.0f) atomicAdd(hits, 1ULL);
    }
}
int main()
{
    unsigned long long *h;
    cudaMalloc(&h, 8);
    pi<<<256, 256>>>(h, 64, 12345u);
}
