// Package analytic holds the analytical performance models that the sources
// compare with the Pipeline model, side by side: each says how many warps per
// cycle a compute unit completes when so many warps are resident.
//
// It consumes an Input, which FromGraph makes from the same graph, contexts and
// device as the simulation (or which is written by hand, as the sources do), and
// produces an Estimate for each Model and occupancy. It never simulates.
//
//	input.go        what the models read: counts, λ and Λ per warp
//	fromgraph.go    the input of a kernel on a device
//	block.go        the warp's blocks of the WFG
//	interval.go     the representative warp of the interval models
//	program.go      both, and the instructions they come from
//	model.go        the models' interface, their list, and what holds for all
//	roofline.go ... one model each
//	needed.go       how many warps a model asks for
//	mix.go          α computations to one access: needed warps, the cusp (V16 4)
//	transit.go      Transit's supply and demand, solved by bisection
//	little.go       concurrency by Little's law (V16 3.3)
//	worksheet.go    the throughput bound as a table (V16 T.3.4)
//
// # Units
//
// Times are core cycles of one compute unit, λ (CPI) and Λ (latency) as
// everywhere. Occupancy ω or n is resident warps. Results are warps per cycle
// (WPC); the cycles of a run are its warps / WPC, and a run of ω warps, the
// article's CPR (cycles per run), takes ω / WPC.
//
// # Published and corrected
//
// The article (A 2, 5.1) finds errors in published models. Both forms are here as A
// prints them: the published one also where its result is impossible (then the
// estimate carries a note), the corrected one what A derives. GPUMech has a third,
// "full", which counts the latencies of computations, as V16 7.5 does and A 2.5
// does not.
//
// # Validity
//
// An estimate is a positive finite number, or it says why there is none
// (Estimate.Invalid): Evaluate enforces it for every model. Model.About states what
// a model leaves out; that a kernel has such a thing does not make its estimate
// invalid, only inaccurate.
package analytic
