// A chain of dependent operations for each element.
// idgen: local=32 groups=10496
__kernel void chain(__global float *y, __global const float *x)
{
    const int i = get_global_id(0);
    float v = x[i];
#pragma unroll
    for (int k = 0; k < 128; ++k)
        v = native_sin(((((((v * 1.5f + 0.5f) * 1.5f + 0.5f) * 1.5f + 0.5f) * 1.5f + 0.5f) * 1.5f + 0.5f) * 1.5f + 0.5f) * 1.5f + 0.5f);
    y[i] = v;
}
