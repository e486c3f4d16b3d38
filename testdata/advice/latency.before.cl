// Evaluates a polynomial by Horner's rule: each step waits for the one before, and the table leaves room for few warps.
// idgen: local=128 groups=164
__kernel void horner(__global float *restrict y, __global const float *restrict x)
{
    __local float table[12000];
    const int i = get_global_id(0), t = get_local_id(0);
    for (int k = t; k < 12000; k += 128)
        table[k] = x[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    const float a = table[127 - t];
    float sum = 0.0f;
#pragma unroll 64
    for (int k = 0; k < 16384; ++k)
        sum = sum * a + 0.5f;
    y[i] = sum;
}
