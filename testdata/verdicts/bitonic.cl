// first: none, and it says that the addresses depend on j and k
// One step of a bitonic sort over global memory
__kernel void bitonic(__global float *a, uint j, uint k)
{
    uint i = get_global_id(0);
    uint l = i ^ j;
    if (l > i) {
        float x = a[i], y = a[l];
        int up = (i & k) == 0;
        if ((x > y) == up) {
            a[i] = y;
            a[l] = x;
        }
    }
}
