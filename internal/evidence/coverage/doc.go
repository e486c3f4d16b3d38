// Command coverage measures how much of other people's source the pipe can
// read: it takes every kernel of a tree of OpenCL C and CUDA C files, with
// assumed trip counts and default launch sizes, and reports the share that
// gives a graph, the peak memory and a ranked table of the reasons for the rest.
//
//	go run ./internal/evidence/coverage [flags] DIR|FILE...
//
// It consumes files (.cl and .cu) and produces a text report on stdout and,
// with --csv, one line for each kernel. Maintainers use it to decide what to do
// next, and the build uses it with --floor to notice when less is read than
// before.
//
// Files are worked on by child processes of the same program, so that a kernel
// that exceeds its time or its memory, or that brings the process down, is one
// line of the table and not the end of the run. A child takes the other kernels
// of the file up again in a new process.
package main
