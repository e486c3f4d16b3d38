// Multiplies matrices by tiles, four results for each work item.
// idgen: local=16,16 groups=32,32 arg.n=1024
__kernel void product(__global float *c, __global const float *a, __global const float *b, const int n)
{
    __local float as[32][16], bs[16][32];
    const int tx = get_local_id(0), ty = get_local_id(1);
    const int x = get_group_id(0) * 32 + tx, y = get_group_id(1) * 32 + ty;
    float sum00 = 0.0f, sum01 = 0.0f, sum10 = 0.0f, sum11 = 0.0f;
    for (int t = 0; t < 1024; t += 16) {
        as[ty][tx] = a[y * n + t + tx];
        as[ty + 16][tx] = a[(y + 16) * n + t + tx];
        bs[ty][tx] = b[(t + ty) * n + x];
        bs[ty][tx + 16] = b[(t + ty) * n + x + 16];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            const float u = as[ty][k], v = as[ty + 16][k], p = bs[k][tx], q = bs[k][tx + 16];
            sum00 += u * p;
            sum01 += u * q;
            sum10 += v * p;
            sum11 += v * q;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum00;
    c[y * n + x + 16] = sum01;
    c[(y + 16) * n + x] = sum10;
    c[(y + 16) * n + x + 16] = sum11;
}
