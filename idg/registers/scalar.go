package registers

import (
	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// scalarValues tells the values that are in scalar registers, by node: those that the
// scalar unit makes, of operands that are scalar. LLVM selects its instructions where its
// analysis of divergence finds a value uniform (LLVM, AMDGPU target: divergent are work-item
// ids, atomics, private memory, and what depends on them), and the unit has instructions
// for integers, addresses and conditions (AMD, instruction set architectures of CDNA 2
// and RDNA 2: SOP1, SOP2, SOPC, SOPK, SMEM).
func (l *Live) scalarValues() []bool {
	instrs := l.g.Instrs()
	able := make([]bool, len(instrs)) // of a scalar instruction, by InstrID - 1
	for i := range instrs {
		able[i] = instrs[i].Operation().ScalarUnit()
	}
	l.excludeWritten(instrs, able)
	scalar := make([]bool, l.Len())
	for v := range idg.NodeID(l.Len()) {
		scalar[v] = able[l.Instr(v)-1]
		from, kind := l.Preds(v)
		for i, u := range from {
			if kind[i] == idg.Data && !scalar[u] {
				scalar[v] = false
			}
		}
	}
	return scalar
}

// excludeWritten takes from the scalar instructions loads of global memory that a store
// or an atomic is executed before (isa.Op.Clobbers).
func (l *Live) excludeWritten(instrs []idg.Instr, able []bool) {
	clobbers, loads := make([]bool, len(instrs)), make([]bool, len(instrs))
	for i := range instrs {
		op := instrs[i].Operation()
		clobbers[i], loads[i] = op.Clobbers(), op.Verb == isa.Load && op.Space == isa.Global
	}
	written := false
	for v := range idg.NodeID(l.Len()) {
		id := l.Instr(v) - 1
		written = written || clobbers[id]
		able[id] = able[id] && !(loads[id] && written)
	}
}
