// Package factor decides how often compilers copy the body of a loop: what unroll pragmas, the
// user's choices and, where there is neither, the habits of nvcc and clang make of it.
//
// In: a loop of a lower.Kernel with what is known of its trip count ([Trips]), the kernel's structure,
// what the compiler knows of registers ([Values]), and who compiles ([Settings]). Out: the copies
// of the body, and why ([Choice]); how many passes the stage behind PTX makes one; whether the iterations
// that are left over are straight code, and which addresses become increments. Package
// unroll executes the loop so.
//
// A loop around others depends on how often these are copied, which is predicted before they
// are executed, with what is known then (predict.go); what they hold counts as often as it will
// be there (census.go).
//
// The habits were read off compiled code of kernels of known shape, or are LLVM's rule, thresholds and costs
// (docs/evidence/fidelity.md, Unrolling): habit.go for PTX, machinecode.go and again.go for the stage behind it,
// nests.go and breaks.go for loops of some shapes; llvm.go and the files llvm_*.go for clang.
//
// Invariants:
//   - a choice depends on nothing but what goes in: no instruction is recorded, no value changes;
//   - the factor is at least 1, and covers all iterations where the loop is unrolled fully.
package factor
