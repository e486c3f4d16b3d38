// idgen: local=256 groups=4096
__kernel void scale(__global const float *in, __global float *out, float a)
{
    int i = get_global_id(0);
    out[i] = native_sin(native_cos(a * in[i])) + native_exp(in[i]);
}
