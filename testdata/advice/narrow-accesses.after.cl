// Sums up four neighbouring elements, read as a vector, of data that the cache holds.
// idgen: local=256 groups=1024
__kernel void quads(__global float *y, __global const float4 *x)
{
    const int i = get_local_id(0);
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 1024; k += 256) {
        const float4 v = x[i + k];
        sum += v.x + v.y + v.z + v.w;
    }
    y[get_global_id(0)] = sum;
}
