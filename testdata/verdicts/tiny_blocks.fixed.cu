__global__ void upsample(const float *in, float *out, int w)
{
    int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
    float a = in[(y / 2) * (w / 2) + x / 2], b = in[(y / 2) * (w / 2) + min(x / 2 + 1, w / 2 - 1)];
    float s = x & 1 ? 0.5f * (a + b) : a;
    for (int i = 0; i < 16; i++) s = sqrtf(s * s + 0.1f * s + 1.0f);
    out[y * w + x] = s;
}
int main()
{
    float *a, *b;
    cudaMalloc(&a, 1024 * 1024 * 4); cudaMalloc(&b, 2048 * 2048 * 4);
    upsample<<<dim3(8, 2048), 256>>>(a, b, 2048);
}
