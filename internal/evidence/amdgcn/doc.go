// Package amdgcn counts what the machine code of AMD's GPUs executes: the assembly that
// clang -S writes for an amdgcn target.
//
// It consumes an assembly and produces the instructions of one kernel (Parse), how often a
// wavefront executes each of them at a given launch (Kernel.Run), and the unit that each
// goes to (Instruction.Unit). Tests hold the resolver against it; the programs do not
// need it.
//
// # Counting
//
// As in packages ptx and sass, Run executes integer instructions, scalar ones once and vector
// ones for every work item of a wavefront; memory contents and floating numbers are unknown,
// but for arguments and the sizes of the launch. A branch that needs an unknown value is an
// error. Instructions are counted as often as they are issued, by however many work items.
//
// What instructions do is in AMD's documents of the instruction set architectures of
// Vega, CDNA 2 and RDNA 2, where registers hold arguments in LLVM's AMDGPU usage guide. An
// instruction that is not known gives an unknown result.
package amdgcn
