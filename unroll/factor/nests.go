package factor

import (
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// Nests of loops over private arrays of which the inner trip count follows the outer counter, as
// in a sort of a few values that a work item keeps (j < 8 - i): once the outer loop is
// unrolled, the inner loops' counts are constants and the array is in registers. Read off
// compiled code of six bodies and arrays of 3 to 72 elements (docs/evidence/fidelity.md).
const nvccNest = 150 // trips x body of the outer loop up to which nvcc unrolls it fully

// unrollsNest reports whether an outer loop is unrolled fully for the private arrays of its
// inner loops, although it contains loops whose trip counts are not constants yet.
func (u *Unroller) unrollsNest(l *lower.Loop, p *plan) bool {
	if !p.constant || l.Induction == nil {
		return false
	}
	n := nest{u: u, known: map[lower.Reg]bool{l.Induction.Var: true}}
	if !n.block(l.Body) || !n.arrays {
		return false
	}
	return p.trips*(u.bodySize(l)+n.control) <= nvccNest
}

// nest follows what is a constant in an outer loop's body once its counter is.
type nest struct {
	u       *Unroller
	known   map[lower.Reg]bool
	arrays  bool  // an inner loop selects elements of private arrays
	control int64 // conditions and loops in the body, an operation each to the compiler
}

// block reports whether the trip counts of all loops in a block are constants.
func (n *nest) block(b lower.Block) bool {
	for _, st := range b {
		ok := true
		switch st := st.(type) {
		case *lower.Instr:
			n.instr(st)
		case *lower.Loop:
			ok = n.loop(st)
		default:
			if _, branch := st.(*lower.If); branch {
				n.control++
			}
			structure.Blocks(st, func(x lower.Block) { ok = ok && n.block(x) })
		}
		if !ok {
			return false
		}
	}
	return true
}

// instr follows an instruction.
func (n *nest) instr(in *lower.Instr) {
	known := in.Op != lower.Load && in.Op != lower.Index && in.Op != lower.Atomic && in.Op != lower.ImageLoad &&
		in.Op != lower.SubGroup
	for _, a := range in.Args {
		known = known && n.constant(a)
	}
	for _, d := range in.Dsts {
		n.known[d] = known
	}
}

func (n *nest) constant(o lower.Operand) bool {
	if o.Kind == lower.OperandReg && n.known[o.Reg] {
		return true
	}
	_, ok := n.u.staticOperand(o)
	return ok
}

// loop reports whether an inner loop, of which the counter starts at a constant, has a constant
// trip count and contains no loop.
func (n *nest) loop(l *lower.Loop) bool {
	ind := l.Induction
	if ind == nil || l.Pragma != nil || l.HasBreak || !n.known[ind.Var] || !n.constant(ind.By) || holdsLoop(l.Body) {
		return false
	}
	for _, st := range l.Cond {
		if in, ok := st.(*lower.Instr); ok {
			n.instr(in)
		}
	}
	if !n.constant(ind.Bound) {
		return false
	}
	n.control++
	n.arrays = n.arrays || n.u.kernel.SelectsArray(l)
	return n.block(l.Body)
}

// holdsLoop reports whether a block contains a loop.
func holdsLoop(b lower.Block) (found bool) {
	for _, st := range b {
		if _, ok := st.(*lower.Loop); ok {
			return true
		}
		structure.Blocks(st, func(x lower.Block) { found = found || holdsLoop(x) })
	}
	return found
}
