package unroll

import (
	"gpupipe/lower"
	"gpupipe/unroll/structure"
	"gpupipe/unroll/trace"
)

// From compute capability 7.0 on lanes that have gone different ways meet again at a convergence
// barrier: one instruction in front of the branch says who is to be waited for (BSSY), another
// behind it waits (BSYNC). As nvcc 11.8 compiles kernels for sm_70, sm_75, sm_80 and sm_86
// (TestConverge):
//
//   - Branches that the compiler knows to go one way in all lanes have none (structure/uniform.go), nor have
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

// jumps reports whether machine code has a branch behind a side, around the other one.
func (r *resolver) jumps(s *lower.If, part int) bool {
	if !r.opt.SASS() || r.silent > 0 || r.stopped() || len(s.Then) == 0 || len(s.Else) == 0 || r.predicated(s) ||
		r.st.IsLast(s.ID) {
		return false
	}
	return r.st.Meetings().Turned[s.ID-1] == (part == structure.Then)
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
	return r.opt.SASS() && r.st.Meetings().Labels[l]
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
