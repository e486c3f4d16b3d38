// Four independent chains in each work item.
// idgen: local=32 groups=2624
__kernel void chain(__global float *y, __global const float *x)
{
    const int i = get_global_id(0), n = get_global_size(0);
    float v[4];
#pragma unroll
    for (int m = 0; m < 4; ++m)
        v[m] = x[i + m * n];
#pragma unroll
    for (int k = 0; k < 128; ++k) {
#pragma unroll
        for (int m = 0; m < 4; ++m) {
            v[m] = native_sin(((((((v[m] * 1.5f + 0.5f) * 1.5f + 0.5f) * 1.5f + 0.5f) * 1.5f + 0.5f) * 1.5f + 0.5f) * 1.5f + 0.5f) * 1.5f + 0.5f);
        }
    }
#pragma unroll
    for (int m = 0; m < 4; ++m)
        y[i + m * n] = v[m];
}
