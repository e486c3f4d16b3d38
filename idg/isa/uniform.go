package isa

// UniformValues says which registers hold what is the same in all lanes of a warp,
// and with that whose compiler an estimate of registers is for.
type UniformValues uint8

const (
	// InVectorRegisters: each lane has a copy, as on NVIDIA's GPUs. The uniform
	// registers of compute capability 7.5 and later are left out.
	InVectorRegisters UniformValues = iota + 1
	// InScalarRegisters: the warp has registers of its own, as on AMD's GPUs.
	InScalarRegisters
)

func (u UniformValues) String() string {
	switch u {
	case InVectorRegisters:
		return "vector"
	case InScalarRegisters:
		return "scalar"
	}
	return "UniformValues(?)"
}

// RegisterCap is the number of 32-bit registers that a work item can have on NVIDIA's
// devices from compute capability 3.5 on (CUDA C++ Programming Guide,
// Technical Specifications); what needs more is spilled to private memory.
const RegisterCap = 255
