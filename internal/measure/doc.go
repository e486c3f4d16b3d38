// Package measure times microbenchmarks on a device: the instruction classes, the launches at which
// each is measured, and the samples that result.
//
// It consumes a Bench, one device that executes a class in a launch, and produces Samples, which are
// kept as CSV. Package internal/fit turns samples into the parameters of a device file.
//
//	class.go     the instruction classes
//	sample.go    what one repetition measured
//	plan.go      the launches of each class, run.go their repetitions
//	samplecsv.go samples as CSV
//	bench.go     the device that answers, errors.go what can go wrong
//
// Invariants: a sample that is not marked was measured at a steady clock and its output was right;
// samples are in the order of the plan.
//
// Source: P19 and A time chains of one instruction at every occupancy (P19 Eq. 1, A Table 5).
package measure
