#ifndef WIDTH
#define WIDTH 2048 // columns of the image, a multiple of TILE
#endif
#ifndef HEIGHT
#define HEIGHT 2048 // rows of the image, a multiple of TILE
#endif
#ifndef TILE
#define TILE 16 // side of a work group and of its part of the image
#endif
#ifndef RADIUS
#define RADIUS 2 // the filter has 2 * RADIUS + 1 rows and columns; at most TILE / 2
#endif
#define TAPS (2 * RADIUS + 1)
#define SIDE (TILE + 2 * RADIUS) // side of the tile with its halo

// Two-dimensional convolution with a constant filter, the image tile and its halo in local memory.
// Pixels beyond the image's edge repeat the nearest one. The filter is given mirrored, so that taps and
// pixels run in the same direction; its loops are unrolled and leave TAPS * TAPS multiply-adds.
// idgen: local=TILE,TILE groups=WIDTH/TILE,HEIGHT/TILE arg.width=WIDTH arg.height=HEIGHT
__kernel void convolution(__global const float *in, __global float *out,
                          __constant float *filter, const int width, const int height)
{
    __local float tile[SIDE][SIDE];
    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int left = (int)get_group_id(0) * TILE - RADIUS;
    const int top = (int)get_group_id(1) * TILE - RADIUS;

    for (int y = ly; y < SIDE; y += TILE) {
        const int row = clamp(top + y, 0, height - 1);
        for (int x = lx; x < SIDE; x += TILE) {
            const int column = clamp(left + x, 0, width - 1);
            tile[y][x] = in[row * width + column];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
#pragma unroll
    for (int dy = 0; dy < TAPS; ++dy) {
#pragma unroll
        for (int dx = 0; dx < TAPS; ++dx)
            sum += filter[dy * TAPS + dx] * tile[ly + dy][lx + dx];
    }
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    out[y * width + x] = sum;
}
