// Names that nothing declares.
__kernel void call(__global float *a) { a[0] = squareroot(1.0f); } // ERROR "function squareroot is not declared"
__kernel void near(__global float *a) { a[0] = sqr(1.0f); a[get_globl_id(0)] = 1; } // ERROR "did you mean get_global_id\?" ERROR "did you mean sqrt\?"
__kernel void macro(__global float *a) { a[0] = BLOCK_SIZE + BLOCK_SIZE; } // ERROR "(?s)BLOCK_SIZE is not declared.*looks like a macro: add -D BLOCK_SIZE="
__kernel void macro_call(__global float *a) { a[0] = MAX(1, 2); } // ERROR "(?s)function MAX is not declared.*add -D MAX="
__kernel void variable(__global float *a, int length_of_row) { a[0] = length_of_raw; } // ERROR "(?s)length_of_raw is not declared.*did you mean length_of_row\?"
__kernel void product(__global float *a) { vec * p; } // ERROR "(?s)type vec is not declared.*-D vec=TYPE"
__kernel void real_type(__global float *a) { REAL * p; a[0] = 1; } // ERROR "(?s)type REAL is not declared.*add -D REAL="
struct s { float first, second; };
__kernel void member(__global struct s *a) { a->frist = 1; } // ERROR "(?s)struct s has no member frist.*did you mean first\?"
__kernel void dot_for_arrow(__global struct s *a) { a.first = 1; } // ERROR "write -> instead of \."
float declared_only(float x);
__kernel void no_body(__global float *a) { a[0] = declared_only(1); } // ERROR "declared but not defined"
int even(int n);
int odd(int n) { return n ? even(n - 1) : 0; } // ERROR "(?s)recursion: even is called again.*loop"
int even(int n) { return n ? odd(n - 1) : 1; }
__kernel void recursive(__global int *a) { a[0] = even(a[1]); }
__kernel void no_function(__global float *a) { float f = 1; a[0] = f(2); } // ERROR "f is not a function"
float twice(float x) { return 2 * x; }
float twice(float y) { return y + y; } // ERROR "twice is defined twice"
__kernel void doubled(__global float *a) { int i; a[0] = twice(1); float i; } // ERROR "i is declared twice in one block"
__kernel void both_unknown(__global float *a) { a[0] = nothing_known(nobody); } // ERROR "function nothing_known is not declared" ERROR "nobody is not declared"
__kernel void both(__global float *a) { a[0] = TILE + MAX(1, 2); } // ERROR "(?s)2 names that look like macros are not declared: TILE .line [0-9]+., MAX .line [0-9]+..*add -D TILE=... -D MAX=..."
__kernel void good(__global float *a) { a[0] = 1; }
