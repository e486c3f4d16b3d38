// Adds up rows; groups that read the same columns are far apart in the launch.
// idgen: local=256 groups=512,16
__kernel void add(__global float *y, __global const float *x)
{
    const int i = get_local_id(0) + 256 * get_group_id(0);
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 64; ++k)
        sum += x[k * 131072 + i];
    y[get_group_id(1) * 131072 + i] = sum;
}
