// Single-precision addition. The chains start from the work item's number, so that no compiler
// can prove them equal across the lanes of a warp or move them to a scalar unit.

#ifndef N
#define N 256 // additions per chain
#endif

// One chain of N dependent additions per work item.
// W warps of a compute unit take N*L + (W-1)*c cycles if W <= L/c, else L + (N*W-1)*c
// (L latency, c CPI, L a multiple of c).
// Source: P19 Eq. 1 and Table II (fadd).
// Golden: 1.
// idgen: local=256 groups=1024
__kernel void add_dependent(__global float *out, const float step)
{
    const int i = get_global_id(0);
    float r = (float)i;
#pragma unroll
    for (int k = 0; k < N; ++k)
        r = r + step;
    out[i] = r;
}

// Two independent chains of N additions per work item.
// Instruction-level parallelism 2: half the warps of add_dependent fill the pipeline.
// Source: L4 (SP/2), V16 3.7 (ILP latency).
// idgen: local=256 groups=1024
__kernel void add_2(__global float *out, const float step)
{
    const int i = get_global_id(0);
    float r0 = (float)i;
    float r1 = (float)(i + 1);
#pragma unroll
    for (int k = 0; k < N; ++k) {
        r0 = r0 + step;
        r1 = r1 + step;
    }
    out[i] = r0 * r1;
}

// Four independent chains of N additions per work item.
// Instruction-level parallelism 4: a quarter of the warps of add_dependent fill the pipeline.
// Source: V16 3.7 (ILP latency).
// idgen: local=256 groups=1024
__kernel void add_4(__global float *out, const float step)
{
    const int i = get_global_id(0);
    float r0 = (float)i;
    float r1 = (float)(i + 1);
    float r2 = (float)(i + 2);
    float r3 = (float)(i + 3);
#pragma unroll
    for (int k = 0; k < N; ++k) {
        r0 = r0 + step;
        r1 = r1 + step;
        r2 = r2 + step;
        r3 = r3 + step;
    }
    out[i] = (r0 * r1) * (r2 * r3);
}
