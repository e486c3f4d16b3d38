// Sums up rows of a tile with a weight in a register.
// idgen: local=256 groups=512
__kernel void weigh(__global float *y, __global float *x, __global float *weight)
{
    __local float tile[256];
    const int lid = get_local_id(0), i = get_global_id(0);
    const float w = weight[lid];
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 64; ++k) {
        tile[lid] = sum + k;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        sum += tile[lid ^ 1] * w;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    y[i] = sum;
}
