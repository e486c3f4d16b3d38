// idgen: local=256 groups=4096
__kernel void reduce(__global const float *in, __global float *out, int n)
{
    __local float s[256];
    int t = get_local_id(0);
    int i = get_global_id(0);
    s[t] = i < n ? in[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (int stride = 1; stride < 256; stride *= 2) {
        int k = 2 * stride * t;
        if (k < 256)
            s[k] += s[k + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = s[0];
}
