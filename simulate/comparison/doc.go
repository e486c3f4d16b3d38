// Package comparison sets the analytical models and the simulation side by side:
// what each says of a kernel on a device, at one occupancy or at many.
//
// It consumes a graph, its mapping and an execution configuration, as
// simulate.Run does, and produces a Comparison. The models take their input from
// the same graph and mapping (analytic.FromGraph). Models know any number of
// warps; the simulation knows whole groups, so only occupancies that are whole
// groups are simulated, and of many only some (Options.Simulate).
package comparison
