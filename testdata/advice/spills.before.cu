// Keeps 80 values, for which large groups leave no registers.
// idgen: local=1024 groups=246
__global__ void __launch_bounds__(1024) keep(float *y, const float *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float w = x[i];
    float v[80];
#pragma unroll
    for (int k = 0; k < 80; ++k)
        v[k] = w * k;
#pragma unroll
    for (int r = 0; r < 8; ++r) {
#pragma unroll
        for (int k = 0; k < 80; ++k)
            v[k] = v[k] * v[(k + 17) % 80] + 1.0f;
    }
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 80; ++k)
        sum += v[k] * k;
    y[i] = sum;
}
