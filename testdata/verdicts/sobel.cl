// first: swapped-axes
// swapped: x is the row
__kernel void sobel(__global const float *in, __global float *out, int w, int h)
{
    int row = get_global_id(0);
    int col = get_global_id(1);
    if (row > 0 && row < h - 1 && col > 0 && col < w - 1) {
        float gx = in[(row - 1) * w + col + 1] + 2 * in[row * w + col + 1] + in[(row + 1) * w + col + 1]
                 - in[(row - 1) * w + col - 1] - 2 * in[row * w + col - 1] - in[(row + 1) * w + col - 1];
        out[row * w + col] = gx;
    }
}
