// first: barriers
// Inclusive scan of each block (Hillis and Steele).
__global__ void scan(const float *in, float *out, int n)
{
    __shared__ float s[512];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        float v = t >= d ? s[t - d] : 0.0f;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t];
}
