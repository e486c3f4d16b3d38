// Mixes of floating-point additions and one other instruction, each waiting for the one before: the
// arithmetic intensity is ALPHA / OTHERS additions for each other instruction. Groups are single warps: so
// every occupancy can be simulated. With step = 0 the additions change nothing.

#ifndef ALPHA
#define ALPHA 32 // additions in a row
#endif
#ifndef OTHERS
#define OTHERS 1 // other instructions in a row, at least 1
#endif
#ifndef REPEAT
#define REPEAT 32 // of both, per work item
#endif
#ifndef ITEMS
#define ITEMS 131072 // work items in all; a multiple of 32
#endif
#define FIRST 8388608 // the least bits of a float that no GPU flushes to zero

// ALPHA dependent additions to a read of global memory, again and again.
// What is read is the next subscript, as the bits of a float: fill in with in[j] = as_float(FIRST +
// (j + ITEMS) % (OTHERS * REPEAT * ITEMS)) to keep every read coalesced and new. The subscript belongs to the
// access as in the 32-bit code of the source with idgen -O0; for 64 bits it takes two instructions.
// Source: V16 4.1.
// idgen: local=32 global=ITEMS arg.step=0
__kernel void mix_global(__global const float *in, __global float *out, const float step)
{
    const int i = get_global_id(0);
    float a = as_float(FIRST + i);
#pragma unroll
    for (int k = 0; k < REPEAT; ++k) {
#pragma unroll
        for (int j = 1; j < OTHERS; ++j)
            a = in[as_int(a) - FIRST];
        a = in[as_int(a) - FIRST];
#pragma unroll
        for (int j = 0; j < ALPHA; ++j)
            a = a + step;
    }
    out[i] = a;
}

// ALPHA dependent additions to a special function (rsqrt), again and again.
// Source: V16 4.7.
// idgen: local=32 global=ITEMS arg.step=0
__kernel void mix_special(__global float *out, const float step)
{
    const int i = get_global_id(0);
    float a = (float)(i + 1);
#pragma unroll
    for (int k = 0; k < REPEAT; ++k) {
#pragma unroll
        for (int j = 1; j < OTHERS; ++j)
            a = native_rsqrt(a);
        a = native_rsqrt(a);
#pragma unroll
        for (int j = 0; j < ALPHA; ++j)
            a = a + step;
    }
    out[i] = a;
}

// ALPHA dependent additions to a read of local memory, again and again.
// All lanes read the word that the read before gave: its first.
// Source: V16 4.7.
// idgen: local=32 global=ITEMS arg.step=0
__kernel void mix_local(__global float *out, const float step)
{
    __local float words[32];
    words[get_local_id(0)] = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    float a = step;
#pragma unroll
    for (int k = 0; k < REPEAT; ++k) {
#pragma unroll
        for (int j = 1; j < OTHERS; ++j)
            a = *(__local const float *)((__local const char *)words + as_int(a));
        a = *(__local const float *)((__local const char *)words + as_int(a));
#pragma unroll
        for (int j = 0; j < ALPHA; ++j)
            a = a + step;
    }
    out[get_global_id(0)] = a;
}
