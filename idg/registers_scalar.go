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

// scalarValues tells the values that are in scalar registers, by node: those that the
// scalar unit makes, of operands that are scalar. LLVM selects its instructions where its
// analysis of divergence finds a value uniform (LLVM, AMDGPU target: divergent are work-item
// ids, atomics, private memory, and what depends on them), and the unit has instructions
// for integers, addresses and conditions (AMD, instruction set architectures of CDNA 2
// and RDNA 2: SOP1, SOP2, SOPC, SOPK, SMEM).
func (l *liveness) scalarValues(instrs []Instr) []bool {
	able := make([]bool, len(instrs)) // of a scalar instruction, by InstrID - 1
	for i := range instrs {
		able[i] = ScalarOp(instrs[i].Op)
	}
	l.excludeWritten(instrs, able)
	scalar := make([]bool, l.f.Len())
	for v := range NodeID(l.f.Len()) {
		scalar[v] = able[l.f.Instr(v)-1]
		from, kind := l.f.Preds(v)
		for i, u := range from {
			if kind[i] == Data && !scalar[u] {
				scalar[v] = false
			}
		}
	}
	return scalar
}

// excludeWritten takes from the scalar instructions loads of global memory that a store
// or an atomic is executed before: the scalar unit's cache does not see what was
// written (LLVM, AMDGPUAnnotateUniformValues: amdgpu.noclobber).
func (l *liveness) excludeWritten(instrs []Instr, able []bool) {
	written := false
	for v := range NodeID(l.f.Len()) {
		id := l.f.Instr(v) - 1
		switch class := ClassOf(instrs[id].Op); {
		case class == "st.global", class == "atomic":
			written = true
		case class == "ld.global" && written:
			able[id] = false
		}
	}
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
