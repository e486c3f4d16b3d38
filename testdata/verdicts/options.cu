// first: slow-math
__device__ float cnd(float d) { return 0.5f * erfcf(-d * 0.70710678f); }
__global__ void bs(const float *S, const float *X, const float *T, float *call, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sq = sqrtf(T[i]);
    float d1 = (logf(S[i] / X[i]) + (0.02f + 0.5f * 0.09f) * T[i]) / (0.3f * sq);
    float d2 = d1 - 0.3f * sq;
    call[i] = S[i] * cnd(d1) - X[i] * expf(-0.02f * T[i]) * cnd(d2);
}
