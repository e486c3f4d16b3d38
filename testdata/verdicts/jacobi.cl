// first: none, minor: accidental-doubles
__kernel void jacobi(__global const float *a, __global float *b, __global const float *rhs, int n)
{
    int i = get_global_id(0) + 1, j = get_global_id(1) + 1;
    if (i < n - 1 && j < n - 1)
        b[j * n + i] = 0.25 * (a[j * n + i - 1] + a[j * n + i + 1] + a[(j - 1) * n + i] + a[(j + 1) * n + i])
                     + 1.0 * rhs[j * n + i];
}
