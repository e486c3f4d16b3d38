// first: idle-lanes
// blocks of one thread
__global__ void saxpy(float a, const float *x, float *y)
{
    y[blockIdx.x] += a * x[blockIdx.x];
}
void run(float *x, float *y) { saxpy<<<1 << 20, 1>>>(2.0f, x, y); }
