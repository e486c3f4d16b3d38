// Command mutation makes small mistakes in the core of the tools, one at a time, and counts those that tests notice:
// those that survive say what no test would miss.
//
// It consumes the sources of packages (simulate, latencies, lower, unroll, frontend/resolve, with all below them) and
// builds their tests with an overlay, once with all mutants: the environment chooses one (mutant schemata: R. Untch,
// J. Offutt, M. Harrold, ISSTA 1993). The tests run once without a mutant, which says of which functions they call the
// mutants; those are run, its own package's first, then those of all stages together (below internal/test), quick ones
// before slow ones, until one fails. It produces the part that was noticed, with the test that did, and lists: what
// survived, the functions that no test calls, and the tests that fail without a mutant.
//
// # Invariants
//
// The same seed and sources give the same mutants. A mutant that does not compile counts neither way, nor does one of a
// function with labels; one that no test calls counts as survived. Nothing of a table of data, a message, an error or a
// capacity is changed, which tests do not repeat, nor what stands beside a message, an error or false, which nobody
// reads.
//
// The operators are those of R. DeMillo, R. Lipton, F. Sayward, Hints on Test Data Selection, 1978, as far as they fit
// Go: relational, arithmetic and logical operators, constants, conditions, and cases.
package main
