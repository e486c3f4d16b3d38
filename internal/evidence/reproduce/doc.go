// Command reproduce recomputes the published results that the sources print and
// writes docs/evidence/reproduction.md: the source's value, ours, what comparing them gave.
//
//	go run ./internal/evidence/reproduce             from the repository's root
//	go run ./internal/evidence/reproduce -o DIR      another folder than docs/evidence
//
// It consumes the built-in devices and kernels and what the sources print
// (published.go and the entries), and produces the same bytes every time. Each
// entry says what computes our number and what the source gives: a number that it
// prints, numbers from which one follows, or a formula. One that differs says why;
// the tests check that, and that the committed document is current.
//
//	entry.go      an entry: a printed number and ours
//	document.go   the document
//	published.go  tables of the sources that several entries use
//	bench.go      small kernels made by hand, simulated
//	source.go     kernels of the repository, from their source
//	entries*.go   the entries, by subject
package main
