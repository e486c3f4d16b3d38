// Command idgen turns an OpenCL or CUDA kernel into its Instruction Dependence
// Graph: the instructions that one warp after the other executes and what each
// of them waits for.
//
// It reads the files that the command line names and gives them with the flags to
// package generate, which makes the graph. It writes one product to standard output or
// to the file of -o: the graph in one of its formats, the kernel's intermediate form
// or machine code, a list of what the source contains, or a report on its loops or what its code takes.
//
//	flags.go    the command line
//	source.go   the files: the source, what it includes, contents of buffers
//	output.go   the product of one kernel (compiled.go: its code), all.go that of all, list.go what there is
//
// See idgen --help for the flags.
package main
