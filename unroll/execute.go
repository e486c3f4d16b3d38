package unroll

import (
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// run executes the kernel.
func (r *resolver) run() {
	labels := r.st.Labelled()
	r.left, r.continued = make([]laneMask, labels), make([]laneMask, labels)
	r.maybeOf, r.loopsAt = make([]int, labels), make([]int, labels)
	r.mask = r.warpMask
	r.enter(0, r.warpMask)
	r.block(r.k.Body, r.warpMask)
	// Values are not needed to finish the trace.
	r.regs, r.objects, r.recent, r.spare, r.spareIDs = nil, nil, [len(r.recent)]*value{}, nil, nil
	r.st.spares.keepTables(r.numbering.levels)
	r.numbering, r.memory, r.workItems, r.private, r.vectors = numbering{}, memory{}, nil, nil, vectors{}
}

// enter notes with which lanes a block is entered: a variable of that block is
// wholly overwritten by an assignment in all of them.
func (r *resolver) enter(b structure.BlockID, m laneMask) {
	for _, reg := range r.st.VariablesOf(b) {
		r.scopeMask[reg-1] = m
	}
	for _, o := range r.st.ObjectsOf(b) {
		r.objMask[o-1] = m
	}
}

// staying is the lanes of those that entered a block that may come to its statements again before
// it is entered again: lanes that have left a statement around it do not.
func (r *resolver) staying(b structure.BlockID, entered laneMask) laneMask {
	if entered&^r.mask != 0 {
		r.st.LabelsAround(b, func(l lower.Label) { entered &^= r.left[l] })
	}
	return entered
}

// scopeLanes is the lanes that may read what a variable holds, objectLanes what a private array does.
func (r *resolver) scopeLanes(reg lower.Reg) laneMask {
	return r.staying(r.st.ScopeOf(reg), r.scopeMask[reg-1])
}

func (r *resolver) objectLanes(id lower.ObjectID) laneMask {
	return r.staying(r.st.ScopeOfObject(id), r.objMask[id-1])
}

// block executes statements for the lanes of m and returns the lanes that reach
// its end.
func (r *resolver) block(b lower.Block, m laneMask) laneMask {
	for i, s := range b {
		if r.stopped() {
			return 0
		}
		if m == 0 {
			r.usedElsewhere(b[i:])
			return 0
		}
		r.mask = m
		switch s := s.(type) {
		case *lower.Instr:
			r.instr(s)
		case *lower.Leave:
			r.leave(s.Label, m, false)
			return 0
		case *lower.Continue:
			r.leave(s.Label, m, true)
			return 0
		default:
			m = r.compound(s, m)
		}
	}
	return m
}

// compound executes a statement with blocks.
func (r *resolver) compound(s lower.Stmt, m laneMask) laneMask {
	stretch := r.stretch
	switch s := s.(type) {
	case *lower.If:
		if r.operand(s.Cond).konst {
			return r.branch(s, m)
		}
		m = r.branch(s, m)
	case *lower.Loop:
		m = r.loop(s, m)
	case *lower.Switch:
		m = r.switchStmt(s, m)
	case *lower.Region:
		m = r.region(s, m)
	}
	if r.stretch = stretch; r.st.Escapes(s) {
		r.newStretch()
	}
	return m
}

// enterLabel prepares a statement that can be left or continued.
func (r *resolver) enterLabel(l lower.Label) {
	r.left[l], r.continued[l], r.maybeOf[l], r.loopsAt[l] = 0, 0, len(r.maybe), len(r.loops)
}

// leave takes lanes out of the labelled statement, or to its next iteration. Inside a branch
// whose condition is not known, leaving a statement around that branch is only
// noted: the branch decides (see undecided).
func (r *resolver) leave(l lower.Label, m laneMask, cont bool) {
	if n := len(r.maybe); n > r.maybeOf[l] {
		side := r.maybe[n-1]
		side.leaves = append(side.leaves, labelMask{l, m, cont})
		return
	}
	if cont {
		r.continued[l] |= m
	} else {
		r.left[l] |= m
	}
}

// region executes an inlined function.
func (r *resolver) region(s *lower.Region, m laneMask) laneMask {
	r.enterLabel(s.Label)
	r.enter(r.st.Block(s, 0), m)
	if r.meetsBehind(s.Label) {
		r.converge(s.Pos, m, 1)
		defer r.converge(s.Pos, m, 1)
	}
	m = r.block(s.Body, m)
	r.passOver(r.st.LeaveEffects(s))
	return m | r.left[s.Label]
}
