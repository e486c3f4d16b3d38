// Reads of local memory, with bank conflicts on demand: neighbouring lanes read words that lie
// STRIDE apart. On 32 banks of one word an odd stride has no conflict, 2 a two-way one, 4 a
// four-way one, 32 a 32-way one.

#ifndef STRIDE
#define STRIDE 1 // words between the reads of neighbouring lanes
#endif
#ifndef N
#define N 64 // reads per work item
#endif
#define LOCAL_SIZE 256
#define WORDS 1024 // span of a warp's first read: 32 lanes with a stride of up to 32

// N independent local-memory reads per work item, summed.
// Source: A Table 5 (ld.local), V16 2.6 (banks).
// Golden: 13, 14.
// idgen: local=LOCAL_SIZE groups=1024
__kernel void local_read(__global float *out)
{
    __local float words[WORDS + N];
    const int lid = get_local_id(0);
    for (int k = lid; k < WORDS + N; k += LOCAL_SIZE)
        words[k] = (float)k;
    barrier(CLK_LOCAL_MEM_FENCE);

    const int first = (lid * STRIDE) % WORDS;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < N; ++k)
        sum = sum + words[first + k];
    out[get_global_id(0)] = sum;
}

// Chain of N dependent local-memory reads per work item: each gives the next one's index.
// Every word holds the index of its right neighbour, so the stride between lanes, and with it the
// conflict, stays; in the graph the addresses after the first are unknown.
// Source: P19 Eq. 1 and Table III (local memory).
// Golden: 1.
// idgen: local=LOCAL_SIZE groups=1024
__kernel void local_read_dependent(__global int *out)
{
    __local int next[WORDS];
    const int lid = get_local_id(0);
    for (int k = lid; k < WORDS; k += LOCAL_SIZE)
        next[k] = (k + 1) % WORDS;
    barrier(CLK_LOCAL_MEM_FENCE);

    int at = (lid * STRIDE) % WORDS;
#pragma unroll
    for (int k = 0; k < N; ++k)
        at = next[at];
    out[get_global_id(0)] = at;
}
