// idgen: local=512 groups=4096
__global__ void scan(const float *in, float *out, int n)
{
    __shared__ float a[512], b[512];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    a[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int d = 1; d < 512; d *= 4) {
        b[t] = a[t] + (t >= d ? a[t - d] : 0.0f);
        __syncthreads();
        a[t] = b[t] + (t >= 2 * d ? b[t - 2 * d] : 0.0f);
        __syncthreads();
    }
    if (i < n)
        out[i] = a[t];
}
