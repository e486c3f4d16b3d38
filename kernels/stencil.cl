#ifndef WIDTH
#define WIDTH 2048 // columns
#endif
#ifndef HEIGHT
#define HEIGHT 2048 // rows
#endif
#define LOCAL_X 32
#define LOCAL_Y 8

// Five-point stencil: one Jacobi step of the heat equation on a grid with fixed borders.
// Neighbouring work items read the same elements again, from a cache if there is one. Work items on
// the border return early: the warps at the left and right edges diverge, all others do not.
// idgen: local=LOCAL_X,LOCAL_Y groups=(WIDTH+LOCAL_X-1)/LOCAL_X,(HEIGHT+LOCAL_Y-1)/LOCAL_Y
// idgen: arg.width=WIDTH arg.height=HEIGHT arg.rate=0.1f
__kernel void stencil(__global const float *in, __global float *out, const int width,
                      const int height, const float rate)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    const int i = y * width + x;
    const float centre = in[i];
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        out[i] = centre;
        return;
    }
    const float around = in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
    out[i] = centre + rate * (around - 4.0f * centre);
}
