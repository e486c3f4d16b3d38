#define R 3
#define T 16
// idgen: local=16,16 groups=64,64 arg.width=1024 arg.height=1024
__kernel void convolution(__global const float *in, __global const float *filter, __global float *out,
                          int width, int height)
{
    __local float s[T + 2 * R][48], f[(2 * R + 1) * (2 * R + 1)];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    for (int j = ly; j < T + 2 * R; j += T)
        for (int i = lx; i < T + 2 * R; i += T)
            s[j][i] = in[clamp(y - ly + j - R, 0, height - 1) * width + clamp(x - lx + i - R, 0, width - 1)];
    if (ly * T + lx < (2 * R + 1) * (2 * R + 1))
        f[ly * T + lx] = filter[ly * T + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < R || y < R || x >= width - R || y >= height - R)
        return;
    float sum = 0.0f;
    for (int j = -R; j <= R; j++)
        for (int i = -R; i <= R; i++)
            sum += s[ly + R + j][lx + R + i] * f[(j + R) * (2 * R + 1) + i + R];
    out[y * width + x] = sum;
}
