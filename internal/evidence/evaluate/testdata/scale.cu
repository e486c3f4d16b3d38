__constant__ float weight[4];

__global__ void scale(float *out, const float *in, const float *at, int n) {
    int i = blockIdx.x * block_size + threadIdx.x;
    float sum = 0.0f;
    #pragma unroll
    for (int t = 0; t < tile; t++) {
        sum += in[i * tile + t] * weight[t];
    }
    if (i < n) out[(int)at[i % 4] + i] = sum;
}
