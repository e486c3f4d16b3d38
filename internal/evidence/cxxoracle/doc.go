// Package cxxoracle compares the front end with clang++ on small CUDA C++17 programs.
//
// In: the programs of testdata/cxx/features, txtar archives by topic. Each file is a program, named
// "feature: case", or "feature: rejected: case" if a compiler must reject it. Its kernel is
//
//	__global__ void kernel(int *out)
//
// or the one named in a line "// launch: kernel<int, 3>". Each of the 8 work items of the
// block (threadIdx.x) runs alone and writes up to 16 numbers to an out of its own, which starts as zeros.
//
// Out: for each program whether the front end is right, refuses it, or is wrong. The values are those that
// package lower's IR computes (interpret_test.go). The values to compare with come from Debian's clang++, for which
// standin.h defines CUDA's keywords away; undefined behaviour traps. testdata/cxx/features/clang.txt records
// them beside a digest of each program, so that the comparison needs no compiler. Under FULL_TESTS=1 the test
// compiles all programs again. The flag -random N compares N random programs.
//
// Combined programs (combine_test.go) nest the features of snippets.txt in each other; clang++ and g++ say what they
// compute, and those that fail are reduced to the fewest features that still do. testdata/cxx/combined.txt has the
// values of the first seeds; make fuzz-cxx takes others each day.
//
// Random programs (generate_test.go) have no record: clang++ compiles a batch at once.
package cxxoracle
