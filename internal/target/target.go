// Package target says what code is compiled for: whose compiler makes it, at which level, and what the
// device can do that this compiler makes use of.
//
// A Target is a value that travels whole: a device gives it (latencies.Device.Target), flags replace parts of
// it, and the preprocessor, the compiler and the executor read it. Nobody changes one
// that was handed on. The package imports no other, so that each of them can.
package target

import (
	"fmt"
	"slices"
	"strings"
)

// DefaultCapability is what code is compiled for without a device: that of the devices whose code is compared with
// nvcc's most (docs/evidence/compiler.md).
const DefaultCapability = "8.0"

// Target is what code is compiled for. Zero values take what the comments say; Level, Compiler, WarpSize and
// Barrier have them filled in by package unroll.
type Target struct {
	GPU string // the device's name in graphs; it decides nothing
	// ComputeUnits are the device's, by which host code sizes launches; 0 = not known.
	ComputeUnits int
	Capability   string // the vendor's name of the architecture, which macros tell; "" = as without a device
	Level        Level  // O2
	Compiler     Compiler
	// Version of the compiler, as its profile has it ("13"); "" = that of which code for the device is known best
	Version  string
	FastMath bool // single precision is compiled for speed (nvcc -use_fast_math, -cl-fast-relaxed-math)

	WarpSize    int // 32
	SectorBytes int64
	Barrier     BarrierWait
	TensorCores TensorCores
	// SyncCopies makes loads and stores of asynchronous copies, as compilers do for GPUs without an
	// instruction for them.
	SyncCopies bool
}

// Level is how much an optimising compiler is assumed to have done.
type Level uint8

// The levels.
const (
	O0 Level = iota + 1 // every source operation is an instruction; subscripts belong to the access
	O2                  // what an optimising compiler leaves
	O3                  // O2 with the unroll factors of clang -O3; nvcc has one level
)

func (l Level) String() string { return nameOf("Level", uint8(l), []string{"O0", "O2", "O3"}) }

// Compiler is whose profile (package lower/pass) the code is compiled by.
type Compiler uint8

// The compilers. The zero value stands for NVCC.
const (
	NVCC       Compiler = iota + 1
	Clang               //
	NoCompiler          // no loop is unrolled without a pragma
)

// Compilers are the names.
var Compilers = []string{"nvcc", "clang", "none"}

func (c Compiler) String() string { return nameOf("Compiler", uint8(c), Compilers) }

// ParseCompiler reads a compiler's name.
func ParseCompiler(s string) (Compiler, error) {
	if i := slices.Index(Compilers, s); i >= 0 {
		return Compiler(i + 1), nil
	}
	return 0, fmt.Errorf("unknown compiler %q: one of nvcc, clang, none", s)
}

// Versions are the names of compilers with a version of which decisions are known.
var Versions = []string{"nvcc-11.8", "nvcc-12", "nvcc-13", "clang-14", "clang-15", "clang-16", "clang-17"}

// ParseVersion reads a compiler's name with or without a version.
func ParseVersion(s string) (Compiler, string, error) {
	if name, version, ok := strings.Cut(s, "-"); ok && slices.Contains(Versions, s) {
		c, err := ParseCompiler(name)
		return c, version, err
	}
	if c, err := ParseCompiler(s); err == nil {
		return c, "", nil
	}
	return 0, "", fmt.Errorf("unknown compiler %q: one of nvcc, clang, none, or of known versions %s", s,
		strings.Join(Versions, ", "))
}

// BarrierWait says what a barrier waits for in its own warp.
type BarrierWait uint8

// The readings. The zero value stands for WaitComplete at O0 (A Fig. 15) and WaitIssue at O2 (V16 Listing 3.3).
const (
	WaitIssue    BarrierWait = iota + 1 // every earlier instruction has been issued
	WaitComplete                        // every earlier instruction has completed
)

// BarrierWaits are the names.
var BarrierWaits = []string{"issue", "complete"}

func (b BarrierWait) String() string { return nameOf("BarrierWait", uint8(b), BarrierWaits) }

// ParseBarrierWait reads the name of a BarrierWait.
func ParseBarrierWait(s string) (BarrierWait, error) {
	if i := slices.Index(BarrierWaits, s); i >= 0 {
		return BarrierWait(i + 1), nil
	}
	return 0, fmt.Errorf("a barrier waits for issue or complete")
}

// TensorCores says which matrix instruction the code is for.
type TensorCores uint8

// The generations. The zero value is taken for Ampere, and for Hopper where those alone have an instruction.
const (
	NoTensorCores TensorCores = iota + 1
	Volta                     // HMMA.884: compute capability 7.0
	Turing                    // HMMA.1688: 7.5
	Ampere                    // HMMA.16816: 8.0 on
	Hopper                    // and HGMMA, of warp groups: 9.0
)

// TensorCoreNames are the names, in their order.
var TensorCoreNames = []string{"none", "volta", "turing", "ampere", "hopper"}

// RegisterCap is the number of 32-bit registers that a work item can have on NVIDIA's devices from compute
// capability 3.5 on (CUDA C++ Programming Guide, Technical Specifications); what needs more is spilled to
// private memory.
const RegisterCap = 255

// nameOf is the name of an alternative, which count from 1.
func nameOf(kind string, v uint8, names []string) string {
	if v == 0 || int(v) > len(names) {
		return fmt.Sprintf("%s(%d)", kind, v)
	}
	return names[v-1]
}
