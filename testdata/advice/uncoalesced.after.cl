// Scales a matrix, neighbouring elements by neighbouring work items.
// idgen: local=256 groups=1968 arg.width=64
__kernel void scale(__global float *a, const float factor, const int width)
{
    const int column = get_global_id(0);
    for (int k = 0; k < width; ++k)
        a[k * get_global_size(0) + column] *= factor;
}
