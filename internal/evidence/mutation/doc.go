// Command mutation makes small mistakes in the core of the tools, one at a time, and counts those that the tests of the
// package notice: those that survive say what no test would miss.
//
// It consumes the sources of packages (simulate, latencies, lower, unroll, frontend/resolve) and runs `go test` with an
// overlay, so that no file is changed. It produces the part that was noticed and a list of what survived.
//
// # Invariants
//
// The same seed and sources give the same mutants. A mutant that does not compile counts neither way. Nothing of a
// table of data, a message or an error is changed, which tests do not repeat.
//
// The operators are those of R. DeMillo, R. Lipton, F. Sayward, Hints on Test Data Selection, 1978, as far as they fit
// Go: relational, arithmetic and logical operators, constants, conditions, and cases.
package main
