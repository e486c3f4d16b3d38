// Command pipesim predicts how a GPU executes a kernel: how long it takes, what
// bounds it, and where in the source the time goes.
//
// It consumes an Instruction Dependence Graph (package idg, written by idgen), maps
// it to a device (package latencies), simulates one compute unit (package
// simulate), and writes one report to standard output or to the file of -o.
//
//	root.go      the commands
//	run.go       the stages of a prediction, in order
//	text.go      the report for people, report_*.go its other forms: pprof, trace and
//	             SARIF are read by other programs
//	sweep.go     the stages of a sweep, sweeprows.go, sweeptext.go, sweepchart.go
//	             and sweepplot.go its results
//	models.go    the stages of a comparison of the analytical models, modelsflags.go,
//	             modelstext.go, modelsrows.go and modelsplot.go its results
//	modelsoccupancy.go  occupancy over time
//	compare.go   models and simulation against measured times, comparemeasured.go
//	             their file
//	diff.go      two versions compared, diffinput.go what they are read from
//	critical.go  the critical sequence of a warp
//	sheet.go     reports as sections that are written as text or Markdown
//	gpus.go      the catalogue of devices
//
// See pipesim --help for the commands and flags.
package main
