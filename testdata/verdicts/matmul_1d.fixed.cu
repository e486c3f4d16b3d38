__global__ void gemm_nn(long n, const float* a, const float* b, float* c)
{
    __shared__ float ta[16][16], tb[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    long r = blockIdx.y * 16 + y, q = blockIdx.x * 16 + x;
    const float* pa = a + r * n + x;
    const float* pb = b + y * n + q;
    float s = 0.f;
    for (long t = 0; t < n; t += 16, pa += 16, pb += 16 * n) {
        ta[y][x] = *pa;
        tb[y][x] = *pb;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) s += ta[y][k] * tb[k][x];
        __syncthreads();
    }
    c[r * n + q] = s;
}
int main() { long n = 512; float *a, *b, *c; gemm_nn<<<dim3(32, 32), dim3(16, 16)>>>(n, a, b, c); }
