package unroll

import (
	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

// From compute capability 7.0 on lanes that have gone different ways meet again at a convergence
// barrier: one instruction in front of the branch says who is to be waited for (BSSY), another
// behind it waits (BSYNC). As nvcc 11.8 compiles kernels for sm_70, sm_75, sm_80 and sm_86
// (TestConverge):
//
//   - Branches that the compiler knows to go one way in all lanes have none (uniform.go), nor have
//     short sides with a predicate, and those of which a side is a return or leaves a loop.
//   - A loop that lanes may leave at different times has them around its guard and all its
//     iterations. If it is unrolled for a run-time trip count, so has its loop of left-over
//     iterations within, and each loop of more passes that the next stage makes of it.
//   - What ends where a statement around it ends that has them shares them, and where the kernel
//     ends the lanes end.
//
// A branch with two sides takes another branch, behind the side that stands first: the second
// one, unless the condition is one that LLVM turns around (!=, <=, >=).

// convergeOp is what either instruction is called.
const convergeOp = "converge"

// meetings says where lanes that have gone different ways meet again.
type meetings struct {
	ifs     []bool // by BranchID - 1
	turned  []bool // by BranchID - 1: the first side stands first
	labels  []bool // of loops, switches and regions, by Label
	checked bool
}

// meet finds the meeting places of a kernel.
func (st *static) meet() *meetings {
	m := &st.meetings
	if m.checked {
		return m
	}
	*m = meetings{ifs: make([]bool, len(st.k.Branches)), turned: make([]bool, len(st.k.Branches)), labels: make([]bool, len(st.labels)), checked: true}
	f := meetingFinder{m, diverging(st), map[lower.Reg]lower.Op{}}
	lower.Walk(st.k.Body, func(s lower.Stmt) {
		if in, ok := s.(*lower.Instr); ok && in.Op.IsComparison() {
			f.compares[in.Dsts[0]] = in.Op
		}
	})
	f.block(st.k.Body, true)
	return m
}

type meetingFinder struct {
	*meetings
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
			f.ifs[st.ID-1] = apart && !ends && !endsWithLeave(st.Then) && !endsWithLeave(st.Else)
			f.turned[st.ID-1] = turnedAround(f.compares[st.Cond.Reg])
			f.block(st.Then, ends || f.ifs[st.ID-1])
			f.block(st.Else, ends || f.ifs[st.ID-1])
		case *lower.Loop:
			f.labels[st.Label] = f.apart.loop(st) && !ends
			f.block(st.Cond, false)
			f.block(st.Body, false)
		case *lower.Switch:
			f.labels[st.Label] = f.apart.operand(st.Value) && !ends
			for i := range st.Cases {
				f.block(st.Cases[i].Body, ends || f.labels[st.Label])
			}
		case *lower.Region:
			f.labels[st.Label] = f.apart.leaves[st.Label] && !ends
			f.block(st.Body, ends || f.labels[st.Label])
		}
	}
}

func endsWithLeave(b lower.Block) bool { return len(b) > 0 && leaves(b[len(b)-1]) }

// turnedAround reports whether LLVM exchanges the sides of a branch on a comparison.
func turnedAround(op lower.Op) bool { return op == lower.Ne || op == lower.Le || op == lower.Ge }

// jumps reports whether machine code has a branch behind a side, around the other one.
func (r *resolver) jumps(s *lower.If, part int) bool {
	if !r.opt.machineCode() || r.silent > 0 || r.stopped() || len(s.Then) == 0 || len(s.Else) == 0 || r.predicated(s) || r.st.last[s.ID-1] {
		return false
	}
	return r.st.meet().turned[s.ID-1] == (part == partThen)
}

// converge records so many of the instructions that let lanes meet, as machine code has them.
func (r *resolver) converge(pos lower.Pos, m laneMask, n int) {
	if r.silent > 0 || r.stopped() {
		return
	}
	r.mask = m
	for range n {
		r.record(trace.Node{Op: convergeOp, Pos: pos, Flags: trace.Root}, nil, nil)
	}
}

// meetsBehind reports whether machine code lets the lanes meet behind a statement with a label.
func (r *resolver) meetsBehind(l lower.Label) bool {
	return r.opt.machineCode() && r.st.meet().labels[l]
}

// loopMeetings is in how many places the lanes of a loop meet: behind it, and behind the loops
// within that it is unrolled into.
func (r *resolver) loopMeetings(l *lower.Loop, p *plan) int {
	switch {
	case !r.meetsBehind(l.Label), p.full && !l.HasBreak:
		return 0
	case p.factor <= 1 || p.full || p.constant || !p.counted:
		return 1
	case p.joinsPasses():
		return 4
	}
	return 2
}
