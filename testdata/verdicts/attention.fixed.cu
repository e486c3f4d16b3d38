#define T 16
__global__ void scores(const float *Q, const float *K, float *S, int n, int d)
{
    __shared__ float q_[T][T], k_[T][T + 1];
    int q = blockIdx.y * T + threadIdx.y;
    int k = blockIdx.x * T + threadIdx.x;
    float dot = 0.0f;
    for (int i0 = 0; i0 < d; i0 += T) {
        q_[threadIdx.y][threadIdx.x] = Q[q * d + i0 + threadIdx.x];
        k_[threadIdx.y][threadIdx.x] = K[(blockIdx.x * T + threadIdx.y) * d + i0 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; i++)
            dot += q_[threadIdx.y][i] * k_[threadIdx.x][i];
        __syncthreads();
    }
    S[q * n + k] = dot / sqrt((double)d);
}
