// Scales a row-major matrix, a row for each work item.
// idgen: local=256 groups=1968 arg.width=64
__kernel void scale(__global float *a, const float factor, const int width)
{
    const int row = get_global_id(0);
    for (int k = 0; k < width; ++k)
        a[row * width + k] *= factor;
}
