// first: unknown-trips
// Sum of an array: the first work items add, at distances that meet in banks.
__kernel void reduce(__global const float *in, __global float *out, int n)
{
    __local float s[256];
    int t = get_local_id(0);
    int i = get_global_id(0);
    s[t] = i < n ? in[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = 1; stride < get_local_size(0); stride *= 2) {
        int k = 2 * stride * t;
        if (k < get_local_size(0))
            s[k] += s[k + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = s[0];
}
