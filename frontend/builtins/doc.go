// Package builtins lists the functions of OpenCL C and of CUDA's device code: how the source calls
// each of them, with which types, and which function of either language does the same.
//
// It consumes nothing and produces one immutable Table for each language. A function has one name and
// one class whatever it is called: __syncthreads() is barrier(3). What a call's arguments make of it is
// the business of those who type it.
package builtins
