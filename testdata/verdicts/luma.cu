// first: histogram
struct Pixel { unsigned char r, g, b, a; };
__device__ __forceinline__ unsigned luma(Pixel p) { return (77u * p.r + 150u * p.g + 29u * p.b) >> 8; }
__global__ void luma_histogram(const Pixel* img, int w, int h, unsigned int* bins)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    unsigned char v = luma(img[y * w + x]);
    atomicAdd(bins + v, 1u);
}
