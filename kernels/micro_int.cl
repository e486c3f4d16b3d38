// 32-bit integer arithmetic. The additions are Fibonacci's, each the sum of the two before:
// compilers would replace a chain of r + step by one multiplication.

#ifndef N
#define N 256 // operations per chain
#endif

// One chain of N dependent integer additions per work item.
// Source: P19 Eq. 1, L4 (INT).
// Golden: 1.
// idgen: local=256 groups=1024
__kernel void int_add_dependent(__global int *out, const int start)
{
    const int i = get_global_id(0);
    int before = start;
    int r = i;
#pragma unroll
    for (int k = 0; k < N; ++k) {
        const int sum = r + before;
        before = r;
        r = sum;
    }
    out[i] = r ^ before;
}

// Two independent chains of N integer additions per work item.
// Instruction-level parallelism 2.
// Source: L4 (INT/2).
// idgen: local=256 groups=1024
__kernel void int_add_2(__global int *out, const int start)
{
    const int i = get_global_id(0);
    int before0 = start;
    int before1 = start;
    int r0 = i;
    int r1 = i ^ start;
#pragma unroll
    for (int k = 0; k < N; ++k) {
        const int sum0 = r0 + before0;
        const int sum1 = r1 + before1;
        before0 = r0;
        before1 = r1;
        r0 = sum0;
        r1 = sum1;
    }
    out[i] = (r0 ^ before0) * (r1 ^ before1);
}

// One chain of N dependent integer multiply-adds per work item.
// Source: A Table 5 (mul.s32), L4 (IMADD).
// Golden: 1.
// idgen: local=256 groups=1024
__kernel void imad_dependent(__global int *out, const int factor, const int step)
{
    const int i = get_global_id(0);
    int r = i;
#pragma unroll
    for (int k = 0; k < N; ++k)
        r = r * factor + step;
    out[i] = r;
}

// Two independent chains of N integer multiply-adds per work item.
// Instruction-level parallelism 2.
// Source: L4 (IMADD/2).
// idgen: local=256 groups=1024
__kernel void imad_2(__global int *out, const int factor, const int step)
{
    const int i = get_global_id(0);
    int r0 = i;
    int r1 = i ^ step;
#pragma unroll
    for (int k = 0; k < N; ++k) {
        r0 = r0 * factor + step;
        r1 = r1 * factor + step;
    }
    out[i] = r0 ^ r1;
}
