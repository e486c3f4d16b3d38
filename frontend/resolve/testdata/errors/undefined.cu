// What C++ leaves undefined in constants is an error where a constant is needed, else a warning.
__global__ void shifts(int *o, int x) {
  o[0] = 1 << 100; // package unroll warns, when it runs
  o[1] = x >> -1;
  x <<= 33;
  o[2] = 1ull << 64;
  o[3] = x % 0; // WARN "division by zero"
  o[5] = 1ull << 63 != 0;
}
__global__ void size(int *o) { __shared__ int l[1 << 100]; o[0] = l[0]; } // ERROR "a shift beyond the width of the type in the size of an array"
__global__ void remainder(int *o) { __shared__ int l[5 % 0]; o[0] = l[0]; } // ERROR "division by zero in the size of an array"
__global__ void label(int *o) { switch (o[0]) { case 1 << 40: o[1] = 1; } } // ERROR "a shift beyond the width of the type in a case label"
__global__ void large(int *o) { __shared__ int l[0xffffffffffffffffUL]; o[0] = l[0]; } // ERROR "an array of 18446744073709551615 elements is larger than any memory"
__global__ void __launch_bounds__(64) unrolled(int *o) {
#pragma unroll 0xffffffffffffffffUL // ERROR "an unroll factor is too large: 18446744073709551615"
  for (int i = 0; i < 8; i++) o[i] = i;
}
