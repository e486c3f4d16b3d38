__global__ void stencil(const float *in, float *out, int nx, int ny)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && i < ny - 1 && j > 0 && j < nx - 1)
        out[i * nx + j] = 0.2f * (in[i * nx + j] + in[i * nx + j - 1] + in[i * nx + j + 1] +
                                  in[(i - 1) * nx + j] + in[(i + 1) * nx + j]);
}
