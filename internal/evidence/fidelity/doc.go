// Package fidelity holds compiled code against what real compilers wrote, where package compiler does not look: inline
// PTX (nvcc 11.8 for sm_80), quotients of AMD's GPUs, CDNA 2's packed arithmetic (clang 14) and RDNA 3's pairs (clang
// 19). It consists of tests only; what the compilers wrote is recorded in testdata, and made anew under -update.
package fidelity
