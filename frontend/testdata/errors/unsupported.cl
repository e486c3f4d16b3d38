// Constructs that cannot be analysed: each is named, with what to do about it.
__kernel void vla(__global float *a, int n) { float b[n + 1]; } // ERROR "(?s)UNSUPPORTED.*arrays of variable length.*make n a macro"
__kernel void jumps(__global float *a) { goto out; out: a[0] = 1; } // ERROR "goto is not supported" ERROR "labels for goto"
__kernel void image(read_only image2d_t i, __global float4 *a) { a[0] = read_imagef(i, 0, (int2)(0)); } // ERROR "image2d_t are not supported" ERROR "read_imagef: images are not supported"
__kernel void pointer(__global float *a) { float (*f)(float); a[0] = 1; } // ERROR "pointers to functions"
float one(void) { return 1; }
__kernel void function_value(__global float *a) { a[0] = (&one)() + *one; } // ERROR "calls through a pointer" ERROR "pointers to functions"
__kernel void text(__global char *a) { a[0] = "abc"[1]; } // ERROR "string literals"
__kernel void statement(__global float *a) { a[0] = ({ 1; }); } // ERROR "statement expressions"
struct bits { int low : 4; }; // ERROR "bit-fields are not supported"
__kernel void fields(__global struct bits *a) { a->low = 1; }
__kernel void dimension(__global float *a, int d) { a[get_global_id(d)] = 1; } // ERROR "get_global_id of a dimension that is not constant"
__kernel void nested(__global int *a) { switch (a[0]) { case 1: { case 2: a[1] = 1; } } } // ERROR "a case label inside a nested statement"
__kernel void before(__global int *a) { switch (a[0]) { a[1] = 1; case 1: ; } } // ERROR "statements before the first case"
__kernel void variadic(__global float *a) { a[0] = sub_group_reduce_add(a[1]); } // ERROR "sub-group functions"
__kernel void copy(__global float *a, __local float *b) { async_work_group_copy(b, a, 4, 0); } // ERROR "asynchronous copies"
__kernel void literal(__global float *a) { int *p = (int[]){ 1, 2 }; } // ERROR "compound literals of arrays"
__kernel void good(__global float *a) { a[0] = 1; }
