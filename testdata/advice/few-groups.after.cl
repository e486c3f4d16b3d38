// A launch of sixteen groups for each compute unit, with an eighth of the work each.
// idgen: local=64 groups=1312
__kernel void chains(__global float *y, __global const float *x)
{
    const int i = get_global_id(0);
    float v = x[i], sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 512; ++k)
        sum = sum * v + 1.5f;
    y[i] = sum;
}
