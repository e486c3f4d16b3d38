// first: uncoalesced
#include <hip/hip_runtime.h>
__global__ void flip(const double* __restrict__ src, double* __restrict__ dst, int w, int h) {
    int col = threadIdx.x + blockDim.x * blockIdx.x, row = threadIdx.y + blockDim.y * blockIdx.y;
    if (col < w && row < h) dst[(size_t)col * h + row] = src[(size_t)row * w + col];
}
int main() { double *s, *d; flip<<<dim3(64, 256), dim3(32, 8)>>>(s, d, 2048, 2048); }
