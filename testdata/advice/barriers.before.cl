// Barriers without need, at which warps wait for the one that has most to do.
// idgen: local=1024 groups=328
__kernel void steps(__global float *y, __global const float *x)
{
    const int i = get_global_id(0), warp = get_local_id(0) >> 5;
    float v = x[i];
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        if ((warp + k) % 16 == 0) {
#pragma unroll
            for (int j = 0; j < 100; ++j)
                v = v * 1.5f + 0.5f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[i] = v;
}
