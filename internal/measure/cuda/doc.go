// Package cuda drives NVIDIA GPUs through the CUDA driver (libcuda) and its compiler (libnvrtc), which it
// opens at run time.
//
//	api.go     the functions and numbers of both that are used
//	list.go    devices
//	device.go  one open device: its thread, buffers, properties
//	program.go programs, kernels and launches
//
// A context of the driver belongs to a thread: all calls of a device are made on one.
//
// Source: NVIDIA, CUDA Driver API and NVRTC reference, and cuda.h for the numbers.
package cuda
