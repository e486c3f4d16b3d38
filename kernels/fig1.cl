// Scaled vector addition of the 2019 paper, one load-load-madd-store chain per work item.
// With the addresses folded into the memory instructions a warp is: index, two loads,
// multiply-add, store. Alone it takes L(index) + c(mem) + L(mem) + L(madd) + c(mem) cycles
// (L latency, c CPI): it is finished when its store has been issued.
// Source: P19 Fig. 1.
// Golden: 2.
// idgen: local=256 global=1048576 arg.a=2.0f
__kernel void fig1(__global const float *X, __global float *Y, const float a)
{
    const int i = get_global_id(0);
    const float x = X[i];
    const float y = Y[i];
    const float z = a * x + y;
    Y[i] = z;
}
