// Package generate makes the Instruction Dependence Graph of a kernel: it runs the stages frontend,
// lower and unroll, and decides what they leave open: which kernel, which launch, which device's code.
//
// It consumes the text of a source (Source) and Options, and produces a Program, of that the Kernels,
// and of each a graph with the diagnostics that go with it. It reads nothing but its arguments and
// Options.FS, where #include finds files.
//
//	source.go   the source: a text or a built-in kernel
//	program.go  the source, parsed for a device (hardware.go); which of its kernels
//	launch.go   the kernel's launch: sizes and arguments, given, declared, the source's own
//	            (hostlaunch.go) or inferred (dimensions.go, extent.go)
//	kernel.go   a kernel with its launch, and its graph
//	compile.go  its machine code, of which a launch decides nothing, and what that leaves of devices (occupancy.go)
package generate
