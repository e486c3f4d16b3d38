#ifndef LOCAL_SIZE
#define LOCAL_SIZE 256 // work items per group, a power of two
#endif
#ifndef LENGTH
#define LENGTH 1048576 // elements of in, a multiple of 2 * LOCAL_SIZE
#endif

// Sum of each group's 2 * LOCAL_SIZE elements by a tree in local memory.
// Every step of the tree halves the active lanes and ends in a barrier; the last five steps diverge
// within the first warp. out has one partial sum per group.
// idgen: local=LOCAL_SIZE global=LENGTH/2
__kernel void reduction(__global const float *in, __global float *out)
{
    __local float partial[LOCAL_SIZE];
    const int lid = get_local_id(0);
    const int i = get_group_id(0) * (2 * LOCAL_SIZE) + lid;

    partial[lid] = in[i] + in[i + LOCAL_SIZE];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = LOCAL_SIZE / 2; s > 0; s >>= 1) {
        if (lid < s)
            partial[lid] += partial[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        out[get_group_id(0)] = partial[0];
}
