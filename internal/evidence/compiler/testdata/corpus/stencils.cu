// Stencils of two and three dimensions. R: radius; U: results of a thread; F: the type.
#ifndef R
#define R 1
#endif
#ifndef U
#define U 1
#endif
#ifndef F
#define F float
#endif

extern "C" __global__ void star2(const F *__restrict__ in, F *__restrict__ out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y0 = (blockIdx.y * blockDim.y + threadIdx.y) * U;
    if (x < R || x >= w - R)
        return;
    for (int u = 0; u < U; ++u) {
        int y = y0 + u;
        if (y < R || y >= h - R)
            continue;
        F s = in[y * w + x];
        for (int d = 1; d <= R; ++d)
            s += F(0.25) / d * (in[y * w + x - d] + in[y * w + x + d] + in[(y - d) * w + x] + in[(y + d) * w + x]);
        out[y * w + x] = s;
    }
}

extern "C" __global__ void box2(const F *in, F *out, int w, F c)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + R, y = blockIdx.y * blockDim.y + threadIdx.y + R;
    F s = 0;
    for (int dy = -R; dy <= R; ++dy)
        for (int dx = -R; dx <= R; ++dx)
            s += in[(y + dy) * w + x + dx];
    out[y * w + x] = s * c;
}

extern "C" __global__ void tile2(const F *in, F *out, int w)
{
    __shared__ F part[16 + 2 * R][16 + 2 * R];
    int x = blockIdx.x * 16, y = blockIdx.y * 16;
    for (int r = threadIdx.y; r < 16 + 2 * R; r += 16)
        for (int c = threadIdx.x; c < 16 + 2 * R; c += 16)
            part[r][c] = in[(y + r) * w + x + c];
    __syncthreads();
    F s = 0;
    for (int d = -R; d <= R; ++d)
        s += part[threadIdx.y + R + d][threadIdx.x + R] + part[threadIdx.y + R][threadIdx.x + R + d];
    out[(y + threadIdx.y) * w + x + threadIdx.x] = s;
}

extern "C" __global__ void march3(const F *__restrict__ in, F *__restrict__ out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + R, y = blockIdx.y * blockDim.y + threadIdx.y + R;
    int plane = nx * ny, at = y * nx + x;
    F column[2 * R + 1];
    for (int d = 0; d < 2 * R; ++d)
        column[d] = in[at + d * plane];
    for (int z = R; z < nz - R; ++z) {
        column[2 * R] = in[at + (z + R) * plane];
        F s = column[R];
        for (int d = 1; d <= R; ++d)
            s += in[at + z * plane - d] + in[at + z * plane + d] + in[at + z * plane - d * nx] +
                 in[at + z * plane + d * nx] + column[R - d] + column[R + d];
        out[at + z * plane] = s * F(0.125);
        for (int d = 0; d < 2 * R; ++d)
            column[d] = column[d + 1];
    }
}
