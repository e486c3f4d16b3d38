// Fills a tile of local memory by rows and adds up neighbours of it.
__global__ void __launch_bounds__(1024) fill(float *out, const float *in, int n) {
    __shared__ float s[block_y][block_x * tile + 1];
    #pragma unroll
    for (int i = threadIdx.x; i < block_x * tile + 1; i += block_x)
        s[threadIdx.y][i] = in[(blockIdx.y * block_y + threadIdx.y) * n + blockIdx.x * block_x * tile + i];
    __syncthreads();
    #pragma unroll
    for (int t = 0; t < tile; t++) {
        int x = threadIdx.x * tile + t;
        out[(blockIdx.y * block_y + threadIdx.y) * n + blockIdx.x * block_x * tile + x] = s[threadIdx.y][x] + s[threadIdx.y][x + 1];
    }
}
