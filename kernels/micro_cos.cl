// The hardware cosine of the special function units.

#ifndef N
#define N 256 // cosines per chain
#endif

// One chain of N dependent hardware cosines per work item.
// Source: P19 Table II (cos), A Table 5 (cos.approx.f32).
// Golden: 1.
// idgen: local=256 groups=1024
__kernel void cos_dependent(__global float *out)
{
    const int i = get_global_id(0);
    float r = (float)i;
#pragma unroll
    for (int k = 0; k < N; ++k)
        r = native_cos(r);
    out[i] = r;
}

// Two independent chains of N hardware cosines per work item.
// Instruction-level parallelism 2.
// Source: A Table 5 (cos.approx.f32).
// idgen: local=256 groups=1024
__kernel void cos_2(__global float *out)
{
    const int i = get_global_id(0);
    float r0 = (float)i;
    float r1 = (float)(i + 1);
#pragma unroll
    for (int k = 0; k < N; ++k) {
        r0 = native_cos(r0);
        r1 = native_cos(r1);
    }
    out[i] = r0 * r1;
}
