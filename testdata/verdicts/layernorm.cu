// first: uncoalesced
// One thread per row: each thread walks along its row.
__global__ void layernorm(const float *x, const float *gamma, const float *beta, float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float mean = 0.0f;
    for (int c = 0; c < cols; c++)
        mean += x[row * cols + c];
    mean /= cols;
    float var = 0.0f;
    for (int c = 0; c < cols; c++) {
        float d = x[row * cols + c] - mean;
        var += d * d;
    }
    float inv = rsqrtf(var / cols + 1e-5f);
    for (int c = 0; c < cols; c++)
        y[row * cols + c] = (x[row * cols + c] - mean) * inv * gamma[c] + beta[c];
}
