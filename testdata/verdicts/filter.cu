// first: l1-traffic
// A filter with taps in global memory.
#define TAPS 32
__global__ void filter(const float *signal, const float *taps, float *filtered, int length)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= length - TAPS) return;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < TAPS; k++)
        sum += signal[idx + k] * taps[k];
    filtered[idx] = sum;
}
