#ifndef N
#define N 256 // iterations
#endif

// Loop kept rolled: N iterations of one dependent addition and one loop instruction.
// Increment, compare and branch count as one instruction, which gates the next iteration. An
// empty loop would be removed; the addition's latency hides behind the loop instruction's.
// Source: P19 Table II (loop overhead).
// idgen: local=256 groups=1024
__kernel void loop_overhead(__global float *out, const float step)
{
    const int i = get_global_id(0);
    float r = (float)i;
#pragma unroll 1
    for (int k = 0; k < N; ++k)
        r = r + step;
    out[i] = r;
}
