package driver

import (
	"context"
	"math"
	"time"

	"gpupipe/internal/measure"
)

// Dialect is the language that a device's compiler reads. The zero value is invalid.
type Dialect uint8

// The dialects.
const (
	OpenCL Dialect = iota + 1
	CUDA
)

// Found is a device that can be opened.
type Found struct {
	Properties measure.Properties // that it tells before; the warp size of some is not among them
	Open       func() (Device, error)
}

// Device is an open device. It is used by one goroutine at a time, but for Build.
type Device interface {
	Properties() measure.Properties
	Dialect() Dialect
	// Build compiles a source; what the compiler refuses is a *BuildError. Any goroutine may call it at any time.
	Build(ctx context.Context, s Source) (Program, error)
	NewBuffer(bytes int64) (Buffer, error)
	// Clock is that of the compute units now, in MHz, or 0 if the device does not tell.
	Clock() float64
	Close()
}

// Source is a program to compile.
type Source struct {
	Name    string   // of the file, in messages
	Text    string   // in the device's dialect
	Options []string // of the compiler, such as "-DN=4"
	Special bool     // CUDA: it has instructions of this architecture alone, such as sm_90a's
	Kernels []string // CUDA: names whose spelling in machine code is to be found; extern "C" needs none
}

// Program is a compiled source.
type Program interface {
	Kernel(name string) (Kernel, error)
	Close()
}

// Kernel is a function to launch.
type Kernel interface {
	// Launch executes the kernel, waits for it, and returns the seconds it took by the device's
	// timer. A kernel that does not end within the limit, or takes its device along, is a
	// *measure.LostError.
	Launch(ctx context.Context, l Launch) (seconds float64, err error)
	// Resident is how many groups of so many work items and bytes of dynamic local memory are resident on a
	// compute unit, or 0 if the driver does not tell.
	Resident(items, localBytes int) int
	Close()
}

// Launch is the launch of a kernel.
type Launch struct {
	Groups     [3]int
	GroupSize  [3]int
	Args       []Arg
	LocalBytes int           // of CUDA's dynamic shared memory; OpenCL has an Arg for each local pointer
	Limit      time.Duration // of the watchdog; 0 is DefaultLimit
	// Behind is CUDA's number of launches of the same in front of it, which are not timed: while they run, the host
	// asks for it, so that the device does not wait between the events around it.
	Behind int
}

// DefaultLimit is after how long a launch counts as one that does not end.
const DefaultLimit = 20 * time.Second

// Buffer is memory of the device.
type Buffer interface {
	Bytes() int64
	Write(data []byte) error // from its beginning
	Read(data []byte) error  // from its beginning
	Close()
}

// Arg is an argument of a kernel: exactly one of its fields is given.
type Arg struct {
	Value      []byte // of a scalar, as the device lays it out
	Buffer     Buffer
	LocalBytes int // of a pointer to local memory
}

// Uint, Int, Float and DoubleArg are scalar arguments.
func Uint(v uint32) Arg { return Arg{Value: little(uint64(v), 4)} }

// Int is a 32-bit integer.
func Int(v int32) Arg { return Uint(uint32(v)) }

// Float is a number in single precision.
func Float(v float32) Arg { return Uint(math.Float32bits(v)) }

// DoubleArg is a number in double precision.
func DoubleArg(v float64) Arg { return Arg{Value: little(math.Float64bits(v), 8)} }

// little is a value as little-endian bytes, the order of all devices that are driven.
func little(v uint64, bytes int) []byte {
	b := make([]byte, bytes)
	for i := range b {
		b[i] = byte(v >> (8 * i))
	}
	return b
}
