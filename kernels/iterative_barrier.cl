#ifndef LOCAL_SIZE
#define LOCAL_SIZE 256 // work items per group
#endif
#ifndef N
#define N 128 // rounds
#endif

// Iterative barriers: N rounds of one dependent addition and one barrier.
// At equal occupancy large groups are slower than small ones: compare LOCAL_SIZE 64 and 512.
// Source: A Figs. 15 and 16, V16 Listing 3.3.
// Golden: 6.
// idgen: local=LOCAL_SIZE global=262144
__kernel void iterative_barrier(__global float *out, const float step)
{
    const int i = get_global_id(0);
    float r = (float)i;
#pragma unroll
    for (int k = 0; k < N; ++k) {
        r = r + step;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = r;
}
