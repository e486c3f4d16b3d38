// Vector addition C = A + B, one element per work item.
// Two independent coalesced loads, one addition, one coalesced store: 3 * 128 bytes per warp
// against one arithmetic instruction, bound by memory on every GPU.
// Source: V16 3.8.
// Golden: 11.
// idgen: local=256 global=1048576
__kernel void vadd(__global const float *A, __global const float *B, __global float *C)
{
    const int i = get_global_id(0);
    C[i] = A[i] + B[i];
}
