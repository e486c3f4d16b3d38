package factor

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// The habits of clang where it compiles for AMD's GPUs: LLVM's unroller with what the
// target asks of it (AMDGPUTargetTransformInfo.cpp, getUnrollingPreferences; for the
// target of PTX other values apply). The thresholds are LLVM's, the sizes of what
// is in a body were found by compiling loops of known bodies (docs/fidelity.md, Unrolling for AMD's GPUs).
const (
	amdFull         = 300  // size up to which a loop is unrolled fully
	amdFullLocal    = 1000 // that of loops that access local memory, nested at most amdLocalDepth deep
	amdFullPrivate  = 2700 // that of loops that access private arrays
	amdLocalDepth   = 2
	amdPartial      = 150 // size up to which a loop is unrolled partly
	amdBackEdge     = 5   // size of what a loop that is unrolled has once
	amdAccess       = 3   // size of an access with its address
	amdCounter      = 2   // size of a body's own loop
	amdWidened      = 1   // of widening its counter, where an access of other than local memory needs 64 bits
	amdAnalysed     = 10  // iterations of which it looks at what remains when the counter is folded,
	amdAnalysedMost = 32  // and in small bodies, of less than so many instructions
	amdAccessInstrs = 4   // instructions of LLVM's representation in an access
	amdLoopInstrs   = 5   // those of a loop without a body
)

// habitAMD unrolls loops of which the trip count is a constant, and with run-time trip
// counts those that access local memory.
func (u *Unroller) habitAMD(l *lower.Loop, p *plan) {
	n := u.census(l.Body)
	work := n.other + amdAccess*n.memory
	size := work + amdCounter
	if accesses(l, idg.SpaceGlobal) || accesses(l, idg.SpaceConstant) {
		size += amdWidened
	}
	if !p.constant {
		u.habitRuntimeAMD(l, p, size)
		return
	}
	threshold := thresholdAMD(l)
	full := p.trips <= threshold && p.trips*size+amdBackEdge < threshold
	instrs := n.other + n.fused + amdAccessInstrs*n.memory + amdLoopInstrs
	if p.trips <= amdAnalysed || p.trips <= amdAnalysedMost && instrs < amdAnalysedMost {
		// Without the counter the size is work; by what that saves the threshold is larger.
		full = full || p.trips*work*work < threshold*(work+amdBackEdge)
	}
	u.habitConstant(p, full, size, amdPartial-amdBackEdge, false)
}

// habitRuntimeAMD unrolls a loop with a run-time trip count by up to 8 if it accesses
// local memory.
func (u *Unroller) habitRuntimeAMD(l *lower.Loop, p *plan, size int64) {
	in := l.Induction
	if in.By.Kind != lower.OperandConst || in.Step != lower.Add && in.Step != lower.Sub || !inLocalMemory(l) || holdsBarrier(l) {
		p.reason = "no pragma: clang leaves loops with a run-time trip count rolled for AMD's GPUs, but for those that access local memory"
		return
	}
	p.factor = clangRuntime
	for p.factor > 1 && p.factor*size+amdBackEdge > amdPartial {
		p.factor /= 2
	}
	p.reason = "no pragma: clang unrolls loops that access local memory"
}

// thresholdAMD is the size up to which a loop is unrolled fully.
func thresholdAMD(l *lower.Loop) int64 {
	switch {
	case accesses(l, idg.SpacePrivate):
		return amdFullPrivate
	case inLocalMemory(l):
		return amdFullLocal
	}
	return amdFull
}

// inLocalMemory reports whether a loop accesses local memory and is not nested too deep
// for that to matter.
func inLocalMemory(l *lower.Loop) bool {
	return l.Depth <= amdLocalDepth && accesses(l, idg.SpaceLocal)
}

// accesses reports whether a loop loads or stores in an address space.
func accesses(l *lower.Loop, space idg.Space) bool {
	return structure.AnyInstr(l, func(in *lower.Instr) bool {
		return (in.Op == lower.Load || in.Op == lower.Store) && in.Space == space
	})
}
