#define R 3
__constant__ float kern[2 * R + 1][2 * R + 1];
__global__ void convolve(const float* in, float* out, int W, int H) {
  __shared__ float t[8 + 2 * R][32 + 2 * R];
  const int col = threadIdx.x + blockIdx.x * blockDim.x, row = threadIdx.y + blockIdx.y * blockDim.y;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < (8 + 2 * R) * (32 + 2 * R); i += 256) {
    int y = i / (32 + 2 * R), x = i % (32 + 2 * R);
    int yy = blockIdx.y * 8 + y - R, xx = blockIdx.x * 32 + x - R;
    t[y][x] = yy >= 0 && yy < H && xx >= 0 && xx < W ? in[yy * W + xx] : 0.f;
  }
  __syncthreads();
  if (col >= W || row >= H) return;
  float s = 0.f;
  for (int dy = -R; dy <= R; ++dy)
    for (int dx = -R; dx <= R; ++dx) {
      s += t[threadIdx.y + dy + R][threadIdx.x + dx + R] * kern[dy + R][dx + R];
  }
  out[row * W + col] = s;
}
void run(const float* in, float* out) {
  dim3 b(32, 8); dim3 g(1920 / 32, 1080 / 8);
  convolve<<<g, b>>>(in, out, 1920, 1080);
}
