// first: bank-conflicts
#define T 32
__kernel __attribute__((reqd_work_group_size(T, T, 1)))
void transpose(__global const float *in, __global float *out, int n)
{
    __local float t[T][T];
    int lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[(get_group_id(1) * T + ly) * n + get_group_id(0) * T + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * T + ly) * n + get_group_id(1) * T + lx] = t[lx][ly];
}
