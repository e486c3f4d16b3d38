// first: tile
__kernel void mean_filter(__global const float *in, __global float *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++)
            s += in[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)];
    out[y * w + x] = s / 25.0f;
}
