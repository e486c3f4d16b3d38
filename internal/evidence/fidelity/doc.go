// Package fidelity holds the graphs against compiled code: how many instructions of each kind a warp
// executes, how many registers a work item needs, by the graph's estimate, by NVIDIA's compiler and by
// LLVM's for AMD's GPUs; and how that unrolls loops.
//
// It consists of tests only, which write docs/evidence/tables under -update.
// TestRegisters needs no compiler: it reads testdata/registers.txt, which
// it makes anew under -update with nvcc and ptxas 11.8 (Debian:
// nvidia-cuda-toolkit, non-free) and clang. TestAMDRegisters and TestAMDUnrolling read
// testdata/amdgpu.txt and amdgpu_unroll.txt likewise, TestAMDMix amdgpu_mix.txt (what internal/evidence/amdgcn
// counts in assembly) and TestAMDFunctions amdgpu_functions.txt, which clang 14 alone makes, and TestPairs
// amdgpu_pairs.txt, for which it takes clang 19: earlier ones do not know RDNA 3.
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
