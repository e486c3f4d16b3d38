package opencl

import (
	"fmt"
	"unsafe"

	"gpupipe/internal/measure/driver"
)

// handle is any of OpenCL's objects.
type handle uintptr

// api is libOpenCL.
type api struct {
	getPlatformIDs  func(entries uint32, platforms *handle, count *uint32) int32
	getPlatformInfo func(platform handle, name uint32, size uintptr, value unsafe.Pointer,
		sizeReturned *uintptr) int32
	getDeviceIDs  func(platform handle, kind uint64, entries uint32, devices *handle, count *uint32) int32
	getDeviceInfo func(device handle, name uint32, size uintptr, value unsafe.Pointer,
		sizeReturned *uintptr) int32
	createContext func(properties *uintptr, count uint32, devices *handle, notify, user uintptr,
		status *int32) handle
	releaseContext          func(handle) int32
	createCommandQueue      func(context, device handle, properties uint64, status *int32) handle
	releaseCommandQueue     func(handle) int32
	createProgramWithSource func(context handle, count uint32, texts **byte, lengths *uintptr, status *int32) handle
	buildProgram            func(program handle, count uint32, devices *handle, options string, notify,
		user uintptr) int32
	getProgramBuildInfo func(program, device handle, name uint32, size uintptr, value unsafe.Pointer,
		sizeReturned *uintptr) int32
	releaseProgram         func(handle) int32
	createKernel           func(program handle, name string, status *int32) handle
	setKernelArg           func(kernel handle, index uint32, size uintptr, value unsafe.Pointer) int32
	getKernelWorkGroupInfo func(kernel, device handle, name uint32, size uintptr, value unsafe.Pointer,
		sizeReturned *uintptr) int32
	releaseKernel      func(handle) int32
	createBuffer       func(context handle, flags uint64, size uintptr, host uintptr, status *int32) handle
	releaseMemObject   func(handle) int32
	enqueueWriteBuffer func(queue, buffer handle, blocking uint32, offset, size uintptr, data unsafe.Pointer,
		waits uint32, wait, event *handle) int32
	enqueueReadBuffer func(queue, buffer handle, blocking uint32, offset, size uintptr, data unsafe.Pointer,
		waits uint32, wait, event *handle) int32
	enqueueNDRangeKernel func(queue, kernel handle, dimensions uint32, offset, global, local *uintptr, waits uint32,
		wait, event *handle) int32
	waitForEvents         func(count uint32, events *handle) int32
	getEventProfilingInfo func(event handle, name uint32, size uintptr, value unsafe.Pointer,
		sizeReturned *uintptr) int32
	releaseEvent func(handle) int32
}

// load opens libOpenCL.
func load(libraries []string) (*api, error) {
	lib, err := driver.Open(libraries...)
	if err != nil {
		return nil, err
	}
	a := &api{}
	return a, lib.Bind("cl", a)
}

// Numbers of CL/cl.h and CL/cl_ext.h.
const (
	platformName = 0x0902

	deviceTypeAll        = 0xFFFFFFFF
	deviceTypeCPU        = 2
	deviceTypeGPU        = 4
	deviceType           = 0x1000
	deviceMaxUnits       = 0x1002
	deviceMaxGroupSize   = 0x1004
	deviceMaxClock       = 0x100C
	deviceMaxAlloc       = 0x1010
	deviceCacheBytes     = 0x101E
	deviceGlobalBytes    = 0x101F
	deviceLocalBytes     = 0x1023
	deviceAvailable      = 0x1027
	deviceName           = 0x102B
	deviceVendor         = 0x102C
	driverVersion        = 0x102D
	deviceVersion        = 0x102F
	deviceExtensions     = 0x1030
	nvidiaMajor          = 0x4000
	nvidiaMinor          = 0x4001
	nvidiaRegisters      = 0x4002
	nvidiaWarp           = 0x4003
	nvidiaLocalPerUnit   = 0x4007 // of newer drivers; others refuse it
	amdWavefront         = 0x4043
	amdLocalPerUnit      = 0x4047
	queueProfiling       = 2
	memReadWrite         = 1
	buildLog             = 0x1183
	kernelPreferredItems = 0x11B3
	profilingStart       = 0x1282
	profilingEnd         = 0x1283
)

// statusNames are the statuses that a user can do something about.
var statusNames = map[int32]string{
	-1: "device not found", -2: "device not available", -4: "out of device memory", -5: "out of resources",
	-6: "out of host memory",
	-7: "profiling is not available", -11: "build failure", -14: "a kernel failed", -36: "the device was lost",
	-48: "invalid kernel",
	-51: "argument of a wrong size", -52: "an argument is missing", -54: "the work group is too large",
	-55: "invalid work item sizes", -61: "the buffer is too large",
	-1001: "no OpenCL platform is installed", -9999: "illegal access of memory",
}

// status is an error of a call.
type status struct {
	call string
	code int32
}

func (s *status) Error() string {
	if name, ok := statusNames[s.code]; ok {
		return fmt.Sprintf("%s: %s (%d)", s.call, name, s.code)
	}
	return fmt.Sprintf("%s: status %d", s.call, s.code)
}

func check(call string, code int32) error {
	if code == 0 {
		return nil
	}
	return &status{call, code}
}
