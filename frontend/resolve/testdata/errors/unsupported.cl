// Constructs that cannot be analysed: each is named, with what to do about it.
__kernel void vla(__global float *a, int n) { float b[n + 1]; } // ERROR "(?s)UNSUPPORTED.*arrays of variable length.*make n a macro"
__kernel void back(__global float *a) { for (;;) { again: a[0] += 1; if (a[1] > 0) break; if (a[0] < 3) goto again; } } // ERROR "a goto that goes back, here to again, is not supported(?s:.*)write a loop"
__kernel void into(__global float *a) { goto in; { a[1] = 1; in: a[0] = 1; } } // ERROR "a goto into a block, here to in, is not supported"
__kernel void nowhere(__global float *a) { goto out; a[0] = 1; } // ERROR "goto out: there is no such label"
__kernel void twice(__global float *a) { goto out; out: a[0] = 1; out: ; } // ERROR "the label out is set twice"
__kernel void computed(__global float *a, int n) { goto *a; } // ERROR "goto to a computed address is not supported"
__kernel void image(read_only image2d_t *i, __global float4 *a) { a[0] = 1; image2d_t j; } // ERROR "pointers to image2d_t are not supported" ERROR "objects of type image2d_t are not supported"
__kernel void pointer(__global float *a) { float (*f)(float); a[0] = 1; } // ERROR "pointers to functions"
float one(void) { return 1; }
__kernel void function_value(__global float *a) { float (*f)(void) = one; a[0] = f(); } // ERROR "pointers to functions"
__kernel void function_operand(__global float *a) { a[0] = (&one)() + *one; } // ERROR "operator \+ does not take float and a function"
__kernel void assembly(__global float *a) { asm("nop"); a[0] = 1; } // ERROR "the PTX instruction nop is not supported"
struct bits { int low : 4; }; // ERROR "bit-fields are not supported"
__kernel void fields(__global struct bits *a) { a->low = 1; }
__kernel void dimension(__global float *a, int d) { a[get_global_id(d)] = 1; } // ERROR "get_global_id of a dimension that is not constant"
__kernel void before(__global int *a) { switch (a[0]) { a[1] = 1; case 1: ; } } // ERROR "statements before the first case"
__kernel void pipe_reader(read_only pipe int p, __global int *a) { a[0] = 1; } // ERROR "pipes are not supported"
__kernel void block(__global uint *a) { a[0] = intel_sub_group_block_read(a); } // ERROR "this function of cl_intel_subgroups is not supported"
__kernel void good(__global float *a) { a[0] = 1; }
