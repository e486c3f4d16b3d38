// first: uncoalesced
__global__ void rowsum(const float* m, float* s, int rows, int cols) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        float x = 0;
        for (int c = 0; c < cols; ++c) x += m[r * cols + c];
        s[r] = x;
    }
}
int main() { float *m, *s; rowsum<<<512, 128>>>(m, s, 65536, 512); }
