// Finds its block of the data by a hash of the group's number.
// idgen: local=256 groups=8192
__kernel void shuffle(__global float *y, __global const float *x)
{
    unsigned h = get_group_id(0);
#pragma unroll
    for (int k = 0; k < 12; ++k) {
        h = (h ^ h >> 7) * 2654435761u;
        h ^= h << 3;
    }
    const int i = (h & 15) * 256 + get_local_id(0);
    float v = x[i];
#pragma unroll
    for (int k = 0; k < 44; ++k)
        v = v * 1.5f + 0.5f;
    y[i] = v;
}
