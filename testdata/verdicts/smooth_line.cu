// first: none, minor: occupancy
__global__ void smooth(const float *in, float *out, int rows)
{
    __shared__ float line[8192];
    const float *r = in + (size_t)blockIdx.x * 8192;
    for (int i = threadIdx.x; i < 8192; i += 128) line[i] = r[i];
    __syncthreads();
    for (int i = threadIdx.x; i < 8192; i += 128) {
        float s = 0;
        for (int k = -2; k <= 2; k++) s += line[(i + k) & 8191];
        out[(size_t)blockIdx.x * 8192 + i] = s * 0.2f;
    }
}
int main()
{
    float *a, *b;
    cudaMalloc(&a, 4096 * 8192 * 4ll); cudaMalloc(&b, 4096 * 8192 * 4ll);
    smooth<<<4096, 128>>>(a, b, 4096);
}
