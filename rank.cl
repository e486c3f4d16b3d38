__kernel void k(__global float *a) { a[get_global_linear_id()] = get_local_linear_id(); }
__kernel void k2(__global float *a) { a[get_global_id(1)] = get_local_linear_id(); }
