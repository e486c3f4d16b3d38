// Transposition of a row-major matrix, WIDTH columns by HEIGHT rows, both multiples of TILE.

#ifndef WIDTH
#define WIDTH 2048
#endif
#ifndef HEIGHT
#define HEIGHT 2048
#endif
#ifndef TILE
#define TILE 32 // side of a tile
#endif
#ifndef ROWS
#define ROWS 8 // rows of work items in a group; divides TILE
#endif
#ifndef PAD
#define PAD 0 // unused words at the end of a tile's row; 1 removes the bank conflicts
#endif

// Transposition straight through registers: coalesced reads, fully divergent writes.
// A warp of 32 lanes in a row writes into 32 different rows: 32 memory transactions.
// Source: V16 2.5 (coalescing).
// Golden: 14.
// idgen: local=TILE,ROWS groups=WIDTH/TILE,HEIGHT/ROWS arg.width=WIDTH arg.height=HEIGHT
__kernel void transpose_naive(__global const float *in, __global float *out, const int width,
                              const int height)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    out[x * height + y] = in[y * width + x];
}

// Transposition through a tile in local memory: reads and writes both coalesced.
// The tile is written by rows and read by columns: with TILE 32 and PAD 0 all lanes of a warp read from
// one bank, with PAD 1 each from its own.
// Source: V16 2.5 and 2.6 (coalescing, banks).
// Golden: 13, 14.
// idgen: local=TILE,ROWS groups=WIDTH/TILE,HEIGHT/TILE arg.width=WIDTH arg.height=HEIGHT reference=transpose_naive
__kernel void transpose_tiled(__global const float *in, __global float *out, const int width,
                              const int height)
{
    __local float tile[TILE][TILE + PAD];
    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int x0 = get_group_id(0) * TILE;
    const int y0 = get_group_id(1) * TILE;

#pragma unroll
    for (int j = 0; j < TILE; j += ROWS)
        tile[ly + j][lx] = in[(y0 + ly + j) * width + x0 + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS)
        out[(x0 + ly + j) * height + y0 + lx] = tile[lx][ly + j];
}
