// Package timed times a user's kernel on a device at several occupancies, and compares its output with
// that of a reference.
//
// It consumes a kernel with its launch (package generate) and a device (package driver), and produces the
// times of each occupancy. Other groups are kept off a compute unit by local memory that the kernel does not
// use: in CUDA dynamic shared memory, in OpenCL a pointer to local memory that is added to its parameters.
//
//	job.go    the kernel as the device takes it
//	args.go   its arguments
//	time.go   its launches
//	check.go  its output against a reference
package timed
