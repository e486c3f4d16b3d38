// Package schedule puts a graph's instructions in the order in which a compiler
// for a processor with in-order issue emits them.
//
// It consumes an idg.Graph, whose programs are in the order of the source after
// unrolling, its latencies.Mapping and a number of registers, and produces a graph
// of the same instructions and dependences in another order. A processor
// that issues each warp's instructions in order, as NVIDIA's do (V16 chapter 2), depends
// on that order: of load, multiply-add, load, multiply-add, ... every multiply-add
// waits for the whole latency of its load, unless the compiler has moved loads up.
//
// The order is that of list scheduling (Gibbons and Muchnick, Efficient
// instruction scheduling for a pipelined architecture, 1986) under a limit of
// registers (Goodman and Hsu, Code scheduling and register allocation in large basic
// blocks, 1988): one instruction to a slot, the first of the program whose
// operands are there. While that is not the next one of the program, later ones
// move up, but only as long as there are registers for their results, and
// writes to memory never. Branches and loop instructions are not borders, as in code that is
// predicated and unrolled: what they gate stays behind them because of its
// dependence on them. Barriers are.
//
// Invariants: a scheduled graph verifies; it has the instructions and
// dependences of the original; the result is a function of the input.
package schedule
