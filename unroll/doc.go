// Package unroll resolves a kernel's control flow: it executes the IR of
// package lower for one warp, lane by lane, and records every warp instruction
// that a GPU would execute as a vertex of an Instruction Dependence Graph.
//
// # What comes in and what goes out
//
// In: a lower.Kernel and Options (launch sizes, argument values, trip counts,
// branch and unroll choices, optimisation level, compiler). Out: a Result with
// the idg.Graph, warnings, and what was decided about every loop and branch.
//
// # How it works
//
// The resolver walks the structured IR with a mask of active lanes, as SIMT
// hardware does. Two kinds of knowledge about a value are kept apart:
//
//   - known to the compiler: constants, macros, counters of unrolled loops.
//     Operations on them fold and leave no instruction.
//   - known to us: arguments given for the analysis, work-item ids, counters of
//     rolled loops. The instruction stays in the trace, but branches and
//     addresses are resolved with the lanes' exact values.
//
// At -O0 every source operation is an instruction and subscripts belong to the
// access (the reading of P19 Fig. 1 and Listing 1). At -O2 the trace is
// value-numbered while it is recorded (number.go, linear.go, address.go,
// stream.go), so that common subexpressions, loop-invariant code, repeated
// loads and address arithmetic appear as often as in the code of an optimising
// compiler. What is known of memory follows from all paths of the code, taken or not (skipped.go), and a
// place of memory that a loop adds to is in registers (kept.go).
// Passes over what was recorded do the rest (package trace): dead instructions are
// swept, multiply and add contracted and accesses to parts of a vector merged, and on request adjacent loads and stores
// are merged and instructions combined, paired and packed, as machine code has them; what they are to know of
// accesses is noted for them (adjacent.go, picked.go). Loops that stay rolled are several
// instructions there (backedge.go).
// A register that lanes write at different times is one operand (merge.go).
// There lanes that have gone different ways meet by instructions of their own (converge.go), and
// divisions and functions are the routines that compilers write for them (divide.go, package routine).
//
// Integers that addresses have become, as inline PTX has them, remember the objects that they
// lead into (integer_address.go).
//
// What the source copies asynchronously are two nodes each, for which only who asks
// waits (copies.go).
//
// A warp of 10 million instructions takes about 40 bytes for each where these recur, as
// in unrolled loops: of recorded instructions a trace holds patterns (package trace), and values
// live as long as registers, or the tables that look for them again, refer to them (table.go).
//
// A rolled loop is executed only until it has come into a steady state: until it is
// proved that the next iterations record the same again, whatever the contents of
// counters and addresses are by then (steady.go). What is skipped is noted in the
// trace, so that 10^9 iterations take the room of a few hundred, and a nest
// of 10^6 x 10^6 that of some thousand: what is skipped may lie within what is. The
// graph is the one that executing them all gives (TestSteadyRandom, TestSteadyNests).
//
// The group in the middle of the launch stands for all, unless groups at the edges
// are asked for (kinds.go). The addresses that its warps touch, and those of a
// few warps of other groups, go to package locality, which finds out where memory was
// touched before (reuse.go). Warps of other groups are resolved only where it could not
// be proved what they do (neighbour.go).
//
// # Rooms
//
//   - structure: what a kernel's statements tell before it is executed.
//   - factor: how often compilers copy the body of a loop.
//   - arithmetic: operations on what a lane holds.
//   - routine: what compilers write for functions that a GPU has no instruction for.
//   - trace: recorded instructions, the passes over them, and the program that they become.
//   - locality: where memory was touched before.
//
// # Invariants
//
// Every dependence points backwards in program order. The same kernel and
// options give the same trace. A trace never exceeds Options.MaxInstructions, what
// is skipped not counted,
// and execution never exceeds a fixed number of steps: absurd trip counts are
// errors, not hangs.
package unroll
