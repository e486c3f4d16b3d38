// first: tile
// scores[q][k] = softmax-free Q K^T / sqrt(d); a thread per score
__global__ void scores(const float *Q, const float *K, float *S, int n, int d)
{
    int q = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (q < n && k < n) {
        float dot = 0.0f;
        for (int i = 0; i < d; i++)
            dot += Q[q * d + i] * K[k * d + i];
        S[q * n + k] = dot / sqrt((double)d);
    }
}
