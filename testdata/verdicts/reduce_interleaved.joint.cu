// Sum of an array: the first threads of a block add, at distances that the compiler knows.
// idgen: local=256 groups=4096
__global__ void reduce(const float *in, float *out, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    #pragma unroll
    for (int stride = 1; stride < 256; stride *= 2) {
        int k = 2 * stride * t;
        if (k < 256)
            s[k] += s[k + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
