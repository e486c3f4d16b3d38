// Damps waves; the literals are doubles.
// idgen: local=256 groups=4096
__kernel void damp(__global float *y, __global const float *x)
{
    const int i = get_global_id(0);
    float v = x[i];
    for (int k = 0; k < 16; ++k)
        v = v * 0.99 + 0.5;
    y[i] = v;
}
