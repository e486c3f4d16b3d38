// Softmax of each row, a thread a row.
// idgen: arg.cols=256
__global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float top = in[row];
    for (int c = 1; c < cols; c++)
        top = fmaxf(top, in[c * rows + row]);
    float sum = 0.0f;
    for (int c = 0; c < cols; c++)
        sum += expf(in[c * rows + row] - top);
    for (int c = 0; c < cols; c++)
        out[c * rows + row] = expf(in[c * rows + row] - top) / sum;
}
