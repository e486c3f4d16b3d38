#define W 2048
#define H 2048
#define R 4
#define T 16
__global__ void blur(const float *in, float *out)
{
    __shared__ float tile[T + 2 * R][T + 2 * R + 24];
    int x0 = blockIdx.x * T - R, y0 = blockIdx.y * T - R;
    for (int ty = threadIdx.y; ty < T + 2 * R; ty += T)
        for (int tx = threadIdx.x; tx < T + 2 * R; tx += T) {
            int x = min(max(x0 + tx, 0), W - 1), y = min(max(y0 + ty, 0), H - 1);
            tile[ty][tx] = in[y * W + x];
        }
    __syncthreads();
    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    if (x < R || y < R || x >= W - R || y >= H - R)
        return;
    float s = 0.0f;
    for (int dy = 0; dy <= 2 * R; dy++)
        for (int dx = 0; dx <= 2 * R; dx++)
            s += tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * W + x] = s / ((2 * R + 1) * (2 * R + 1));
}
int main() {
    float *a, *b;
    cudaMalloc(&a, W * H * sizeof(float));
    cudaMalloc(&b, W * H * sizeof(float));
    dim3 block(16, 16), grid(W / 16, H / 16);
    blur<<<grid, block>>>(a, b);
    return 0;
}
