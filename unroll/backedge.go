package unroll

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

// What ends an iteration of a rolled loop is one instruction in a graph that shows what the source
// says. In nvcc's machine code it is three: the counter's increment, the comparison and the
// branch, the first two twice where the counter has 64 bits (TestRolledLoops of
// internal/evidence/fidelity). There each takes a turn of the schedulers, so each is a node, unless the
// device has a measurement of all of it.

// backEdge ends an iteration of the rolled part: the address streams advance, and the counter is
// incremented and compared. An exit in the middle of an unrolled body only compares and branches.
func (r *resolver) backEdge(a *activeLoop, exit bool) {
	if r.silent > 0 {
		return
	}
	for i := range a.streams {
		if s := &a.streams[i]; !exit {
			s.deps = r.produce(trace.Node{Op: s.op, Pos: s.pos, Flags: trace.Root}, s.deps, nil)
		}
	}
	var counter []trace.NodeID
	ind := a.l.Induction
	if c := a.current[ind.Var]; c != nil {
		counter = r.depsOf(c)
	}
	bound := r.loopInvariant(ind.Bound)
	if r.opt.SASS() && !r.opt.Measures(trace.LoopOp) {
		r.countAndBranch(a, counter, bound, exit)
		return
	}
	a.back = r.record(trace.Node{Op: trace.LoopOp, Pos: a.l.Pos, Flags: trace.Root | trace.Gate},
		trace.Union(counter, bound), nil)
}

// loopInvariant is what produces an operand of a loop's counting.
func (r *resolver) loopInvariant(o lower.Operand) []trace.NodeID {
	if o.Kind == lower.OperandReg {
		if v := r.regs[o.Reg-1]; v != nil {
			return r.depsOf(v)
		}
	}
	return nil
}

// countAndBranch records the increment, the comparison and the branch.
func (r *resolver) countAndBranch(a *activeLoop, counter, bound []trace.NodeID, exit bool) {
	ind, pos := a.l.Induction, a.l.Pos
	if !exit {
		step := trace.Node{Op: stepVerb(ind.Step) + "." + counterType(ind.StepType), Pos: pos,
			Contraction: trace.IsStep}
		a.back = r.record(step, trace.Union(counter, r.loopInvariant(ind.By)), nil)
		counter = []trace.NodeID{a.back}
	}
	compare := trace.Node{Op: "setp." + counterType(ind.CmpType), Pos: pos, Contraction: trace.IsStep}
	test := r.record(compare, trace.Union(counter, bound), nil)
	r.record(trace.Node{Op: idg.LoopBranch, Pos: pos, Flags: trace.Root | trace.Gate}, []trace.NodeID{test}, nil)
}

// counterType is the type of the registers that a counter takes.
func counterType(t lower.Type) string {
	if t.Size() > 4 {
		return lower.S64.String()
	}
	return lower.S32.String()
}

// stepVerb is the operation that a counter is stepped by: geometric ones are powers of two as a
// rule, which are shifts.
func stepVerb(step lower.Op) string {
	switch step {
	case lower.Mul, lower.Shl:
		return "shl"
	case lower.Div, lower.Shr:
		return "shr"
	}
	return "add"
}
