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
	initialize     func(flags uint32) int32
	driverVersion  func(version *int32) int32
	deviceCount    func(count *int32) int32
	deviceGet      func(device *int32, ordinal int32) int32
	deviceName     func(name *byte, length int32, device int32) int32
	deviceMemory   func(bytes *uintptr, device int32) int32
	attribute      func(value *int32, attribute int32, device int32) int32
	retainContext  func(context *handle, device int32) int32
	releaseContext func(device int32) int32
	setContext     func(context handle) int32
	loadModule     func(module *handle, image unsafe.Pointer) int32
	unloadModule   func(module handle) int32
	getFunction    func(function *handle, module handle, name string) int32
	setAttribute   func(function handle, attribute, value int32) int32
	allocate       func(address *uint64, bytes uintptr) int32
	free           func(address uint64) int32
	copyToDevice   func(address uint64, data unsafe.Pointer, bytes uintptr) int32
	copyToHost     func(data unsafe.Pointer, address uint64, bytes uintptr) int32
	resident       func(groups *int32, function handle, items int32, shared uintptr) int32
	launch         func(function handle, gx, gy, gz, bx, by, bz, shared uint32, stream uintptr, parameters,
		extra unsafe.Pointer) int32
	createEvent  func(event *handle, flags uint32) int32
	recordEvent  func(event handle, stream uintptr) int32
	waitForEvent func(event handle) int32
	elapsed      func(milliseconds *float32, start, end handle) int32
	destroyEvent func(event handle) int32
	errorString  func(code int32, text **byte) int32

	createProgram  func(program *handle, text, name string, headers int32, sources, names uintptr) int32
	addName        func(program handle, name string) int32
	loweredName    func(program handle, name string, lowered **byte) int32
	compile        func(program handle, count int32, options **byte) int32
	logSize        func(program handle, bytes *uintptr) int32
	log            func(program handle, text *byte) int32
	ptxSize        func(program handle, bytes *uintptr) int32
	ptx            func(program handle, text *byte) int32
	cubinSize      func(program handle, bytes *uintptr) int32 // nil before NVRTC 11.1
	cubin          func(program handle, image *byte) int32
	destroyProgram func(program *handle) int32
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
	if err := lib.Bind([]driver.Function{
		{Name: "cuInit", Into: &a.initialize}, {Name: "cuDriverGetVersion", Into: &a.driverVersion},
		{Name: "cuDeviceGetCount", Into: &a.deviceCount}, {Name: "cuDeviceGet", Into: &a.deviceGet},
		{Name: "cuDeviceGetName", Into: &a.deviceName}, {Name: "cuDeviceTotalMem_v2", Into: &a.deviceMemory},
		{Name: "cuDeviceGetAttribute", Into: &a.attribute}, {Name: "cuDevicePrimaryCtxRetain", Into: &a.retainContext},
		{Name: "cuDevicePrimaryCtxRelease_v2", Into: &a.releaseContext}, {Name: "cuCtxSetCurrent", Into: &a.setContext},
		{Name: "cuModuleLoadData", Into: &a.loadModule}, {Name: "cuModuleUnload", Into: &a.unloadModule},
		{Name: "cuModuleGetFunction", Into: &a.getFunction}, {Name: "cuFuncSetAttribute", Into: &a.setAttribute},
		{Name: "cuMemAlloc_v2", Into: &a.allocate}, {Name: "cuMemFree_v2", Into: &a.free},
		{Name: "cuMemcpyHtoD_v2", Into: &a.copyToDevice}, {Name: "cuMemcpyDtoH_v2", Into: &a.copyToHost},
		{Name: "cuOccupancyMaxActiveBlocksPerMultiprocessor", Into: &a.resident},
		{Name: "cuLaunchKernel", Into: &a.launch}, {Name: "cuEventCreate", Into: &a.createEvent},
		{Name: "cuEventRecord", Into: &a.recordEvent}, {Name: "cuEventSynchronize", Into: &a.waitForEvent},
		{Name: "cuEventElapsedTime", Into: &a.elapsed}, {Name: "cuEventDestroy_v2", Into: &a.destroyEvent},
		{Name: "cuGetErrorString", Into: &a.errorString},
	}); err != nil {
		return nil, err
	}
	compiler, err := driver.Open(l.Compiler...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoCompiler, err)
	}
	if compiler.Bind([]driver.Function{{Name: "nvrtcGetCUBINSize", Into: &a.cubinSize},
		{Name: "nvrtcGetCUBIN", Into: &a.cubin}}) != nil {
		a.cubinSize = nil
	}
	return a, compiler.Bind([]driver.Function{
		{Name: "nvrtcCreateProgram", Into: &a.createProgram}, {Name: "nvrtcCompileProgram", Into: &a.compile},
		{Name: "nvrtcAddNameExpression", Into: &a.addName}, {Name: "nvrtcGetLoweredName", Into: &a.loweredName},
		{Name: "nvrtcGetProgramLogSize", Into: &a.logSize}, {Name: "nvrtcGetProgramLog", Into: &a.log},
		{Name: "nvrtcGetPTXSize", Into: &a.ptxSize}, {Name: "nvrtcGetPTX", Into: &a.ptx},
		{Name: "nvrtcDestroyProgram", Into: &a.destroyProgram},
	})
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
	if a.errorString(code, &text) != 0 || text == nil {
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
