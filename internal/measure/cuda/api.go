package cuda

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"unsafe"

	"gpupipe/internal/measure/driver"
)

// handle is any of the driver's objects.
type handle uintptr

// api is libcuda and libnvrtc.
type api struct {
	driverAPI
	compilerAPI
	machineCodeAPI
}

// driverAPI is libcuda.
type driverAPI struct {
	init                   func(flags uint32) int32
	driverGetVersion       func(version *int32) int32
	deviceGetCount         func(count *int32) int32
	deviceGet              func(device *int32, ordinal int32) int32
	deviceGetName          func(name *byte, length int32, device int32) int32
	deviceMemory           func(bytes *uintptr, device int32) int32 `c:"cuDeviceTotalMem_v2"`
	deviceGetAttribute     func(value *int32, attribute int32, device int32) int32
	devicePrimaryCtxRetain func(context *handle, device int32) int32
	releaseContext         func(device int32) int32 `c:"cuDevicePrimaryCtxRelease_v2"`
	ctxSetCurrent          func(context handle) int32
	moduleLoadData         func(module *handle, image unsafe.Pointer) int32
	moduleUnload           func(module handle) int32
	moduleGetFunction      func(function *handle, module handle, name string) int32
	funcSetAttribute       func(function handle, attribute, value int32) int32
	allocate               func(address *uint64, bytes uintptr) int32                     `c:"cuMemAlloc_v2"`
	free                   func(address uint64) int32                                     `c:"cuMemFree_v2"`
	copyToDevice           func(address uint64, data unsafe.Pointer, bytes uintptr) int32 `c:"cuMemcpyHtoD_v2"`
	copyToHost             func(data unsafe.Pointer, address uint64, bytes uintptr) int32 `c:"cuMemcpyDtoH_v2"`
	eventCreate            func(event *handle, flags uint32) int32
	eventRecord            func(event handle, stream uintptr) int32
	eventSynchronize       func(event handle) int32
	eventElapsedTime       func(milliseconds *float32, start, end handle) int32
	destroyEvent           func(event handle) int32 `c:"cuEventDestroy_v2"`
	getErrorString         func(code int32, text **byte) int32

	launchKernel func(function handle, gx, gy, gz, bx, by, bz, shared uint32, stream uintptr, parameters,
		extra unsafe.Pointer) int32
	occupancyMaxActiveBlocksPerMultiprocessor func(groups *int32, function handle, items int32,
		shared uintptr) int32
}

// compilerAPI is libnvrtc.
type compilerAPI struct {
	createProgram     func(program *handle, text, name string, headers int32, sources, names uintptr) int32
	addNameExpression func(program handle, name string) int32
	getLoweredName    func(program handle, name string, lowered **byte) int32
	compileProgram    func(program handle, count int32, options **byte) int32
	getProgramLogSize func(program handle, bytes *uintptr) int32
	getProgramLog     func(program handle, text *byte) int32
	getPTXSize        func(program handle, bytes *uintptr) int32
	getPTX            func(program handle, text *byte) int32
	destroyProgram    func(program *handle) int32
}

// machineCodeAPI is what libnvrtc has since 11.1; all nil before.
type machineCodeAPI struct {
	getCUBINSize func(program handle, bytes *uintptr) int32
	getCUBIN     func(program handle, image *byte) int32
}

// Libraries are the names under which the driver and the compiler are installed.
type Libraries struct{ Driver, Compiler []string }

// Installed are the usual names; of several toolkits the newest counts.
func Installed() Libraries {
	l := Libraries{
		Driver: []string{"libcuda.so.1", "libcuda.so"},
		Compiler: []string{"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so.11.1",
			"libnvrtc.so.11.0"},
	}
	found, _ := filepath.Glob("/usr/local/cuda*/lib64/libnvrtc.so") // the pattern is a valid one
	slices.Sort(found)
	slices.Reverse(found)
	l.Compiler = append(l.Compiler, found...)
	return l
}

// ErrNoCompiler is that NVIDIA's driver is installed, and its compiler is not.
var ErrNoCompiler = errors.New("NVRTC (libnvrtc.so, of the CUDA toolkit) is not installed")

// load opens both libraries.
func load(l Libraries) (*api, error) {
	a := &api{}
	lib, err := driver.Open(l.Driver...)
	if err != nil {
		return nil, err
	}
	if err := lib.Bind("cu", &a.driverAPI); err != nil {
		return nil, err
	}
	compiler, err := driver.Open(l.Compiler...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoCompiler, err)
	}
	if compiler.Bind("nvrtc", &a.machineCodeAPI) != nil {
		a.machineCodeAPI = machineCodeAPI{}
	}
	return a, compiler.Bind("nvrtc", &a.compilerAPI)
}

// Numbers of cuda.h.
const (
	maxThreadsPerBlock  = 1
	sharedPerBlock      = 8
	warpSize            = 10
	clockKHz            = 13
	multiprocessors     = 16
	l2Bytes             = 38
	maxThreadsPerUnit   = 39
	capabilityMajor     = 75
	capabilityMinor     = 76
	sharedPerUnit       = 81
	registersPerUnit    = 82
	sharedPerBlockOptIn = 97
	maxBlocksPerUnit    = 106

	functionMaxDynamicShared = 8

	noDevice = 100
)

// lost are the statuses after which a context answers no more: a kernel failed, took too long, or the
// device has gone.
var lost = map[int32]bool{
	214: true, 700: true, 702: true, 709: true, 710: true, 714: true, 715: true, 716: true, 717: true, 718: true,
	719: true, 802: true, 999: true,
}

// status is an error of a call.
type status struct {
	call, text string
	code       int32
}

func (s *status) Error() string { return fmt.Sprintf("%s: %s (%d)", s.call, s.text, s.code) }

// check makes a status an error.
func (a *api) check(call string, code int32) error {
	if code == 0 {
		return nil
	}
	var text *byte
	if a.getErrorString(code, &text) != 0 || text == nil {
		return &status{call, "unknown error", code}
	}
	return &status{call, goString(text), code}
}

// goString copies a C string.
func goString(text *byte) string {
	var b []byte
	for p := unsafe.Pointer(text); *(*byte)(p) != 0; p = unsafe.Add(p, 1) {
		b = append(b, *(*byte)(p))
	}
	return string(b)
}
