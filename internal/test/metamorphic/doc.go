// Package metamorphic has tests that relate launches of one kernel: a compiler sees the program, so the same
// code has the same instructions, registers, homes of arrays and unroll factors, whatever sizes, arguments,
// contents of buffers and warps a launch has.
//
//	kernels_test.go      the kernels: the built-in ones, and those of testdata
//	launches_test.go     the launches of each
//	code_test.go         what was decided, read from a graph
//	compiled_test.go     what the compiler decided
//	same_test.go         the comparison, with testdata/known_failures.txt
//	input_test.go        what the compiler is given
//	differences_test.go  that the comparison finds what differs
//	results_test.go      what every stage makes of each kernel, with testdata/results.txt
//
// Compiled code may not differ at all. testdata/known_failures.txt lists what differs in graphs, as
// "KERNEL KIND: LAUNCHES". A kernel that is not listed must pass, and one that is must fail, so that the list only
// shrinks. FULL_TESTS=1 go test ./internal/test/metamorphic -update writes it.
package metamorphic
