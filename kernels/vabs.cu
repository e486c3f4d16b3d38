#ifndef LENGTH
#define LENGTH 1048576 // elements of a vector
#endif

// Absolute value of every element of a vector, in place: only negative ones are written.
// The data decide the branch: --branch 13=not-taken of positive numbers, taken of negative ones.
// Source: V16 Listing 3.7
// idgen: local=256 groups=(LENGTH+255)/256
__global__ void vabs(float *a)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float b = a[i];
    if (b < 0)
        a[i] = -b;
}
