// Fills rows; three quarters of the second row of groups are outside the data.
__global__ void rows(float *out, const float *in, int n) {
    int x = blockIdx.x * block_x + threadIdx.x;
    for (int t = 0; t < tile; t++) {
        int y = (blockIdx.y * block_y + threadIdx.y) * tile + t;
        if (y < n) {
            float sum = 0;
            for (int k = 0; k < 64; k++)
                sum += in[k * 16384 + x] * y;
            out[y * 16384 + x] = sum;
        }
    }
}
