// Constants, declarations and statements.
enum { ZERO = 1 / 0 };                 // NOTE "(?s)division by zero in the value of an enumerator.*no usable kernel needs it"
__constant float unused[NOWHERE] = { 0 };  // NOTE "NOWHERE is not declared .no usable kernel needs it"
__constant int limit = 4;
__constant int later = get_global_id(0); // NOTE "the initialiser of later must be a constant"
__kernel void sizes(__global float *a, int n) {
  float none[4 - limit];     // ERROR "an array of 0 elements"
  float negative[-limit];    // ERROR "an array of -4 elements"
  float fraction[2.5f];      // ERROR "the size of an array must be an integer, this is float"
  float divided[limit / 0];  // ERROR "division by zero in the size of an array"
  float huge[1 << 30][1 << 30]; // ERROR "larger than any memory"
  float open[];              // ERROR "open has the incomplete type"
  struct unknown u;          // ERROR "u has the incomplete type struct unknown"
  void v;                    // ERROR "v has the incomplete type void"
  int many[2] = { 1, 2, 3 }; // ERROR "more values than int\[2\] has elements"
  int far[2] = { [2] = 1 };  // ERROR "int\[2\] has no element 2"
  int one[2] = 1;            // ERROR "array one is initialised by a single value"
  __local int filled[2] = { 1, 2 }; // ERROR "__local filled cannot be initialised"
  a[0] = 08;                 // ERROR "constant 08: invalid digits"
  a[0] = 5 / (limit - 4);    // WARN "division by zero"
  n /= 0;                    // WARN "division by zero"
  a[0] = limit == 4 ? 1 : 1 / 0;
  switch (n) { case 1: case 1: break; case 2: default: default: break; case n: ; } // ERROR "two labels for case 1" ERROR "two default labels" ERROR "a case label must be a constant: n is a variable"
  break;                     // ERROR "break outside"
  continue;                  // ERROR "continue outside"
  {
    #pragma unroll n         // ERROR "an unroll factor must be a constant: n is a variable"
    for (;;) ;
  }
}
__kernel __attribute__((reqd_work_group_size(0, 1, 1))) void group(__global float *a) { a[0] = 1; } // ERROR "work-group size 0 is not positive"
__kernel void spaces(float *nowhere, __global float *a, __local float *b, __private float *c) { // ERROR "(?s)argument nowhere points to no address space.*__global" ERROR "argument c points to no address space"
  b = a;                     // ERROR "a pointer to __local is needed, this points to __global"
  float *p = a;              // WARN "generic since OpenCL C 2.0"
}
__kernel void value(__global float a) { } // ERROR "(?s)parameter a itself cannot be __global.*pointer"
__kernel void good(__global float *a) { a[0] = limit; }
