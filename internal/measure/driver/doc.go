// Package driver is what the measurements ask of a device, whether OpenCL or CUDA drives it: build a
// program, hold buffers, launch a kernel and tell how long it took. It also opens the drivers'
// libraries at run time, without cgo.
//
//	driver.go   the interfaces
//	build.go    what a compiler says about a program
//	wait.go     the watchdog of a call that may never return
//	library.go  libraries opened by name
package driver
