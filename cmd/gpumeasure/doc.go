// Command gpumeasure measures the device files of pipesim on the user's own GPU: it runs a microbenchmark
// of each instruction class at every occupancy, and times kernels.
//
// It opens OpenCL, or CUDA's driver and NVRTC, at run time. Its products are samples as CSV (package
// internal/measure), the device file that follows from them (package internal/fit), and times of kernels
// that "pipesim compare" reads.
//
//	root.go     the commands
//	device.go   which device, list.go what there is
//	run.go      the microbenchmarks, samples.go their file
//	fit.go      the device file that follows
//	kernel.go   times of a kernel, check.go those of built-in ones against predictions
//	progress.go how far it is
//
// See gpumeasure --help for the commands and flags.
package main
