#ifndef LENGTH
#define LENGTH 1048576 // elements of a vector
#endif

// Vector addition C = A + B with the usual bounds check.
// The CUDA twin of vadd.cl; the check is true for every thread of the default launch.
// Source: V16 3.8.
// Golden: 11.
// idgen: local=256 groups=(LENGTH+255)/256 arg.n=LENGTH
__global__ void vadd(const float *__restrict__ A, const float *__restrict__ B,
                     float *__restrict__ C, const int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        C[i] = A[i] + B[i];
}
