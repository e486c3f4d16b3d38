// first: uncoalesced
__global__ void permute(const float *in, float *out, int C, int H, int W)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < C * H * W) {
        int w = i % W, h = i / W % H, c = i / (W * H);
        out[(h * W + w) * C + c] = in[i];
    }
}
