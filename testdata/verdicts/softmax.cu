// first: uncoalesced
// Softmax of each row, a thread a row.
__global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float top = in[row * cols];
    for (int c = 1; c < cols; c++)
        top = fmaxf(top, in[row * cols + c]);
    float sum = 0.0f;
    for (int c = 0; c < cols; c++)
        sum += expf(in[row * cols + c] - top);
    for (int c = 0; c < cols; c++)
        out[row * cols + c] = expf(in[row * cols + c] - top) / sum;
}
