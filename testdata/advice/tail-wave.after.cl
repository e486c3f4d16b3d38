// Four whole waves of long groups, each with a little more to do.
// idgen: local=1024 groups=328
__kernel void polynomial(__global float *y, __global const float *x)
{
    const int i = get_global_id(0);
    float v = x[i], sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 1024; ++k)
        sum = sum * v + 1.5f;
    y[i] = sum;
}
