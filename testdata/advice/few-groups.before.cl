// A launch of two groups for each compute unit.
// idgen: local=64 groups=164
__kernel void chains(__global float *y, __global const float *x)
{
    const int i = get_global_id(0);
    float v = x[i], sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 4096; ++k)
        sum = sum * v + 1.5f;
    y[i] = sum;
}
