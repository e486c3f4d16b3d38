package main

import "slices"

// Groups of reasons, by what warps wait for.
var (
	global    = []string{"long_scoreboard", "lg_throttle", "drain"} // results of, and the queue to, L1, L2 and DRAM
	shared    = []string{"mio_throttle", "short_scoreboard"}        // shared memory, special functions
	pipes     = []string{"math_pipe_throttle", "not_selected", "dispatch_stall"}
	barriers  = []string{"barrier", "membar"}
	fixed     = []string{"wait", "branch_resolving", "no_instruction"} // latencies of computations and branches
	constants = []string{"imc_miss"}
)

// explained are the reasons that a finding explains, by its code; what is missing names none of its own.
var explained = map[string][]string{
	"uncoalesced": global, "swapped-axes": global, "extra-traffic": global, "partial-writes": global, "tile": global,
	"repeated-loads": global, "restrict": global, "narrow-accesses": global, "private-array": global, "spills": global,
	"warp-aggregation": global, "l1-traffic": global,
	"indirect":       slices.Concat(global, constants), // also tables in constant memory
	"histogram":      slices.Concat(global, shared),    // atomics on either memory
	"same-address":   slices.Concat(global, shared),
	"bank-conflicts": shared, "local-traffic": shared, "local-memory": shared,
	"barriers":  barriers,
	"slow-math": slices.Concat(pipes, fixed, shared), "integer-division": slices.Concat(pipes, fixed, shared),
	"accidental-doubles": slices.Concat(pipes, fixed), "issue-bound": slices.Concat(pipes, fixed),
	"loop-overhead": slices.Concat(pipes, fixed), "unknown-trips": slices.Concat(pipes, fixed),
	"unused-pragma": slices.Concat(pipes, fixed), "divergence": slices.Concat(pipes, fixed),
	"idle-lanes": slices.Concat(pipes, fixed),
}

// bound are the reasons of what a kernel is bound by, where no subsystem says it.
var bound = map[string][]string{"issue": pipes, "reads": pipes, "barrier": barriers}

// busy are the reasons of a subsystem that is busy, or whose results are waited for.
var busy = map[string][]string{
	"global": global, "l2": global, "atomic": global, "local": slices.Concat(shared, global), "constant": constants,
	"sfu": slices.Concat(pipes, shared), "barrier": barriers,
}

// computing are the reasons of all other subsystems.
var computing = slices.Concat(pipes, fixed)
