// first: tile
__global__ void gemm_nn(long n, const float* a, const float* b, float* c)
{
    long idx = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n * n) return;
    long r = idx / n, q = idx % n;
    const float* pa = a + r * n;
    const float* pb = b + q;
    float s = 0.f;
    for (long k = 0; k < n; k++, pb += n) s += *pa++ * *pb;
    c[idx] = s;
}
int main() { long n = 512; float *a, *b, *c; gemm_nn<<<(n * n + 255) / 256, 256>>>(n, a, b, c); }
