// Reads a matrix tile by tile; rows and columns of a tile by quotient and remainder.
// idgen: local=256 groups=512 arg.width=64 arg.tiles=8
__kernel void gather(__global float *y, __global const float *x, const unsigned width, const unsigned tiles)
{
    const unsigned i = get_global_id(0);
    float sum = 0.0f;
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
        const unsigned j = i + k;
        sum += x[j / width & 1023];
    }
    y[i] = sum;
}
