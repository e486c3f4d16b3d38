// first: tile
// Convolution with a filter of 7x7, from global memory.
#define R 3
__kernel void convolution(__global const float *in, __global const float *filter, __global float *out,
                          int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < R || y < R || x >= width - R || y >= height - R)
        return;
    float sum = 0.0f;
    for (int j = -R; j <= R; j++)
        for (int i = -R; i <= R; i++)
            sum += in[(y + j) * width + x + i] * filter[(j + R) * (2 * R + 1) + i + R];
    out[y * width + x] = sum;
}
