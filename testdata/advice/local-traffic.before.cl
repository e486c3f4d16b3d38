// Multiplies matrices by tiles, one result for each work item.
// idgen: local=16,16 groups=64,64 arg.n=1024
__kernel void product(__global float *c, __global const float *a, __global const float *b, const int n)
{
    __local float as[16][16], bs[16][16];
    const int tx = get_local_id(0), ty = get_local_id(1);
    const int x = get_group_id(0) * 16 + tx, y = get_group_id(1) * 16 + ty;
    float sum = 0.0f;
    for (int t = 0; t < 1024; t += 16) {
        as[ty][tx] = a[y * n + t + tx];
        bs[ty][tx] = b[(t + ty) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < 16; ++k)
            sum += as[ty][k] * bs[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
