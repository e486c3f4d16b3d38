// Chases pointers; local memory lets five groups be resident.
// idgen: local=128 groups=2952
__kernel void chase(__global int *y, __global const int *x)
{
    __local int used[4800];
    const int lid = get_local_id(0);
    int at = get_global_id(0);
    used[lid] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < 128; ++k)
        at += (at ^ k) * 3;
    y[get_global_id(0)] = at + used[lid ^ 1];
}
