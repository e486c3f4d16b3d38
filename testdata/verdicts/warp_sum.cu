// first: same-address
// Block sum by shuffles; bug: a barrier after every step, and every lane adds its warp's sum.
__global__ void warp_sum(const float *in, float *out, int n)
{
    __shared__ float partial[32];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    float v = i < n ? in[i] : 0.0f;
    for (int d = 16; d > 0; d >>= 1) {
        v += __shfl_down_sync(0xffffffff, v, d);
        __syncthreads();
    }
    if (tid % 32 == 0)
        partial[tid / 32] = v;
    __syncthreads();
    atomicAdd(out, tid < blockDim.x / 32 ? partial[tid] : 0.0f);
}
