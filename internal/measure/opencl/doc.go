// Package opencl drives devices through libOpenCL, which it opens at run time.
//
//	api.go     the functions and numbers of OpenCL 1.2 that are used
//	list.go    platforms and devices
//	device.go  one open device: buffers, properties
//	program.go programs, kernels and launches
//
// Source: Khronos, The OpenCL Specification 1.2, and CL/cl.h for the numbers.
package opencl
