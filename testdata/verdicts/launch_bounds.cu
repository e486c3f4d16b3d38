// first: spills
// Asks for eight blocks at once, for which the compiler spills registers.
// idgen: local=256 groups=984
__global__ void __launch_bounds__(256, 8) keep(float *y, const float *x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float w = x[i];
    float v[60];
#pragma unroll
    for (int k = 0; k < 60; ++k) v[k] = w * k;
#pragma unroll
    for (int r = 0; r < 8; ++r) {
#pragma unroll
        for (int k = 0; k < 60; ++k) v[k] = v[k] * v[(k + 17) % 60] + 1.0f;
    }
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 60; ++k) sum += v[k] * k;
    y[i] = sum;
}
