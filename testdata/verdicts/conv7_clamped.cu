// first: tile
// Filter of 7x7 with clamped borders and constant weights.
#define K 7
#define R 3
__constant__ float coef[K * K];
__global__ void conv7(const float *src, float *dst, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    float acc = 0.f;
    for (int j = -R; j <= R; ++j)
        for (int i = -R; i <= R; ++i) {
            int xx = min(max(x + i, 0), w - 1);
            int yy = min(max(y + j, 0), h - 1);
            acc += src[yy * w + xx] * coef[(j + R) * K + i + R];
        }
    if (x < w && y < h) dst[y * w + x] = acc;
}
