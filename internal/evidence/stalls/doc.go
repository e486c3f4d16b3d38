// Command stalls holds what pipesim says first of a kernel against what a GPU's counters say warps waited for.
//
// Its argument is a folder as that of the recorded H100: launches.csv (the flags of idgen and pipesim), suite/ (the
// sources) and counters.csv (stalled_*, warps per issue). idgen and pipesim are those of the PATH:
//
//	go run ./internal/evidence/stalls FOLDER
//
// A launch counts as named where its longest reason (but for stalled_selected, which is no stall) is one that the
// first finding explains; stalled_long_scoreboard is what waits for device memory and L2, and so on (Nsight Compute,
// Kernel Profiling Guide, Warp Stall Reasons). Findings that concern the launch (few-groups, tail-wave, occupancy)
// and latency name no reason themselves; there, and where nothing was found, it is what the report says the kernel is
// bound by: the subsystem, or that of the results which warps wait for longest. The mapping is explained and bound in
// mapping.go.
package main
