// Package target says what a device decides about the code that runs on it: whose
// compiler makes it, how far that is known, and what the code waits for.
//
// It consumes a device and gives the options that package unroll takes from it. idgen
// and the commands that run the whole pipe ask here, so that they make the same
// graph of the same launch.
package target

import (
	"gpupipe/frontend/tensor"
	"gpupipe/idg/isa"
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
	// Pairs says that instructions of machine code are issued two at a time.
	Pairs       bool
	Packed      bool // two numbers of single precision are computed in one instruction
	SyncCopies  bool // asynchronous copies are loads and stores
	TensorCores tensor.Cores
	// Architecture is what the program's macros say of the device (frontend.Config).
	Architecture string
	SectorBytes  int64 // bytes that its memory moves at least
	Uniform      isa.UniformValues
}

// Of returns what a device decides.
func Of(d *latencies.Device) (Code, error) {
	c := Code{WarpSize: d.WarpSize, Compiler: unroll.NVCC, SectorBytes: d.SectorBytes(), Uniform: isa.InVectorRegisters}
	var err error
	if d.Compiler != "" {
		if c.Compiler, err = unroll.ParseCompiler(d.Compiler); err != nil {
			return c, err
		}
	}
	if d.UniformValues == isa.InScalarRegisters.String() {
		c.Uniform = isa.InScalarRegisters
	}
	if d.BarrierWaitsFor != "" {
		if c.Barrier, err = unroll.ParseBarrierWait(d.BarrierWaitsFor); err != nil {
			return c, err
		}
	}
	c.MachineCode, c.Pairs, c.Packed = d.MachineCode(), c.Compiler == unroll.Clang && d.DualIssue == "paired", c.Compiler == unroll.Clang && d.Packs()
	c.SyncCopies, c.TensorCores, c.Architecture = !d.AsyncCopies(), tensorCores(d), d.Capability
	return c, nil
}

// tensorCores is which matrix instruction a compute capability has (nvcc 11.8's code for 7.0, 7.5, 8.0,
// 8.6 and 9.0).
func tensorCores(d *latencies.Device) tensor.Cores {
	switch n := d.ComputeMajor(); {
	case n == 9:
		return tensor.Hopper
	case n >= 8:
		return tensor.Ampere
	case n == 7 && d.Capability >= "7.5":
		return tensor.Turing
	case n == 7:
		return tensor.Volta
	}
	return tensor.None
}
