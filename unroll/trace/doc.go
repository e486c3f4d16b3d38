// Package trace holds the instructions that one warp executes while they are recorded, and makes
// of them what a compiler leaves: the program of the warp in an Instruction Dependence Graph.
//
// # What comes in and what goes out
//
// In: nodes in program order (Trace.Add), each with the nodes that produce its operands and those
// that it comes after, what the loops of the source did between them (Mark), which repetitions
// were not recorded (AddSkip), and what else the last stage of a compiler can know of accesses
// (AddLocal, AddDevice, AddPrivate, AddComponent, Overwrites). Out: which nodes stay and what they are
// (Finish), and these as a program of an idg.Builder (Emit). Options say for which machine. What
// values, addresses and lanes are is the recorder's (package unroll): here they are numbers.
//
// # How it works
//
// A trace has millions of nodes, of few patterns: a node is the number of its pattern
// (pattern.go), which names its kind (kind.go) and its dependences by their distances. So a node
// of an unrolled loop takes 4 bytes.
//
// The passes over the recorded nodes stand in one list (finish.go), each with its reason: dead
// code (finish.go, overwritten.go), the three-operand instructions of NVIDIA's machine code (combine.go,
// balance.go, halves.go), the scalar unit, the pairs and the packed operations of AMD's GPUs
// (scalarunit.go, pairs.go, packpairs.go, packseeds.go), accesses of neighbours that are one
// (wide.go, widestore.go, wideamd.go, widedevice.go). What they model was read off machine code;
// docs/evidence/fidelity.md has the comparison.
//
// A repetition that was not recorded is written as often as it was skipped (skip.go, replay.go).
// That gives what recording all of them would if passes do the same before and behind it, which
// Irregular checks when they have run.
//
// # Invariants
//
// A node depends on earlier nodes only. The same calls give the same program, whatever the
// machine's word size or the order of maps.
package trace
