// Package sweep simulates many configurations of kernels and devices and gives
// one row of numbers for each: design-space exploration with the model of package
// simulate, and the occupancy rooflines of V16 chapter 3.
//
// It consumes a Space: graphs, devices, and lists of values for what is varied
// (parameters of instructions, registers, scheduler, issue mode, issue limit,
// groups, occupancy). New makes a Plan of it: the cross product as numbered
// Configurations, or every n-th of them (Shard). Run simulates them on several
// processors and hands out Rows; Append writes a row and Resume reads rows back.
//
//	space.go   what is varied; values.go and vary.go read lists of values
//	axis.go    one varied parameter
//	plan.go    configurations by number, shards
//	run.go     parallel simulation, ordered rows; balance.go what is started when
//	row.go     the columns; encode.go and resume.go their text
//	panel.go   rows as curves below their roof
//
// # Invariants
//
// The rows of a space, their order and their bytes depend on the space alone, not
// on the number of jobs. Shards are disjoint, and together they are the whole. A
// configuration that cannot be simulated (a group does not fit, the device lacks
// parameters) is a row with an error, not the end of the sweep. The graph is
// mapped once for each device and set of rules, and a group alone is simulated once
// for all occupancies (simulate.Launch).
//
// A row's Key is a digest of everything that its numbers depend on. Rows are
// taken over from an earlier, interrupted sweep only if their keys agree.
package sweep
