// Sums up waves.
// idgen: local=256 groups=4096
__kernel void waves(__global float *y, __global const float *x)
{
    const int i = get_global_id(0);
    float v = x[i], sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 16; ++k)
        sum += native_sin(v * k);
    y[i] = sum;
}
