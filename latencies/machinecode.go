package latencies

import (
	"slices"

	"gpupipe/idg/isa"
	"gpupipe/internal/capability"
)

// What the last stages of compilers are known for: nvcc's from compute capability 7.0 on
// (unroll/trace/combine.go; docs/evidence/fidelity.md, Machine code), LLVM's for AMD from gfx9 on, whose
// local memory is read unaligned (unroll/trace/wideamd.go).
const (
	machineCodeSince    = 7
	machineCodeSinceGFX = 9
)

// MachineCode reports whether graphs for the device have the instructions of its machine
// code, as far as its compiler's last stage is known.
func (d *Device) MachineCode() bool {
	if d.compiler() == "clang" {
		return capability.GFX(d.Capability) >= machineCodeSinceGFX
	}
	return d.compiler() == "nvcc" && d.ComputeMajor() >= machineCodeSince
}

// compiler is whose code the device executes: nvcc's where its file names none.
func (d *Device) compiler() string {
	if d.Compiler == "" {
		return "nvcc"
	}
	return d.Compiler
}

// Measures reports whether the device has an entry for an op, or its family, of which λ is as its
// source prints it. That is the time of all that the op takes, however many instructions of
// machine code it is. Where λ follows from the rate of units by a rule, these are better counted.
func (d *Device) Measures(op string) bool {
	for i := range d.Instructions {
		in := &d.Instructions[i]
		if in.Derived == "" && !isa.IsFamily(in.Match) && slices.Contains(isa.Parse(op).Names(""), in.Match) {
			return true
		}
	}
	return false
}

// packedSum adds two numbers of single precision of a lane to two others.
var packedSum = isa.Of(isa.Add, isa.F32).With(isa.Packed)

// Packs reports whether the device computes two numbers of single precision of a lane in one
// instruction, as AMD's from CDNA 2 on: its file says then how long that takes.
func (d *Device) Packs() bool {
	return slices.ContainsFunc(d.Instructions, func(in Instruction) bool { return in.Match == packedSum.String() })
}
