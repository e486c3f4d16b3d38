// The even and the odd powers of the polynomial, which do not wait for each other.
// idgen: local=128 groups=164
__kernel void horner(__global float *restrict y, __global const float *restrict x)
{
    __local float table[12000];
    const int i = get_global_id(0), t = get_local_id(0);
    for (int k = t; k < 12000; k += 128)
        table[k] = x[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    const float a = table[127 - t], b = a * a;
    float even = 0.0f, odd = 0.0f;
#pragma unroll 64
    for (int k = 0; k < 8192; ++k) {
        even = even * b + 0.5f;
        odd = odd * b + 0.5f;
    }
    y[i] = even + odd * a;
}
