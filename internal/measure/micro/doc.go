// Package micro generates the microbenchmark of each instruction class in OpenCL C and CUDA, runs it
// on a device, and compares what it computed with what the host computes.
//
// All microbenchmarks are one kernel: each work item has one or more chains of instructions, a loop
// executes a long piece of straight code, and the chains' last values are the output. A chain's next
// value follows from its last one, so that no compiler can leave an instruction out, and the host
// computes the same sequence.
//
//	spec.go       what varies between classes
//	arithmetic.go the table of operations and math functions
//	control.go    loops, branches, barriers and mixes
//	memory.go     reads, writes and atomics
//	source.go     the kernel's text in both dialects
//	bench.go      a device as a measure.Bench
//	verify.go     the comparison
package micro
