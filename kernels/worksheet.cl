#ifndef ITEMS
#define ITEMS 131072 // work items in all
#endif

// 135 instructions of every kind that limits a warp's throughput, without a loop.
// With idgen -O0, which counts no addresses: 100 of CUDA cores, 5 of special function units, 20 of local
// memory, half of them with two-way bank conflicts, and 10 of global memory, half of them of stride 2.
// Source: V16 T.3.2.
// idgen: local=32 global=ITEMS arg.step=0
__kernel void worksheet(__global const float *in, __global float *out, const float step)
{
    volatile __local float words[5 * 64]; // every access is executed
    const int i = get_global_id(0);
    const int lane = get_local_id(0);
    float a = step;
#pragma unroll
    for (int k = 0; k < 5; ++k)
        a = a + in[2 * (k * ITEMS + i)];
#pragma unroll
    for (int k = 10; k < 14; ++k)
        a = a + in[k * ITEMS + i];
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        words[64 * k + lane] = a;
        a = a + words[64 * k + lane];
    }
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        words[64 * k + 2 * lane] = a;
        a = a + words[64 * k + 2 * lane];
    }
#pragma unroll
    for (int k = 0; k < 5; ++k)
        a = native_rsqrt(a);
#pragma unroll
    for (int k = 0; k < 79; ++k)
        a = a + step;
    out[i] = a;
}
