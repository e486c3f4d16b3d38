// Launch directives.
// idgen: local=8,COUNT            // ERROR "COUNT is not declared"
__kernel void undeclared(__global float *a) { a[0] = 1; }
// idgen: local=4-4 // ERROR "local=0 is not positive"
__kernel void zero(__global float *a) { a[0] = 1; }
// idgen: arg.m=1 // ERROR "(?s)kernel missing has no argument m.*its arguments: a, n"
__kernel void missing(__global float *a, int n) { a[0] = n; }
// idgen: arg.a=1 // ERROR "argument a is a __global float"
__kernel void pointer(__global float *a) { a[0] = 1; }
// idgen: local=1/0 // ERROR "division by zero in local="
__kernel void divided(__global float *a) { a[0] = 1; }
