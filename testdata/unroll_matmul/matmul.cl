// Tiled matrix multiplication C = A * B in the style of the vendors' samples, row-major, with
// run-time widths that are multiples of BLOCK_SIZE. The instruction counts in
// unroll_matmul.tsv were taken from this kernel and its CUDA twin: for each row, the
// UNROLL comment below is replaced by the row's pragma line.
//
// idgen: local=BLOCK_SIZE,BLOCK_SIZE groups=1024/BLOCK_SIZE,1024/BLOCK_SIZE
// idgen: arg.wA=1024 arg.wB=1024

#ifndef BLOCK_SIZE
#define BLOCK_SIZE 16
#endif

__kernel void matmul(__global float *C, __global const float *A, __global const float *B, int wA,
                     int wB)
{
    __local float As[BLOCK_SIZE][BLOCK_SIZE];
    __local float Bs[BLOCK_SIZE][BLOCK_SIZE];

    const int bx = get_group_id(0);
    const int by = get_group_id(1);
    const int tx = get_local_id(0);
    const int ty = get_local_id(1);

    const int aBegin = wA * BLOCK_SIZE * by;
    const int aEnd = aBegin + wA - 1;
    const int aStep = BLOCK_SIZE;
    const int bBegin = BLOCK_SIZE * bx;
    const int bStep = BLOCK_SIZE * wB;

    float sum = 0.0f;
    for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
        /*UNROLL*/
        for (int k = 0; k < BLOCK_SIZE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    const int c = wB * BLOCK_SIZE * by + BLOCK_SIZE * bx;
    C[c + wB * ty + tx] = sum;
}
