// Command mutation makes small mistakes in the core of the tools, one at a time, and counts those that tests notice:
// those that survive say what no test would miss.
//
// It consumes the sources of packages (simulate, latencies, lower, unroll, frontend/resolve, with all below them) and
// runs `go test` with an overlay, so that no file is changed. The coverage of each package's tests, taken once, says
// which of them execute a mutant: those are run, its own package's first, then those of all stages together (below
// internal/test), quick ones before slow ones, until one fails. It produces the part that was noticed, with the test
// that did, and two lists: what survived and what no test executes.
//
// # Invariants
//
// The same seed and sources give the same mutants. A mutant that does not compile counts neither way; one that no test
// executes counts as survived. Nothing of a table of data, a message, an error or a capacity is changed, which tests
// do not repeat, nor what stands beside a message, an error or false, which nobody reads.
//
// The operators are those of R. DeMillo, R. Lipton, F. Sayward, Hints on Test Data Selection, 1978, as far as they fit
// Go: relational, arithmetic and logical operators, constants, conditions, and cases.
package main
