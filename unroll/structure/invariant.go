package structure

import (
	"maps"
	"slices"

	"gpupipe/lower"
)

// Compilers move what gives the same in every iteration out of a loop (LICM), and accesses of places
// that they keep in registers, before they decide whether to unroll it, so it is not a part of the
// body that they measure.

// InvariantIn returns the operations in a loop's body, those of inner loops included, that give
// the same in every iteration, and accesses of what is kept in registers.
func (s *Kernel) InvariantIn(l *lower.Loop) map[*lower.Instr]bool {
	f := s.facts(l)
	if f.invariant == nil {
		t := invariants{s: s, assigned: s.AssignedIn(l), varying: map[lower.Reg]bool{}, found: map[*lower.Instr]bool{}}
		t.block(l.Body)
		for _, p := range s.PromotedIn(l) {
			maps.Copy(t.found, p.Accesses)
		}
		f.invariant = t.found
	}
	return f.invariant
}

// invariants follows what a loop's body computes.
type invariants struct {
	s        *Kernel
	assigned []lower.Reg        // variables that the loop assigns, ascending
	varying  map[lower.Reg]bool // results that are not the same in every iteration
	found    map[*lower.Instr]bool
}

func (t *invariants) block(b lower.Block) {
	for _, st := range b {
		if in, ok := st.(*lower.Instr); ok {
			t.instr(in)
		} else {
			Blocks(st, t.block)
		}
	}
}

func (t *invariants) instr(in *lower.Instr) {
	same := computes(in) && len(in.Dsts) == 1 && len(t.s.defs[in.Dsts[0]-1]) == 1
	for _, a := range in.Args {
		same = same && !t.varies(a)
	}
	if same {
		t.found[in] = true
		return
	}
	for _, d := range in.Dsts {
		t.varying[d] = true
	}
}

// varies reports whether an operand may differ from one iteration to the next.
func (t *invariants) varies(o lower.Operand) bool {
	if o.Kind != lower.OperandReg || o.Reg == 0 {
		return false
	}
	if t.varying[o.Reg] {
		return true
	}
	_, assigned := slices.BinarySearch(t.assigned, o.Reg)
	return assigned && !(len(t.s.defs[o.Reg-1]) == 1 && t.found[t.s.defs[o.Reg-1][0]])
}

// computes reports whether an operation depends on its operands alone and does nothing else.
func computes(in *lower.Instr) bool {
	return in.Op <= lower.Index && len(in.Dsts) > 0 && in.Dsts[0] != 0
}
