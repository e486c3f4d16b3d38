// Package target says what a device decides about the code that runs on it: whose
// compiler makes it, how far that is known, and what the code waits for.
//
// It consumes a device and gives the options that package unroll takes from it. idgen
// and the commands that run the whole pipe ask here, so that they make the same
// graph of the same launch.
package target

import (
	"strconv"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// Code is what a device decides. The zero value of Barrier is the resolver's default.
type Code struct {
	WarpSize int
	Compiler unroll.Compiler
	Barrier  unroll.BarrierWait
	// MachineCode says that a graph for the device has the instructions of machine code, as
	// far as the compiler's last stage is known: those are executed, and PTX is not.
	MachineCode bool
	SectorBytes int64 // bytes that its memory moves at least
}

// What the last stages are known for: nvcc's from compute capability 7.0 on (unroll/combine.go;
// docs/fidelity.md, Machine code), LLVM's for AMD from gfx9 on, whose local memory is read
// unaligned (unroll/wideamd.go).
const (
	machineCodeSince    = 7
	machineCodeSinceGFX = 9
)

// Of returns what a device decides.
func Of(d *latencies.Device) (Code, error) {
	c := Code{WarpSize: d.WarpSize, Compiler: unroll.NVCC, SectorBytes: d.SectorBytes()}
	var err error
	if d.Compiler != "" {
		if c.Compiler, err = unroll.ParseCompiler(d.Compiler); err != nil {
			return c, err
		}
	}
	if d.BarrierWaitsFor != "" {
		if c.Barrier, err = unroll.ParseBarrierWait(d.BarrierWaitsFor); err != nil {
			return c, err
		}
	}
	if c.Compiler == unroll.Clang {
		c.MachineCode = majorGFX(d.Capability) >= machineCodeSinceGFX
	} else {
		c.MachineCode = c.Compiler == unroll.NVCC && major(d.Capability) >= machineCodeSince
	}
	return c, nil
}

// major is the first number of a compute capability; 0 for what is none, as of AMD's GPUs.
func major(capability string) int {
	first, _, _ := strings.Cut(capability, ".")
	n, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return n
}

// majorGFX is the first number of a name such as gfx90a or gfx1032, of which the last two
// digits are others; 0 for what is none.
func majorGFX(capability string) int {
	digits, ok := strings.CutPrefix(capability, "gfx")
	if !ok || len(digits) < 3 {
		return 0
	}
	return major(digits[:len(digits)-2])
}

// sharedOutRegisters are the 32-bit registers of a compute unit that a launch bound
// shares out: those of every NVIDIA device from compute capability 3.0 on (CUDA C++
// Programming Guide, Technical Specifications).
const sharedOutRegisters = 65536

// Registers gives a graph the registers that its compiler is estimated to use for a work
// item: at most what __launch_bounds__ leaves for groups of bound work items (0 = there is
// none). What is spilled, or why there is no estimate, is a note at the kernel's position.
func Registers(g *idg.Graph, kernel diag.Pos, bound int64) (*idg.Graph, *diag.Error) {
	limit, why := idg.RegisterCap, "a work item can have"
	if bound > 0 && sharedOutRegisters/bound < int64(limit) {
		limit, why = int(sharedOutRegisters/bound), "__launch_bounds__ leaves"
	}
	g, n := g.WithEstimate(limit)
	switch {
	case n == 0:
		return g, diag.Notef(kernel, "REGISTERS", "the kernel is too long for an estimate of its registers, which limit no occupancy then").WithNote("give their number with --registers")
	case n > limit:
		return g, diag.Notef(kernel, "REGISTERS", "the kernel needs about %d registers of the %d that %s; the others are spilled to private memory, which is not in the graph", n, limit, why)
	}
	return g, nil
}
