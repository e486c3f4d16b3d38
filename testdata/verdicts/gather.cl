// first: indirect
__kernel void gather(__global const float4 *table, __global const int *index, __global float4 *out, int n)
{
    int i = get_global_id(0);
    if (i < n)
        out[i] = table[index[i]];
}
