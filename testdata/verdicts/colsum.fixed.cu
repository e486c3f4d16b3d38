__global__ void colsum(float* __restrict__ sums, const float* __restrict__ m, const float * __restrict__ scale, int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < cols) {
        sums[c] = 0.0f;
        for (int r = 0; r < rows; r++) sums[c] += m[r * cols + c] * scale[0];
    }
}
