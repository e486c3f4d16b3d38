// Single-precision division. The chains are r = y / r: a compiler may turn r / y into a
// multiplication by 1 / y, computed once.

#ifndef N
#define N 256 // divisions per chain
#endif

// One chain of N dependent divisions per work item.
// Source: A Table 5 (div.f32), L4 (DIV).
// Golden: 1.
// idgen: local=256 groups=1024
__kernel void div_dependent(__global float *out, const float y)
{
    const int i = get_global_id(0);
    float r = (float)(i + 1);
#pragma unroll
    for (int k = 0; k < N; ++k)
        r = y / r;
    out[i] = r;
}

// Two independent chains of N divisions per work item.
// Instruction-level parallelism 2.
// Source: L4 (DIV/2).
// idgen: local=256 groups=1024
__kernel void div_2(__global float *out, const float y)
{
    const int i = get_global_id(0);
    float r0 = (float)(i + 1);
    float r1 = (float)(i + 2);
#pragma unroll
    for (int k = 0; k < N; ++k) {
        r0 = y / r0;
        r1 = y / r1;
    }
    out[i] = r0 * r1;
}
