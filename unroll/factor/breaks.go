package factor

import "gpupipe/lower"

// nvccBreakTrips is the constant trip count up to which nvcc leaves a loop rolled that a comparison of
// its counter ends before, and that lies in no other (docs/evidence/fidelity.md, Loops that a comparison leaves).
const nvccBreakTrips = 20

// leavesAtBound reports whether a loop begins with leaving it where its counter, or what moves with it, has
// come to a bound: if (j >= n) break. To nvcc such a loop is one of a run-time trip count, of the smaller of both.
func leavesAtBound(l *lower.Loop) bool {
	if !l.HasBreak || l.Induction == nil {
		return false
	}
	m := counterMoves{by: map[lower.Reg]move{l.Induction.Var: {bytes: 1, known: true}}}
	tests := map[lower.Reg]bool{}
	for _, st := range l.Body {
		switch st := st.(type) {
		case *lower.Instr:
			switch st.Op {
			case lower.Load, lower.Store, lower.Atomic, lower.Barrier, lower.Call:
				return false
			case lower.Lt, lower.Le, lower.Gt, lower.Ge, lower.Eq, lower.Ne:
				x, y := m.of(st.Args[0]), m.of(st.Args[1])
				tests[st.Dsts[0]] = x.known && y.known && (x.bytes == 0) != (y.bytes == 0)
			}
			m.instr(st)
		case *lower.If:
			if st.Cond.Kind != lower.OperandReg || !tests[st.Cond.Reg] || len(st.Then) != 1 || len(st.Else) != 0 {
				return false
			}
			_, ok := st.Then[0].(*lower.Leave)
			return ok
		default:
			return false
		}
	}
	return false
}
