// Command pipetune predicts thousands of variants of a GPU kernel and ranks them: it does for a tuning space what
// idgen and pipesim do for one launch, in one process.
//
//	root.go     the commands
//	flags.go    the command line of a space, flagtext.go its values
//	rank.go     the stages: read, predict, write
//	table.go    the ranked table, records.go rows for programs
//
// See pipetune --help for the flags.
package main
