// Package fidelity holds the graphs against compiled code: for many kernels, how
// many instructions of each kind a warp executes in the graph and in the PTX
// that clang makes of the same source for the same launch.
//
// It consists of tests only. TestMix takes the built-in kernels; with -darktable
// DIR those of darktable too, and with -kernels DIR,... the OpenCL kernels of
// other people's directories, which docs/fidelity.md lists. It skips where clang
// 14 or libclc are not installed, since the counts are those of one compiler.
//
// # What is compared
//
// The kernel is compiled at -O3 with multiply-adds contracted across statements
// (as nvcc does; clang's default contracts within an expression) and resolved
// at -O2 with clang's habits. Counted are warp 0 of the group in the middle of the launch,
// by package ptx: accesses of global and of local memory, each a load, store or
// atomic of any width; barriers; floating multiply-adds, multiplications,
// additions and subtractions together; special functions, which are divisions,
// roots and every function that takes a library: those are left as calls in the
// PTX and count as one in each component.
//
// A kernel takes part when it has a loop, when every trip count follows from its
// arguments, and when no branch of the compiled code depends on data.
package fidelity
