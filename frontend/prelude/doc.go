// Package prelude has the texts that stand before a program, or for a header that is not there.
//
// In come the language and the GPU's architecture; out go the macros of the compiler (Before) and ordinary C++ for the
// headers of libraries (Header), which goes the way of the program's own text: HIP, CUB and hipCUB, cooperative groups,
// asynchronous copies, cuRAND, wmma, <tuple>, <functional>, <utility>, <array>. Positions in them are not user's.
//
// Sources: OpenCL C 3.0, chapter 6; CUDA C++ Programming Guide, C++ Language Extensions; clang's and nvcc's predefined
// macros; HIP's documentation of feature macros. CUB's steps are those that its documentation gives for each algorithm
// (CUB 2.2), so that shuffles, barriers and accesses of shared memory are the library's. cuRAND has two published
// generators: XORWOW (G. Marsaglia, Xorshift RNGs, Journal of Statistical Software 8(14), 2003), whose state has 48
// bytes and is CUDA's default, and Philox4x32-10 (J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC
// 2011), with normal numbers by Box and Muller's transform. What XORWOW's curand_init takes to skip to its sequence is
// not in it.
package prelude
