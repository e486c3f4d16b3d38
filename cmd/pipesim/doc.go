// Command pipesim predicts how a GPU executes a kernel: how long it takes, what
// bounds it, and where in the source the time goes.
//
// It consumes an Instruction Dependence Graph (package idg, written by idgen), predicts
// it (package report), and writes one report to standard output or to the file of -o.
//
//	root.go      the commands
//	run.go       graphs and devices read, predicted and written; advise.go, whatif.go
//	             and diff.go likewise
//	format.go    the formats and their writers
//	sweep.go     the stages of a sweep, sweeprows.go, sweeptext.go, sweepchart.go
//	             and sweepplot.go its results
//	models.go    the stages of a comparison of the analytical models, modelsflags.go,
//	             modelstext.go, modelsrows.go and modelsplot.go its results
//	modelsoccupancy.go  occupancy over time
//	compare.go   models and simulation against measured times, comparemeasured.go
//	             their file
//	diffinput.go what two versions are read from
//	gpus.go      the catalogue of devices
//
// See pipesim --help for the commands and flags.
package main
