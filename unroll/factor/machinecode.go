package factor

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// What the stage behind PTX unrolls fully of what nvcc left rolled, in instructions
// (docs/evidence/fidelity.md, Inner loops of constant trip counts).
const (
	ptxasFull       = 288  // trips x body
	ptxasFullInner  = 2700 // the same of a loop within a rolled one
	ptxasFullGlobal = 450  // and of such a loop that loads from global memory
	ptxasFullBeside = 400  // and of one beside which others stay rolled, if its body
	ptxasBody       = 55   // is larger than this
)

// habitMachineCode unrolls what nvcc left rolled as the stage behind PTX does.
func (u *Unroller) habitMachineCode(l *lower.Loop, p *plan) {
	if p.full || u.predicting { // nvcc decides about the loop around before
		return
	}
	limit, n := int64(ptxasFull), u.instructions(l.Body)
	if around := u.around; around != nil {
		limit = ptxasFullInner
		switch {
		case loadsFrom(l, idg.SpaceGlobal):
			limit = ptxasFullGlobal
		case n > ptxasBody && u.holdsOtherRolledLoop(around.Body, l):
			limit = ptxasFullBeside
		}
	}
	if p.trips*n <= limit {
		p.full, p.factor = true, max(1, p.trips)
		p.reason = fmt.Sprintf("no pragma: rolled in PTX; the stage behind it unrolls %d iterations of this size fully",
			p.trips)
	}
}

// holdsOtherRolledLoop reports whether a block contains a loop that will not be fully
// unrolled, apart from one and from those around it.
func (u *Unroller) holdsOtherRolledLoop(b lower.Block, one *lower.Loop) bool {
	for i, st := range b {
		l, ok := st.(*lower.Loop)
		switch {
		case l == one && ok:
			continue
		case ok && !structure.AnyStmt(l, func(s lower.Stmt) bool { return s == lower.Stmt(one) }) &&
			!u.unrollsFully(l, b[:i]):
			return true
		}
		held := false
		structure.Blocks(st, func(x lower.Block) { held = held || u.holdsOtherRolledLoop(x, one) })
		if held {
			return true
		}
	}
	return false
}

// loadsFrom reports whether a loop loads from an address space.
func loadsFrom(l *lower.Loop, space idg.Space) bool {
	return structure.AnyInstr(l, func(in *lower.Instr) bool { return in.Op == lower.Load && in.Space == space })
}
