#ifndef LOCAL_SIZE
#define LOCAL_SIZE 256 // threads per block, a power of two
#endif
#ifndef LENGTH
#define LENGTH 1048576 // elements of in
#endif

// Sum of each block's 2 * blockDim.x elements by a tree in dynamic shared memory.
// The CUDA twin of reduction.cl with a block size known at launch only and a bounds check. Launch with
// one float of dynamic shared memory per thread; out has one partial sum per block.
// idgen: local=LOCAL_SIZE groups=(LENGTH+2*LOCAL_SIZE-1)/(2*LOCAL_SIZE)
// idgen: dynamic-local=4*LOCAL_SIZE arg.n=LENGTH
__global__ void reduction(const float *__restrict__ in, float *__restrict__ out, const int n)
{
    extern __shared__ float partial[];
    const int tid = threadIdx.x;
    const int i = blockIdx.x * (2 * blockDim.x) + tid;
    const int j = i + blockDim.x;

    float sum = 0.0f;
    if (i < n)
        sum = in[i];
    if (j < n)
        sum += in[j];
    partial[tid] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = partial[0];
}
