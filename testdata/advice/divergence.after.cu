// Evaluates one of two polynomials, chosen by the parity of the warp.
// idgen: local=256 groups=4096
__global__ void choose(float *y, const float *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i], sum = 0.0f;
    if (threadIdx.x >> 5 & 1) {
#pragma unroll
        for (int k = 0; k < 256; ++k)
            sum = sum * v + 1.5f;
    } else {
#pragma unroll
        for (int k = 0; k < 256; ++k)
            sum = sum * v - 2.5f;
    }
    y[i] = sum;
}
