// Command idgen turns an OpenCL or CUDA kernel into its Instruction Dependence
// Graph: the instructions that one warp after the other executes and what each
// of them waits for.
//
// It wires the stages together and decides what they leave open: which kernel,
// which launch. It consumes a source file and flags, and writes one product to
// standard output or to the file of -o: the graph in one of its formats, the
// kernel's intermediate form, a list of what the source contains, or a report on
// its loops.
//
//	source.go   the source text: a file, standard input, a built-in kernel
//	kernel.go   which kernel of the source
//	launch.go   its launch: sizes and arguments, given, declared, the source's own
//	            (hostlaunch.go) or inferred
//	resolve.go  the stages, in order
//	output.go   the product, all.go that of all kernels
//
// See idgen --help for the flags.
package main
