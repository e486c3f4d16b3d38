// Package ptx reads and counts what a real compiler makes of a kernel: the PTX
// listing that clang or nvcc writes.
//
// It consumes a listing and produces the control flow graph of one kernel
// (Parse), its loops (Kernel.Loops), and how often a warp executes each of its
// basic blocks at a given launch (Kernel.Run). Tests hold the resolver against
// it; the programs do not need it.
//
// # Counting
//
// Run executes the integer and predicate instructions of every work item of one
// warp; memory contents and floating numbers are unknown. A branch that needs
// one of those is an error: a count exists only for kernels whose control flow
// follows from the launch and the scalar arguments. A warp executes a block as
// often as the work item of it that does so most often: the count of structured
// code whose diverged work items meet again.
//
// The instructions are those of the PTX ISA 7.x that clang 14 writes; one that
// is not known gives an unknown result.
package ptx
