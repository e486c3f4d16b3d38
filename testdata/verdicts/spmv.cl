// first: indirect
// Product of a matrix in compressed rows and a vector, a work item a row.
__kernel void spmv(__global const int *start, __global const int *column, __global const float *value,
                   __global const float *x, __global float *y, int rows)
{
    int row = get_global_id(0);
    if (row < rows) {
        float sum = 0.0f;
        for (int k = start[row]; k < start[row + 1]; k++)
            sum += value[k] * x[column[k]];
        y[row] = sum;
    }
}
