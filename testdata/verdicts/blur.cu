// first: tile
// 9x9 box blur from global memory, image 2048 x 2048.
#define W 2048
#define H 2048
#define R 4
__global__ void blur(const float *in, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < R || y < R || x >= W - R || y >= H - R)
        return;
    float s = 0.0f;
    for (int dy = -R; dy <= R; dy++)
        for (int dx = -R; dx <= R; dx++)
            s += in[(y + dy) * W + x + dx];
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
