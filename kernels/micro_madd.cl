// Single-precision multiply-add. A multiplication whose product is added becomes one instruction.

#ifndef N
#define N 256 // multiply-adds per chain
#endif

// Unrolled chain r = r*l - 0.5f: N multiply-adds and no loop instruction.
// A constant trip count under a bare unroll pragma leaves nothing of the loop.
// Source: L4 (independent-madd).
// Golden: 10.
// idgen: local=256 groups=1024
__kernel void independent_madd(__global float *out)
{
    const float l = (float)get_local_id(0);
    float r = l;
#pragma unroll
    for (int k = 0; k < N; ++k)
        r = r * l - 0.5f;
    out[get_global_id(0)] = r;
}

// One chain of N dependent multiply-adds per work item.
// Twice the operations of add_dependent in the same time.
// Source: P19 Eq. 1 and Table III (fmadd), L4 (MADD).
// Golden: 1.
// idgen: local=256 groups=1024
__kernel void madd_dependent(__global float *out, const float factor, const float step)
{
    const int i = get_global_id(0);
    float r = (float)i;
#pragma unroll
    for (int k = 0; k < N; ++k)
        r = r * factor + step;
    out[i] = r;
}

// Two independent chains of N multiply-adds per work item.
// Instruction-level parallelism 2.
// Source: L4 (MADD/2).
// idgen: local=256 groups=1024
__kernel void madd_2(__global float *out, const float factor, const float step)
{
    const int i = get_global_id(0);
    float r0 = (float)i;
    float r1 = (float)(i + 1);
#pragma unroll
    for (int k = 0; k < N; ++k) {
        r0 = r0 * factor + step;
        r1 = r1 * factor + step;
    }
    out[i] = r0 * r1;
}

// Four independent chains of N multiply-adds per work item.
// Instruction-level parallelism 4.
// Source: L4.
// idgen: local=256 groups=1024
__kernel void madd_4(__global float *out, const float factor, const float step)
{
    const int i = get_global_id(0);
    float r0 = (float)i;
    float r1 = (float)(i + 1);
    float r2 = (float)(i + 2);
    float r3 = (float)(i + 3);
#pragma unroll
    for (int k = 0; k < N; ++k) {
        r0 = r0 * factor + step;
        r1 = r1 * factor + step;
        r2 = r2 * factor + step;
        r3 = r3 * factor + step;
    }
    out[i] = (r0 * r1) * (r2 * r3);
}
