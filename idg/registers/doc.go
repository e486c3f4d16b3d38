// Package registers estimates how many registers a work item needs, from the values that
// are live at once.
//
// It consumes an [idg.Graph] and which registers hold uniform values ([target.UniformValues]),
// and produces the number of 32-bit registers ([Estimate]), or of one program the order of
// its instructions that the number is of and what each takes in it ([Live]), from which
// package spill tells what registers that are too few do not hold.
//
// The number limits the groups that a compute unit executes at once, M of the papers, who take
// it from the compiler; here is what is known of the orders in which compilers
// execute a program (docs/evidence/fidelity.md, Registers).
//
// Invariants:
//   - an order has every instruction of the program once, operands in front of what uses them;
//   - nothing crosses a gate: a barrier, a fence, a loop or a branch;
//   - the graph stays as it is.
package registers
