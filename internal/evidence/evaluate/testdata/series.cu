// A copy, one element or several for each work item.
template <int EACH>
__global__ void copy(float *out, const float *in, int n) {
    int at = EACH * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll
    for (int i = 0; i < EACH; ++i)
        if (at + i < n) out[at + i] = in[at + i];
}

// Rows of a table, each of 32 words; with shared memory of which only the launch tells the size.
__global__ void rows(float *out, const float *table, const int *row) {
    extern __shared__ float staged[];
    staged[threadIdx.x] = table[32 * row[blockIdx.x] + threadIdx.x];
    out[32 * blockIdx.x + threadIdx.x] = staged[threadIdx.x];
}
