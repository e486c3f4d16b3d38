#ifndef WIDTH
#define WIDTH 1024 // elements in a row of A, B and C
#endif
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 16 // side of a tile and of a work group; WIDTH is a multiple of it
#endif

// Matrix multiplication C = A * B through square tiles in local memory.
// Row-major matrices; one work item computes one element of C. An iteration of the rolled
// outer loop has 2 global reads, 2 local stores, 2 barriers, 2 * BLOCK_SIZE local reads,
// BLOCK_SIZE multiply-adds and one loop instruction.
// Source: P19 Listing 1 (mmul_08 and mmul_16: BLOCK_SIZE 8 and 16).
// Golden: 9.
// idgen: local=BLOCK_SIZE,BLOCK_SIZE groups=WIDTH/BLOCK_SIZE,WIDTH/BLOCK_SIZE
// idgen: arg.wA=WIDTH arg.wB=WIDTH
__kernel void mmul(__global float *C, __global const float *A, __global const float *B,
                   const int wA, const int wB)
{
    __local float As[BLOCK_SIZE][BLOCK_SIZE];
    __local float Bs[BLOCK_SIZE][BLOCK_SIZE];

    const int tx = get_local_id(0);
    const int ty = get_local_id(1);
    const int column = get_group_id(0) * BLOCK_SIZE + tx;
    const int row = get_group_id(1) * BLOCK_SIZE + ty;
    const int tiles = wA / BLOCK_SIZE;

    float sum = 0.0f;
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
        As[ty][tx] = A[row * wA + tile * BLOCK_SIZE + tx];
        Bs[ty][tx] = B[(tile * BLOCK_SIZE + ty) * wB + column];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < BLOCK_SIZE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    C[row * wB + column] = sum;
}
