#include <hip/hip_runtime.h>
__global__ void flip(const double* __restrict__ src, double* __restrict__ dst, int w, int h) {
    __shared__ double t[32][33];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    for (int k = 0; k < 32; k += 8)
        t[threadIdx.y + k][threadIdx.x] = src[(size_t)(y0 + threadIdx.y + k) * w + x0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; k += 8)
        dst[(size_t)(x0 + threadIdx.y + k) * h + y0 + threadIdx.x] = t[threadIdx.x][threadIdx.y + k];
}
int main() { double *s, *d; flip<<<dim3(64, 64), dim3(32, 8)>>>(s, d, 2048, 2048); }
