// What gpu-benches' gpu-roofline measures: two chains of N multiply-adds for each two
// pairs of numbers that a work item reads.
template <int STEPS, int M>
__global__ void chains(const float *__restrict__ a, const float *__restrict__ b, float *sums)
{
    const int first = blockIdx.x * blockDim.x * M + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < M; i += 2) {
        const float p = a[first + i * 256], q = b[first + i * 256];
        const float r = a[first + (i + 1) * 256], s = b[first + (i + 1) * 256];
        float v = p - q, w = r - s;
        for (int k = 0; k < STEPS; k++) {
            v = v * p - q;
            w = w * r - s;
        }
        sum += v + w;
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}
