// Transposed convolution by scattering: each input adds to its 4x4 outputs.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define K 4
#define STRIDE 2
__kernel void deconv(__global const float *in, __constant float *weights, __global float *out,
                     int inW, int inH, int outW)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= inW || y >= inH)
        return;
    float acc = 0.0f;
    for (int ky = 0; ky < K; ky++)
        for (int kx = 0; kx < K; kx++) {
            int sx = x + kx, sy = y + ky;
            acc += in[(sy / STRIDE) * inW + sx / STRIDE] * weights[ky * K + kx] * 0.0625f;
        }
    out[y * outW + x] = acc;
}
