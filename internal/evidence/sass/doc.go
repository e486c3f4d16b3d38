// Package sass counts what NVIDIA's machine code executes: the listing that
// cuobjdump -sass writes.
//
// It consumes a listing and produces the instructions of one kernel (Parse), how
// often a warp executes each of them at a given launch (Kernel.Run), the pipe
// that each goes to (Instruction.Pipe), and what reading registers costs (Kernel.Ports). Tests hold the resolver
// against it; the programs do not need it.
//
// # Counting
//
// As in package ptx, Run executes the integer and predicate instructions of every
// work item of one warp; memory contents are unknown, unless Launch.Number gives numbers for
// them, and floating numbers where they depend on what is unknown. A branch that needs an
// unknown value is an error. A warp executes an instruction as often as the work item of it
// that does so most often. One whose predicate is false for all work items is issued,
// but does nothing; that is told apart.
//
// # Reading registers
//
// PortReads and Ports follow Huerta et al., MICRO 2025, 5.3 ("H25"): two banks of registers by the
// parity of their numbers, and a register file cache that keeps the operands that say ".reuse".
//
// # Machine code
//
// The instructions are those that ptxas 11.8 writes for compute capability 8.0.
// NVIDIA publishes their names only (CUDA Binary Utilities), so that the meaning of
// the operands is what examples show. One that is not known gives an unknown result.
package sass
