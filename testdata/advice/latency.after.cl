// Adds up columns of a matrix, eight elements at once.
// idgen: local=32 groups=10496
__kernel void columns(__global float *restrict y, __global const float *restrict x)
{
    const int i = get_global_id(0), n = get_global_size(0);
    float sum = 0.0f;
#pragma unroll 8
    for (int k = 0; k < 64; ++k)
        sum += x[k * n + i];
    y[i] = sum;
}
