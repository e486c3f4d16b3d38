// Command evaluate compares predictions with measured times: it runs the whole
// pipe in process (frontend, lower, unroll, latencies, simulate) for every
// configuration of a tuned kernel and reports how well the predicted times
// rank and match the measured ones, beside simpler models.
//
//	go run ./internal/evidence/evaluate --gpu a100 --sources DIR --measured DIR [--issue MODE,...] \
//		[-o FILE.csv] SPEC.yaml...
//
// It consumes specifications (see Spec; docs/guide/evaluation.md explains the fields by an
// example), each of which names a kernel's source below --sources and a table of measured
// times below --measured, and says how a row's parameters become macros and launch sizes. It
// produces a Markdown report on standard output (or --report FILE) and, with -o, every row's
// predictions as CSV.
//
// A row that cannot be predicted is left out and reported (refused.go), and so is what
// predictions rest on (assumed.go). Whose code a device executes is the rule of
// internal/target, so that idgen and pipesim predict the same time for a row.
//
// Several issue modes stand beside each other: the graph of a row is resolved once
// and simulated in each. The clock that a row was measured at is usually not known; clock.go
// says what the times tell of it.
//
// Nothing is fitted: a prediction depends on the source, the launch and the
// device file alone, and measured times enter the metrics only.
package main
