// Operands and arguments of the wrong type.
struct s { int i; };
__kernel void operators(__global float *a, __global int *i, struct s s, float4 v, int4 w) {
  a[0] = a[1] % 2.0f;   // ERROR "(?s)operator % needs integers, not float.*fmod"
  a[0] = a[1] & 1;      // ERROR "operator & needs integers, not float"
  a[0] = a[1] << 1;     // ERROR "operator << does not take float and int"
  a[0] = s + 1;         // ERROR "operator \+ does not take struct s and int"
  a[0] = v + w;         // ERROR "(?s)does not take float4 and int4.*convert_float4 or convert_int4"
  a[0] = v;             // ERROR "assignment: a value of type float is needed, this is float4"
  v = w;                // ERROR "(?s)int4 does not become float4 by itself.*convert_float4.*as_float4"
  v = (float4)w;        // ERROR "a cast cannot make float4 of int4"
  a[0] = ~a[1];         // ERROR "operator ~ does not take float"
  a[0] = -s;            // ERROR "operator - does not take struct s"
  a[0] = a + a;         // ERROR "operator \+ does not take"
  a[0] = a - i;         // ERROR "operator - does not take"
  a[0] = *a[1];         // ERROR "float is not a pointer"
  a[0] = a[1.5f];       // ERROR "a subscript is an integer, this is float"
  a[0] = i[0][1];       // ERROR "int cannot be subscripted"
  a[0] = s.i.x;         // ERROR "int has no members"
  a[0] = s == s;        // ERROR "operator == does not take"
  a = 5;                // ERROR "a value of type __global float \* is needed, this is int"
  a[0] = w ? v : w;     // ERROR "the two sides of \?: have types float4 and int4"
  if (v) a[0] = 1;      // ERROR "(?s)the condition of if is a vector.*any"
  while (s) a[0] = 1;   // ERROR "the condition of while is a struct s"
  switch (a[0]) { case 1: break; } // ERROR "switch needs an integer, this is float"
}
__kernel void lvalues(__global const float *a, __constant float *c, float4 v) {
  const int n = 3;
  float b[3], d[3];
  a[0] = 1;      // ERROR "assignment to something constant"
  c[0] = 1;      // ERROR "assignment to something constant"
  n = 4;         // ERROR "assignment to something constant"
  n++;           // ERROR "assignment to something constant"
  5 = n;         // ERROR "cannot be assigned to"
  v.xx = 1;      // ERROR "(?s)cannot be assigned to.*a component occurs twice"
  b = d;         // ERROR "an array cannot be assigned to"
  &(n + 1);      // ERROR "this expression has no address"
  &v.xy;         // ERROR "no common address"
}
__kernel void vectors(__global float4 *a) {
  a[0].q = 1;                   // ERROR "float4 has no components q"
  a[0] = (float4)(1, 2);        // ERROR "float4 needs 4 components, these are 2"
  a[0] = (float4)(1, 2, 3, 4, 5); // ERROR "these are 5"
  a[0] = (float4)((int2)(1), 1, 2); // ERROR "components of int2 cannot be part of float4"
  a[0].xyz.xyzwx = 1;           // ERROR "no components"
  a[0][4] = 1;                  // ERROR "float4 has no component 4"
}
int both(int x) { return; } // ERROR "return without a value"
__kernel void calls(__global float *a, int n) {
  a[0] = both(1);
  a[0] = both();          // ERROR "both: 1 argument expected, 0 arguments given"
  a[0] = both(a);         // ERROR "argument 1 of both: a value of type int is needed"
  a[0] = sin(a);          // ERROR "sin: a number is needed"
  a[0] = sin(1, 2);       // ERROR "sin: 1 argument expected, 2 arguments given"
  a[0] = dot(a[0], (float4)(1)) + dot((float2)(1), (float4)(1)); // ERROR "float2 and float4 do not go together"
  a[0] = mad24(a[0], 1, 2); // ERROR "an integer type is needed, this is float"
  atomic_add(n, 1);       // ERROR "atomic_add: a pointer is needed, this is int"
  a[0] = as_double(a[0]); // ERROR "as_double: 8 bytes needed, float has 4"
  a[0] = convert_float4(a[0]).x; // ERROR "convert_float4: 4 components of a number needed"
  return 1;               // ERROR "return with a value"
}
__kernel int result(__global float *a) { return 1; } // ERROR "kernel result returns int"
