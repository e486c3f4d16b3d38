// Double-precision arithmetic.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#ifndef N
#define N 256 // operations per chain
#endif

// One chain of N dependent double-precision additions per work item.
// Source: P19 Eq. 1, L4 (DP).
// Golden: 1.
// idgen: local=256 groups=1024
__kernel void double_add_dependent(__global double *out, const double step)
{
    const int i = get_global_id(0);
    double r = (double)i;
#pragma unroll
    for (int k = 0; k < N; ++k)
        r = r + step;
    out[i] = r;
}

// Two independent chains of N double-precision additions per work item.
// Instruction-level parallelism 2.
// Source: L4 (DP/2).
// idgen: local=256 groups=1024
__kernel void double_add_2(__global double *out, const double step)
{
    const int i = get_global_id(0);
    double r0 = (double)i;
    double r1 = (double)(i + 1);
#pragma unroll
    for (int k = 0; k < N; ++k) {
        r0 = r0 + step;
        r1 = r1 + step;
    }
    out[i] = r0 * r1;
}

// One chain of N dependent double-precision multiplications per work item.
// Source: A Table 5 (mul.f64).
// Golden: 1.
// idgen: local=256 groups=1024
__kernel void double_mul_dependent(__global double *out, const double factor)
{
    const int i = get_global_id(0);
    double r = (double)i;
#pragma unroll
    for (int k = 0; k < N; ++k)
        r = r * factor;
    out[i] = r;
}
