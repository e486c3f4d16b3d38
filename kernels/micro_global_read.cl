// Aligned, coalesced reads of global memory, each of 128 bytes that no other read touches.

#ifndef N
#define N 64 // reads per work item
#endif
#ifndef ITEMS
#define ITEMS 262144 // work items in all; a power of two, at least 256
#endif

// N independent coalesced reads per work item, summed.
// in has N * ITEMS elements. All reads of a warp are in flight together: the highest memory
// throughput with the fewest warps.
// Source: P19 Table II (memory), V16 Table 6.2 (stream).
// Golden: 13, 14.
// idgen: local=256 global=ITEMS
__kernel void global_read(__global const float *in, __global float *out)
{
    const int i = get_global_id(0);
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < N; ++k)
        sum = sum + in[k * ITEMS + i];
    out[i] = sum;
}

// Chain of N dependent reads per work item: each gives the next one's index.
// Fill next with next[j] = (j + ITEMS) % (N * ITEMS) to keep every read aligned and coalesced; in the
// graph the addresses after the first are unknown.
// Source: P19 Eq. 1 and Table II (memory).
// Golden: 1.
// idgen: local=256 global=ITEMS
__kernel void global_read_dependent(__global const int *next, __global int *out)
{
    const int i = get_global_id(0);
    int at = i;
#pragma unroll
    for (int k = 0; k < N; ++k)
        at = next[at];
    out[i] = at;
}
