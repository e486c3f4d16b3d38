#ifndef WIDTH
#define WIDTH 1024 // elements in a row of A, B and C
#endif
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 16 // side of a tile and of a thread block; WIDTH is a multiple of it
#endif

// Matrix multiplication C = A * B through square tiles in shared memory.
// The CUDA twin of mmul.cl: both give the same instructions.
// Source: P19 Listing 1.
// Golden: 9.
// idgen: local=BLOCK_SIZE,BLOCK_SIZE groups=WIDTH/BLOCK_SIZE,WIDTH/BLOCK_SIZE
// idgen: arg.wA=WIDTH arg.wB=WIDTH
__global__ void mmul(float *C, const float *A, const float *B, const int wA, const int wB)
{
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int column = blockIdx.x * BLOCK_SIZE + tx;
    const int row = blockIdx.y * BLOCK_SIZE + ty;
    const int tiles = wA / BLOCK_SIZE;

    float sum = 0.0f;
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
        As[ty][tx] = A[row * wA + tile * BLOCK_SIZE + tx];
        Bs[ty][tx] = B[(tile * BLOCK_SIZE + ty) * wB + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BLOCK_SIZE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * wB + column] = sum;
}
