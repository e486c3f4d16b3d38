// first: indirect
// Histogram of 16-bit samples
__kernel void hist16(__global const ushort *samples, __global uint *bins, int n)
{
    int i = get_global_id(0);
    int step = get_global_size(0);
    for (; i < n; i += step)
        atomic_inc(&bins[samples[i]]);
}
