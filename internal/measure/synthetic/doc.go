// Package synthetic answers microbenchmarks as a device does whose parameters are known: the
// simulator executes them on a device file. It is what the fit of package internal/fit is tested with.
//
// It consumes a latencies.Device and gives a measure.Bench. A class becomes the graph of its
// microbenchmark (graph.go), the graph's cycles a time with noise, outliers and changes of the clock
// (noise.go).
//
// Invariants: an attempt at a repetition of a point gives the same reading in every process, whatever
// was measured before; the graphs hold the class's instructions and nothing else.
package synthetic
