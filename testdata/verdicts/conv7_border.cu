// first: tile
#define R 3
__constant__ float kern[2 * R + 1][2 * R + 1];
__global__ void convolve(const float* in, float* out, int W, int H) {
  const int col = threadIdx.x + blockIdx.x * blockDim.x, row = threadIdx.y + blockIdx.y * blockDim.y;
  if (col >= W || row >= H) return;
  float s = 0.f;
  for (int dy = -R; dy <= R; ++dy)
    for (int dx = -R; dx <= R; ++dx) {
      int yy = row + dy, xx = col + dx;
      if (yy >= 0 && yy < H && xx >= 0 && xx < W) s += in[yy * W + xx] * kern[dy + R][dx + R];
    }
  out[row * W + col] = s;
}
void run(const float* in, float* out) {
  dim3 b(32, 8); dim3 g(1920 / 32, 1080 / 8);
  convolve<<<g, b>>>(in, out, 1920, 1080);
}
