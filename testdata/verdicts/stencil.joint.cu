// Five points, from a tile with its border.
// idgen: local=16,16 groups=64,64 arg.nx=1024 arg.ny=1024
#define T 16
__global__ void stencil(const float *in, float *out, int nx, int ny)
{
    __shared__ float tile[T + 2][T + 2];
    int x = threadIdx.x, y = threadIdx.y;
    int j = blockIdx.x * T + x;
    int i = blockIdx.y * T + y;
    tile[y + 1][x + 1] = in[i * nx + j];
    if (y == 0 && i > 0)
        tile[0][x + 1] = in[(i - 1) * nx + j];
    if (y == T - 1 && i < ny - 1)
        tile[T + 1][x + 1] = in[(i + 1) * nx + j];
    if (x == 0 && j > 0)
        tile[y + 1][0] = in[i * nx + j - 1];
    if (x == T - 1 && j < nx - 1)
        tile[y + 1][T + 1] = in[i * nx + j + 1];
    __syncthreads();
    if (i > 0 && i < ny - 1 && j > 0 && j < nx - 1)
        out[i * nx + j] = 0.2f * (tile[y + 1][x + 1] + tile[y + 1][x] + tile[y + 1][x + 2] +
                                  tile[y][x + 1] + tile[y + 2][x + 1]);
}
