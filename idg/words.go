package idg

import (
	"fmt"
	"strings"
)

// RegisterCap is the number of 32-bit registers that a work item can have on NVIDIA's
// devices from compute capability 3.5 on (CUDA C++ Programming Guide,
// Technical Specifications); what needs more is spilled to private memory.
const RegisterCap = 255

// ResultWords is how many 32-bit registers the result of each instruction class
// takes, by InstrID - 1.
func (g *Graph) ResultWords() []int64 {
	size := make([]int64, len(g.instrs))
	for i := range g.instrs {
		size[i] = resultWords(&g.instrs[i], g.Access(g.instrs[i].Access))
	}
	return size
}

// resultWords is how many 32-bit registers the result of an instruction takes.
func resultWords(in *Instr, a *Access) int64 {
	op, rest, _ := strings.Cut(in.Op, ".")
	if in.IsAsync() {
		return 0
	}
	switch op {
	case "st", "barrier", "fence", "branch", "setp", "async", "tma":
		return 0
	case "wgmma":
		return groupWords(rest)
	case "ld", "atomic":
		if a != nil {
			return max(1, (int64(a.Width)+3)/4)
		}
		return registerWords(in.Type)
	case "loop", "index", "shuffle", "vote":
		return 1
	case "hmma", "imma", "dmma":
		return matrixWords(rest)
	case "cvt":
		to, _, _ := strings.Cut(rest, ".")
		return registerWords(to)
	}
	if strings.HasPrefix(rest, "wide.") || strings.HasPrefix(rest, "packed.") {
		return 2
	}
	return registerWords(rest[strings.LastIndexByte(rest, '.')+1:])
}

// operandWords is how many registers an instruction takes of an operand at most.
func operandWords(op string) int64 {
	_, types, _ := strings.Cut(op, ".")
	if strings.HasPrefix(types, "wide.") || strings.HasPrefix(types, "packed.") || ClassOf(op) == "tensor" {
		return 2
	}
	return registerWords(types[strings.LastIndexByte(types, '.')+1:])
}

// matrixWords is how many registers of a work item the result of a matrix instruction takes: its
// part of 16x8 numbers of 32 bits, or of 8x8 of 64; half of that of 16 bits, of 8x8 of 32, and of
// what a step of HMMA.884 computes.
func matrixWords(shape string) int64 {
	switch shape {
	case "1688.f32", "16816.f32", "1684.f32", "16816.s32", "884.f64":
		return 4
	}
	return 2
}

// groupWords is how many registers of a work item the result of a matrix instruction of a warp group takes, its
// part of 64xN numbers: "m64n128k16.bf16.f32".
func groupWords(shape string) int64 {
	var rows, columns, depth int64
	if n, _ := fmt.Sscanf(shape, "m%dn%dk%d", &rows, &columns, &depth); n != 3 {
		return 1
	}
	words := rows * columns / (4 * 32)
	if strings.HasSuffix(shape, ".f16") {
		words /= 2
	}
	return max(1, words)
}

// registerWords is the number of registers of a scalar type.
func registerWords(typ string) int64 {
	switch typ {
	case "f64", "s64", "u64", "b64", "ptr":
		return 2
	case "pred", "bool":
		return 0
	}
	return 1
}
