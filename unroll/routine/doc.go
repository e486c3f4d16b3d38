// Package routine knows the instructions that compilers write for functions that a GPU has no
// instruction for.
//
// GPUs have no instructions for most functions of floating-point numbers, nor for exact
// quotients and roots. PTX has some of them as one instruction; the stage behind it, or the
// library, writes a routine, which is what package unroll records for machine code. Which routine
// depends on the compiler and on how exact the source language wants it (lower.Accuracy).
//
// A routine is what a work item executes for ordinary numbers. Others, such as denormal
// divisors or angles beyond 105615, go another way behind a branch, which is recorded, but not
// taken.
//
// In: a compiler's Table, an accuracy and the name of a function with its type, as "sin.f32".
// Out: the Routine, its instructions in program order with the numbers of their operands. The
// tables were read off the machine code of nvcc 11.8 (NVCC) and clang 14 (AMD); the tests
// TestMachineCode and TestAMDFunctions of internal/evidence/fidelity compare them with it.
package routine
