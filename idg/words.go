package idg

import "gpupipe/idg/isa"

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
	op := in.Operation()
	if a != nil && op.ResultOfAccess() {
		return max(1, (int64(a.Width)+3)/4)
	}
	return op.ResultWords(isa.TypeNamed(in.Type))
}
