// first: histogram
__kernel void hist(__global const uchar *img, __global uint *h, uint n)
{
    uint i = get_global_id(0);
    if (i < n) atomic_inc(&h[img[i]]);
}
