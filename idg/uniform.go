package idg

import "strings"

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

// scalarOps are the operations of integers and conditions that scalar units have
// instructions for; sums and products of three operands are two instructions.
var scalarOps = map[string]bool{
	"add": true, "sub": true, "mul": true, "mad": true, "mulhi": true, "neg": true, "abs": true,
	"and": true, "or": true, "xor": true, "not": true, "shl": true, "shr": true,
	"min": true, "max": true, "setp": true, "select": true, "mov": true,
}

// ScalarOp reports whether the scalar units of AMD's GPUs have an instruction for an op.
func ScalarOp(op string) bool {
	verb, rest, _ := strings.Cut(op, ".")
	switch verb {
	case "loop":
		return true
	case "ld":
		space, _, _ := strings.Cut(rest, ".")
		return space == "constant" || space == "global"
	case "cvt":
		to, from, _ := strings.Cut(rest, ".")
		return !floating(to) && !floating(from)
	}
	return scalarOps[verb] && !floating(rest[strings.LastIndexByte(rest, '.')+1:])
}

// floating reports whether a scalar type has floating-point numbers.
func floating(typ string) bool { return strings.HasPrefix(typ, "f") || strings.HasPrefix(typ, "bf") }
