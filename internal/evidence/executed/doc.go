// Package executed holds the graphs against executed code: clang compiles OpenCL kernels to SPIR,
// Oclgrind executes them and counts, and the bytes loaded and stored in each address space, the
// barriers and the floating arithmetic of all work items are compared with those of the graph, at -O0
// and at -O2.
//
// It consists of tests only, which write the tables of docs/evidence/tables/executed.md under -update. The kernels
// are the built-in ones, those of testdata, which cover control flow, data that decides it (--contents), memory and
// vectors, and with -darktable DIR those of darktable that take buffers only. A kernel that differs must say
// why, and one that does not must not: in its own text, or in the list of those that are
// not written for this test (testdata/builtin.txt, darktable.txt).
//
// How a kernel is compared: compile_test.go makes code of it, counts_test.go reads what Oclgrind has counted,
// graph_test.go counts the graph's instructions, case_test.go makes the launch for both.
//
// The test skips where clang 14, LLVM's opt or Oclgrind is missing, or fails (package tools).
package executed
