// OpenCL C takes the count of a shift modulo the width.
__kernel void shifts(__global int *o) {
  o[0] = 1 << 100; // WARN "int is shifted by 100 bits\n\tOpenCL C shifts by the count modulo 32"
  __local int l[1 << 34]; // WARN "int is shifted by 34 bits"
  l[3] = 1; o[1] = l[3];
}
__kernel void large(__global int *o) { __local int l[0xffffffffffffffffUL]; l[0] = 1; o[0] = l[0]; } // ERROR "an array of 18446744073709551615 elements is larger than any memory"
