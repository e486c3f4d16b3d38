// Evaluates a polynomial.
// idgen: local=256 groups=4096 arg.n=1048576
__kernel void polynomial(__global float *y, __global const float *x, __constant float *c, const int n)
{
    const int i = get_global_id(0);
    float v = x[i], sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 64; ++k)
        sum = sum * v + 1.5f;
    y[i] = sum;
}
