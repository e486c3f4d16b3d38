// Transposes a matrix of 2048 columns through a tile with padded rows.
// idgen: local=32,8 groups=64,64 arg.width=2048
__kernel void transpose(__global const float *in, __global float *out, const int width)
{
    __local float tile[32][33];
    const int x = get_local_id(0), y = get_local_id(1);
    const int column = get_group_id(0) * 32, row = get_group_id(1) * 32;
    for (int j = 0; j < 32; j += 8)
        tile[y + j][x] = in[(row + y + j) * width + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 32; j += 8)
        out[(column + y + j) * width + row + x] = tile[x][y + j];
}
