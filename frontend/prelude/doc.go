// Package prelude has the text that stands before a program, or for a header that is not there.
//
// In come the language and the GPU's architecture; out go the declarations and macros of OpenCL C and CUDA C in C (Text),
// the macros that host code may use (HostMacros), those by which programs tell the GPU (GPUMacros) and the compiler
// (CUDAMacro), and what stands for the headers of HIP, CUB and cuRAND (HIPRuntime, CUBHeader, CURAND). All of it is in
// the encodings of package encoding; positions in it are no user's.
//
// Sources: OpenCL C 1.2, chapter 6; CUDA C++ Programming Guide, C++ Language Extensions; clang's and nvcc's predefined
// macros; HIP's documentation of feature macros; CUB 2.2's documentation of its algorithms; cuRAND: curand.go.
package prelude
