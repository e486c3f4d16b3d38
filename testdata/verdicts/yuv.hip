// first: uncoalesced
#include <hip/hip_runtime.h>
__global__ void rgb_to_yuv(const unsigned char* rgb, unsigned char* yuv, int pixels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  float r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
  yuv[3 * i] = (unsigned char)(0.299f * r + 0.587f * g + 0.114f * b);
  yuv[3 * i + 1] = (unsigned char)(-0.169f * r - 0.331f * g + 0.5f * b + 128.f);
  yuv[3 * i + 2] = (unsigned char)(0.5f * r - 0.419f * g - 0.081f * b + 128.f);
}
int main() {
  unsigned char *a, *b;
  const int n = 1920 * 1080;
  hipMalloc(&a, 3 * n); hipMalloc(&b, 3 * n);
  rgb_to_yuv<<<(n + 255) / 256, 256>>>(a, b, n);
}
