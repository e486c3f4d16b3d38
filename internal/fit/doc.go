// Package fit turns the samples of microbenchmarks on one device into the parameters of a device file:
// λ, Λ and ridge point of each instruction class, and how the device issues.
//
// It consumes measure.Samples and gives a Device, which is written as the YAML that latencies reads
// (yaml.go), as a report (report.go) and as plots (plot.go).
//
// # The curve
//
// W resident warps that each execute n instructions in k independent chains take n·u cycles, where
//
//	u = max(Λ/k, W·λ)
//
// is the boat hull (P19 Eq. 1, L4): flat while latency decides, rising with the slope λ when throughput
// does, with the ridge at W = Λ/(k·λ). Three things change its form (hull.go): sub-cores, which hold
// every P-th warp; schedulers that prefer some warps to others; and a shortest time between two
// issues of a warp. They are found for the device as a whole (structure.go). Where some warps go first and
// there are sub-cores, no formula tells the times: they are simulated (refine.go). They are λ times what Λ/λ
// decides, so Λ/λ is tried and λ follows (ratio.go).
//
// # Rules
//
//   - Samples that were marked and those whose clock moved are left out. What lies farther from the
//     curve than outlier standard deviations is an outlier, and is left out as well. Both are counted.
//   - Errors are relative, their loss is Huber's, their standard deviation that of the median (robust.go).
//   - A number without which the curve fits as well is hidden: λ below the issue limit or beyond
//     the largest occupancy, Λ below what one warp's throughput takes. What the samples show of it is a
//     bound, and the report says so.
//   - What is executed with an instruction is taken off its numbers (separate.go). Where that takes about as
//     long, λ is a bound.
//   - Where the curve misses more than noise does, the intervals are wider by that. They are written with the
//     numbers; a class of which the samples tell nothing is inherited, and the report says why (verdict.go).
//
// Invariants: the same samples give the same bytes; every number has its residual; nothing is written
// that latencies.ParseDevice refuses.
package fit
