// Package kernels holds the built-in kernels and testdata/unroll_matmul against compilers: clang 14
// compiles them without a warning, leaves the instructions that their headers promise and counts
// what unroll_matmul.tsv says; code for sm_70 has what it says of nvcc's. It consists of tests
// only, which write docs/evidence/tables/unroll.md under -update.
package kernels
