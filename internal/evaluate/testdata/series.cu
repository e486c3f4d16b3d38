// A copy, one element or several for each work item.
template <int EACH>
__global__ void copy(float *out, const float *in, int n) {
    int at = EACH * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll
    for (int i = 0; i < EACH; ++i)
        if (at + i < n) out[at + i] = in[at + i];
}
