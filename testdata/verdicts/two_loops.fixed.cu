__global__ void iir(const float *__restrict__ b, const float *__restrict__ x, float *__restrict__ y, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int t = 0; t < taps; t++) {
    y[i] += b[t] * x[i];
    y[i] *= b[t] + x[i];
  }
}
