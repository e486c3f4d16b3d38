package structure

import "gpupipe/lower"

// Meetings says where lanes that have gone different ways meet again.
type Meetings struct {
	Ifs    []bool // by BranchID - 1
	Turned []bool // by BranchID - 1: the first side stands first
	Labels []bool // of loops, switches and regions, by Label
	// Broadcast are the atomics of which the compiler knows that all lanes update one word.
	Broadcast map[*lower.Instr]bool
	checked   bool
}

// Meetings finds the meeting places of a kernel.
func (s *Kernel) Meetings() *Meetings {
	m := &s.meetings
	if m.checked {
		return m
	}
	*m = Meetings{Ifs: make([]bool, len(s.k.Branches)), Turned: make([]bool, len(s.k.Branches)),
		Labels: make([]bool, len(s.labels)), Broadcast: map[*lower.Instr]bool{}, checked: true}
	f := meetingFinder{m, diverging(s), map[lower.Reg]lower.Op{}}
	lower.Walk(s.k.Body, func(st lower.Stmt) {
		if in, ok := st.(*lower.Instr); ok && in.Op.IsComparison() {
			f.compares[in.Dsts[0]] = in.Op
		} else if ok && in.Op == lower.Atomic && !f.apart.operand(in.Args[0]) {
			m.Broadcast[in] = true
		}
	})
	f.block(s.k.Body, true)
	return m
}

type meetingFinder struct {
	*Meetings
	apart    *divergence
	compares map[lower.Reg]lower.Op // comparisons by their results
}

// block goes over statements; shared says that lanes meet, or end, at the end of the block anyway.
func (f *meetingFinder) block(b lower.Block, shared bool) {
	for len(b) > 0 && leaves(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	for i, st := range b {
		ends := shared && i == len(b)-1
		switch st := st.(type) {
		case *lower.If:
			apart := f.apart.operand(st.Cond)
			f.Ifs[st.ID-1] = apart && !ends && !endsWithLeave(st.Then) && !endsWithLeave(st.Else)
			f.Turned[st.ID-1] = turnedAround(f.compares[st.Cond.Reg])
			f.block(st.Then, ends || f.Ifs[st.ID-1])
			f.block(st.Else, ends || f.Ifs[st.ID-1])
		case *lower.Loop:
			f.Labels[st.Label] = f.apart.loop(st) && !ends
			f.block(st.Cond, false)
			f.block(st.Body, false)
		case *lower.Switch:
			f.Labels[st.Label] = f.apart.operand(st.Value) && !ends
			for i := range st.Cases {
				f.block(st.Cases[i].Body, ends || f.Labels[st.Label])
			}
		case *lower.Region:
			f.Labels[st.Label] = f.apart.leaves[st.Label] && !ends
			f.block(st.Body, ends || f.Labels[st.Label])
		}
	}
}

func endsWithLeave(b lower.Block) bool { return len(b) > 0 && leaves(b[len(b)-1]) }

// turnedAround reports whether LLVM exchanges the sides of a branch on a comparison.
func turnedAround(op lower.Op) bool { return op == lower.Ne || op == lower.Le || op == lower.Ge }
