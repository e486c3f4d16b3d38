// Package fidelity holds the graphs against compiled code: how many instructions
// of each kind a warp executes, in the graph and in the PTX that clang makes of
// the same source for the same launch; how many registers a work item needs, by
// the graph's estimate, by NVIDIA's compiler and by LLVM's for AMD's GPUs; and how that
// unrolls loops.
//
// It consists of tests only, which write docs/evidence/tables under
// -update. TestMix takes the built-in kernels; with -darktable
// DIR those of darktable too, and with -kernels DIR,... the OpenCL kernels of
// other people's directories, which the document lists. It skips where clang
// 14 or libclc are not installed, since the counts are those of one compiler.
// TestRegisters needs no compiler: it reads testdata/registers.txt, which
// it makes anew under -update with nvcc and ptxas 11.8 (Debian:
// nvidia-cuda-toolkit, non-free) and clang. TestAMDRegisters and TestAMDUnrolling read
// testdata/amdgpu.txt and amdgpu_unroll.txt likewise, TestAMDMix amdgpu_mix.txt (what internal/evidence/amdgcn
// counts in assembly) and TestAMDFunctions amdgpu_functions.txt, which clang 14 alone makes, and TestPairs
// amdgpu_pairs.txt, for which it takes clang 19: earlier ones do not know RDNA 3.
//
// # What is compared: instructions
//
// The kernel is compiled at -O3 with multiply-adds contracted across statements
// (as nvcc does; clang's default contracts within an expression) and resolved
// at -O3 with clang's habits. Counted are warp 0 of the group in the middle of the launch,
// by package ptx: accesses of global and of local memory, each a load, store or
// atomic of any width; barriers; floating multiply-adds, multiplications,
// additions and subtractions together; special functions, which are divisions,
// roots and every function that takes a library: those are left as calls in the
// PTX and count as one in each component.
//
// A kernel takes part when it has a loop, when every trip count follows from its
// arguments, and when no branch of the compiled code depends on data.
//
// # What is compared: machine code
//
// The same warp of nvcc's machine code, counted by package sass, and of the graph
// that Options.MachineCode of package unroll asks for: all instructions, by pipe. Kernels of
// one statement show one rule of the compiler's last stage each
// (machinecode_rules_test.go), of one expression one function (machinecode_functions_test.go); the built-in ones, of
// which those in OpenCL are compiled as CUDA, show what the rules leave.
//
// # What is compared: register reads
//
// The words that floating instructions read through the ports of the register file, by
// idg.Graph.RegisterReads and, by package sass, in machine code with its registers and what it keeps in the
// register file cache. TestRegisterReads reads testdata/reads.txt, which it makes anew under -update.
//
// # What is compared: registers
//
// The registers per work item that ptxas reports against
// registers.Estimate. The built-in kernels are compiled for one device, those in
// OpenCL from clang's PTX, with special functions as one instruction. The estimate
// must not be above the compiler's figure. Kernels that are one long basic block are
// written for the purpose (registers_written_out_test.go, registers_filter_test.go) and
// compiled in several lengths and shapes, since the compiler cuts some long code; the
// estimate must be near the compiler's figure where that is large.
//
// For AMD's GPUs the same kernels and tiles of sums are compiled by clang. There the
// wavefronts that reside with the estimate are compared with those that reside with the
// compiler's registers, and, where it spills, the estimate with all that it needed.
//
// What is spilled is compared as well (spills_test.go): the words that the graph's accesses
// of private memory store and load with those of compiled code.
package fidelity
