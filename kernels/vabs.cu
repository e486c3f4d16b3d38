#ifndef LENGTH
#define LENGTH 1048576 // elements of a vector
#endif

// Absolute value of every element of a vector.
// The shortest streaming kernel: one load, one operation, one store per thread.
// idgen: local=256 groups=(LENGTH+255)/256 arg.n=LENGTH
__global__ void vabs(const float *__restrict__ in, float *__restrict__ out, const int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = fabsf(in[i]);
}
