// Iterates in a register.
// idgen: local=256 groups=4096
__kernel void iterate(__global float *y, __global const float *x)
{
    const int i = get_global_id(0);
    float v = x[i];
#pragma unroll
    for (int k = 0; k < 16; ++k)
        v = v * 1.5f + 0.5f;
    y[i] = v;
}
