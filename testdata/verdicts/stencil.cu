// first: swapped-axes
// Five points, with x and y of the thread mixed up.
__global__ void stencil(const float *in, float *out, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && i < ny - 1 && j > 0 && j < nx - 1)
        out[i * nx + j] = 0.2f * (in[i * nx + j] + in[i * nx + j - 1] + in[i * nx + j + 1] +
                                  in[(i - 1) * nx + j] + in[(i + 1) * nx + j]);
}
