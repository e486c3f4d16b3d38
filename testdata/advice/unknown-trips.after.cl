// Mixes bits 1024 times.
// idgen: local=256 groups=4096 arg.n=1024
__kernel void mix(__global unsigned *y, __global const unsigned *x, const int n)
{
    const int i = get_global_id(0);
    unsigned h = x[i];
    for (int k = 0; k < 1024; ++k)
        h ^= h << 5;
    y[i] = h;
}
