// Package structure finds out about a kernel what a compiler tells from its statements alone,
// before any of it is executed.
//
// In: a lower.Kernel. Out: a Kernel (of this package) that answers which block is a variable's
// scope and which block encloses another, what a statement assigns, what a loop carries from one
// iteration to the next, steps, leaves as it is or hands on to the code behind it, whether its
// counter selects elements of a private array, where the lanes of a warp meet again that have gone
// different ways, and where arrays lie in local memory.
//
// Values, launch sizes and lanes play no part: package unroll, which executes the kernel, has
// those. Questions are answered when they are first asked, and remembered: a Kernel must not be
// used by two goroutines at once.
//
// Where lanes meet is what nvcc 11.8 was seen to compile (docs/evidence/fidelity.md, convergence barriers),
// from an analysis of divergence of its own (uniform.go); loop-invariant code is moved out as
// LLVM's LICM does.
package structure
