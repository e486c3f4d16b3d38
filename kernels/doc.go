// Package kernels holds the example and microbenchmark kernels that come with
// the programs: the kernels of the source papers, one family of kernels per
// measured instruction, and some that people write every day.
//
// It consumes nothing and gives source text (FS) with a catalogue of it (List,
// Lookup). A kernel's file is complete by itself: the same file can be given to
// idgen by its path, by --builtin, or to a real OpenCL or CUDA compiler.
//
// # Files
//
// The text above a kernel is its header: a first sentence that says what it
// computes (the Summary of its catalogue entry), what it shows, then optional
// lines
//
//	// Source: where the kernel or the figure comes from.
//	// Golden: 1, 13.
//
// and its launch directives. "Golden" numbers the published results that the
// kernel shows; docs/evidence/reproduction.md lists them. The abbreviated sources are
//
//	P19  "The pipeline performance model: a generic GPU performance model", PDP 2019
//	A    "Analysis of the Analytical Performance Models for GPUs and Extracting
//	     the Underlying Pipeline Model"
//	V16  V. Volkov, "Understanding Latency Hiding on GPUs", PhD thesis, UC Berkeley 2016
//	L4   GPU Computing, Lesson 4 "The Pipeline Model and Occupancy", VUB
//
// # Launch directive
//
// A kernel carries the launch it wants when none is asked for, in line comments
// anywhere before its definition and after the previous kernel's:
//
//	// idgen: local=BLOCK_SIZE,BLOCK_SIZE groups=WIDTH/BLOCK_SIZE,WIDTH/BLOCK_SIZE
//	// idgen: arg.wA=WIDTH arg.wB=WIDTH
//	__kernel void mmul(...)
//
// After "idgen:" stand fields KEY=VALUE separated by blanks; several lines
// before one kernel add up. The keys are
//
//	local          work items per group: one to three expressions, separated by commas
//	global         work items in all, likewise; or
//	groups         number of groups, likewise
//	arg.NAME       value of the scalar argument NAME, or of a part: arg.v.x
//	reference      kernel of the file that computes the same, for gpumeasure kernel --check
//	dynamic-local  bytes of dynamic local (CUDA: shared) memory
//
// Expressions are constant expressions of C without blanks. They may use the
// macros of the file and of -D; all of the file's macros are defined, also those
// that stand below. A macro that -D may change is guarded by #ifndef. This
// package writes directives; package frontend reads them, in users' kernels too.
//
// # Invariants
//
// Every kernel of every file is in the catalogue; names are unique; every kernel
// has a launch directive that follows the grammar; every file compiles with clang
// as OpenCL C 1.2 or CUDA, and leaves the instructions its header promises. The
// tests hold this, the last two where clang is installed. They run no kernel: one
// that is added or changed should be run once on an OpenCL device.
package kernels
