// Package simulate runs an instruction dependence graph on the pipelines of one
// compute unit and says how long it takes and why: the pipeline performance
// model of P19 (Algorithm 1) and A (section 3), in the states of L4.
//
// It consumes an idg.Graph and its latencies.Mapping (a subsystem, CPI λ and
// latency Λ for every instruction class, for some a second subsystem with a λ of its own) and produces a Result. It
// never sees source code or device files.
//
// # The model
//
// A compute unit holds M work groups of W warps at once and runs N in all
// (A: N = ceil(launch groups / compute units)). A group that has finished
// is replaced at once, or after the device's replacement time. The groups of a launch are
// started one after the other, on all compute units in turn, where the device tells how
// fast: a unit gets a group each time all have got one, at the beginning too; later, what
// it could have got by then it gets at once (hardware.startAt). Every warp
// executes the instructions of its program; each instruction is waiting, then
// ready, then issued, then complete (L4):
//
//   - An instruction is ready when its dependences are satisfied: data and
//     control ones when the predecessor completes (issue + Λ), order ones when
//     the predecessor was issued and its λ has passed.
//   - It issues at the earliest time at which it is ready, its subsystem (for two: see charge.go) is free
//     (λ after the previous issue there) or the queue in front of it has a place (see
//     queue.go), the issue valve is free (1/limit after
//     the previous issue, or later where the ports of the registers hold that one: see
//     readports.go), and its warp allows it: with an issue interval, that
//     long after the warp's previous issue; with in-order issue, not before the
//     instructions that precede it in the program; with issue by blocks, not before
//     those of earlier basic blocks (see Blocks). P19's Algorithm 1 polls a
//     busy pipeline every cycle instead, which makes results depend on the phase
//     of a fractional λ; here time is exact (see Tick).
//   - It completes Λ later, from a queue Λ after its turn. A barrier completes Λ after every warp of the group
//     has arrived at it: a warp arrives at its k-th barrier by issuing it, and at
//     barriers beyond its last one by finishing.
//   - A warp is finished when everything has completed, where stores count as
//     complete once issued, or their turn has come, and their λ has passed (P19 Fig. 1).
//
// Nothing deadlocks: dependences point backwards in the program, so the
// instructions before the k-th barrier of each warp depend on earlier barriers
// only, and by induction every barrier is reached or its warp finishes.
//
// # Basic blocks
//
// GPUs issue each warp's instructions in order, but in the order of a compiler, which
// schedules within basic blocks. With IssueMode Blocks a program is divided into
// these, each up to an instruction that ends one (idg.Instr.EndsBlock: loop, branch,
// barrier). Within a block any ready instruction issues, as by dataflow, the one that
// ends the block included: list scheduling with unlimited registers, of which a loop's
// increment and comparison are part. One of the next block may issue once all of the
// block have been issued, not completed. Unrolling makes blocks longer, and that is
// how it hides latency here. A program of one block is issued as by dataflow, one whose
// blocks have one instruction in order.
//
// # Sub-cores
//
// With n > 1 partitions the unit is n sub-cores, each with its own scheduler and
// issue valve of limit/n. The warp at place p (see WarpID) belongs to sub-core
// p mod n: the warps of the groups that start go to the sub-cores in turn, from where the group
// before ended, and a group that replaces another gets its places, which are all that is free.
// A warp stays where it is, and keeps its place until its group has finished. Each sub-core has its own copy of every
// partitioned subsystem, with n·λ for λ, also where an order dependence waits for λ. The other subsystems
// are shared. Registers and their ports are a sub-core's.
//
// # Order
//
// The result is a function of the input because the order is total:
//
//  1. time;
//  2. at equal times everything that ends (completions, λ that have passed, issue
//     intervals) comes before group replacement, which comes before issues;
//     places that become free at the same time are filled in ascending order;
//  3. sub-cores issue in cyclic order, from the one after the sub-core that
//     issued last to a shared subsystem; each issues all that it can;
//  4. within a sub-core, among the warps with a ready instruction whose
//     subsystem is free, the scheduler's order (see Scheduler), where "older"
//     means group age, then warp;
//  5. within a warp, program order.
//
// Where several instructions of a warp end at one time, the one that the warp is
// said to have waited for is found in the order of their classes, Λ before λ and
// equal times taken together, then in program order.
//
// # Loaded memory, kinds of groups
//
// Where the device has the constants, accesses of device memory take longer the
// more of them are in flight (load.go). Groups of a launch may be of several kinds, which
// start in a fixed order, spread evenly over the launch (RunKinds, dealer).
//
// # Engines
//
// Two engines implement this model. The reference (reference*.go) is the plain
// reading of the text above and records profiles. The fast one (fast*.go) is the
// default: in-order and dataflow issue each have a loop of their own, the latter also
// for blocks, and groups and iterations whose course is known because the unit's whole
// state recurs are skipped; unless a run is full, launches with
// fewer iterations may stand for one of long loops (iterations.go). In order and by blocks it executes
// repetitions of the graph as they are stored, by dataflow long ones; otherwise they are expanded. But for such
// loops both give the same result in every number: TestEngines compares them on random cases, and TestAgainstStepper
// compares both with a third simulator that scans everything at every tick.
//
// # Invariants
//
// Cycles are never below the throughput bound (the sum of λ of any subsystem) or
// the latency bound (the longest dependence chain). For every warp, the time
// between its start and its end is the sum of the times charged to the lines it
// waited for and queued at. Unless Result.Extrapolated is set, the result is that
// of simulating every issue of every group.
package simulate
