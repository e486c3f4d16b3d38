// Package passes compares the passes below lower with LLVM's. It consumes 30 small functions (testdata/functions.cl)
// and what opt 14 makes of them (testdata/opt.tsv: operations by class, recorded, so that comparing needs no LLVM). It
// produces a table for docs/evidence/compiler.md: for each pass, of how many functions both leave as many operations
// of every class, and why not of the others.
//
// Both start from the same source, ours as package build leaves it, LLVM's as clang does before its first pass, and
// run the same kind of passes before the one that is compared. Addresses and conversions between integer types are not
// counted: they are other operations in one IR than in the other.
package passes
