// Sums up four neighbouring elements, one by one, of data that the cache holds.
// idgen: local=256 groups=1024
__kernel void quads(__global float *y, __global const float *x)
{
    const int i = get_local_id(0);
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 4096; k += 1024)
        sum += x[4 * i + k] + x[4 * i + k + 1] + x[4 * i + k + 2] + x[4 * i + k + 3];
    y[get_global_id(0)] = sum;
}
