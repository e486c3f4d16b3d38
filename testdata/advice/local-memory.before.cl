// Iterates in local memory that nobody shares.
// idgen: local=256 groups=4096
__kernel void iterate(__global float *y, __global const float *x)
{
    __local float tile[256];
    const int lid = get_local_id(0), i = get_global_id(0);
    tile[lid] = x[i];
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[lid] = tile[lid] * 1.5f + 0.5f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = tile[lid];
}
