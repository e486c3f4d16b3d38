// Package target says what a device decides about the code that runs on it: whose
// compiler makes it, how far that is known, and what the code waits for.
//
// It consumes a device and gives the options that package unroll takes from it. idgen
// --gpu and the commands that run the whole pipe ask here, so that they make the same
// graph of the same launch.
package target

import (
	"strconv"
	"strings"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// Code is what a device decides. The zero values of Compiler and Barrier are the resolver's
// defaults.
type Code struct {
	WarpSize int
	Compiler unroll.Compiler
	Barrier  unroll.BarrierWait
	// MachineCode says that a graph for the device has the instructions of machine code: those
	// are executed, and PTX is not. The stage that makes them is known for machineCodeSince.
	MachineCode bool
}

// machineCodeSince is the compute capability from which on nvcc's last stage is known
// (unroll/combine.go; docs/fidelity.md, Machine code).
const machineCodeSince = 7

// Of returns what a device decides.
func Of(d *latencies.Device) (Code, error) {
	c := Code{WarpSize: d.WarpSize}
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
	c.MachineCode = (c.Compiler == 0 || c.Compiler == unroll.NVCC) && major(d.Capability) >= machineCodeSince
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

// sharedOutRegisters are the 32-bit registers of a compute unit that a launch bound
// shares out: those of every NVIDIA device from compute capability 3.0 on (CUDA C++
// Programming Guide, Technical Specifications).
const sharedOutRegisters = 65536

// RegisterLimit is how many registers the compiler gives a work item at most: what
// __launch_bounds__ leaves for groups of bound work items (0 = there is none), if that is
// less than a work item can have.
func RegisterLimit(bound int64) (limit int, bounded bool) {
	if bound > 0 && sharedOutRegisters/bound < idg.RegisterCap {
		return int(sharedOutRegisters / bound), true
	}
	return idg.RegisterCap, false
}
