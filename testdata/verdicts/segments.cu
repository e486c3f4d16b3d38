// first: indirect
// Sum of the values of each segment, one thread per segment (CSR offsets).
__global__ void segsum(const int *offsets, const float *values, float *sums, int segments)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < segments) {
        float sum = 0.0f;
        for (int i = offsets[s]; i < offsets[s + 1]; ++i)
            sum += values[i];
        sums[s] = sum;
    }
}
