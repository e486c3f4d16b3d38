// Command compiler compares the compiler below lower with real ones.
//
// It consumes a corpus (testdata: kernels with macros, launches, and what nvcc, ptxas and clang made of them, as
// tables) and compiles the same kernels. It produces docs/evidence/compiler.md, or rows on standard
// output:
//
//	go run ./compiler                        all tables, a summary
//	go run ./compiler --set h100 --only fir  some kernels
//	go run ./compiler -o ../../docs/evidence/compiler.md
//
// Truth is recorded, so that comparing needs no compiler. "go run ./compiler --update SET" makes tables anew with
// nvcc 11.8 and clang 14 in the PATH.
//
// # Tables
//
// testdata/kernels.tsv names the kernels; a name and a set are the key of every other table. A truth table
// (truth/NAME.tsv) begins with lines of "#" that name compiler, release and flags, then a line of column names. A
// figure that is not known is "-". The columns of instructions (see [Class]) are static: how often the code has one.
package main
