package unroll

import (
	"math/bits"
	"slices"

	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/structure"
	"gpupipe/unroll/trace"
)

// branch executes an if for the lanes of m and returns those that reach its
// end.
func (r *resolver) branch(s *lower.If, m laneMask) laneMask {
	c := r.operand(s.Cond)
	d := r.decisions.branch(s.ID)
	d.executed++
	yes, unknown := r.trueLanes(c, m)
	if side, ok := r.decisions.branchChoice(s.Pos, r.opt.Branches); ok && !c.konst {
		c = r.chosen(c, side)
		unknown = 0
		switch side {
		case TakeBranch:
			yes = m
		case SkipBranch:
			yes = 0
		case BothSides:
			unknown = m
		}
		d.note(decisionOf(yes, unknown, m), "--branch")
	} else {
		d.note(decisionOf(yes, unknown, m), c.from.String())
	}
	if c.konst {
		d.note("folded", "constant")
		if yes != 0 {
			r.enter(r.st.Block(s, structure.Then), m)
			return r.block(s.Then, m)
		}
		r.enter(r.st.Block(s, structure.Else), m)
		return r.block(s.Else, m)
	}
	if r.selectable(s) {
		d.note("select", c.from.String())
		return r.selects(s, c, m)
	}
	if unknown == 0 {
		d.diverge(m, yes)
	}
	predicated := r.predicated(s)
	cond := r.depsOf(c)
	if r.silent == 0 {
		if predicated {
			r.trace.Keep(cond)
		} else {
			if r.opt.SASS() && r.st.Meetings().Ifs[s.ID-1] {
				r.converge(s.Pos, m, 1)
				defer r.converge(s.Pos, m, 1)
			}
			r.record(trace.Node{Op: "branch", Pos: s.Pos, Flags: trace.Root | trace.Gate}, cond, nil)
		}
	}
	if predicated {
		outer := r.guards
		r.guards = trace.Union(outer, cond)
		defer func() { r.guards = outer }()
	}
	if unknown != 0 {
		end, leaves := r.undecided(s, m)
		if _, asked := r.decisions.branchChoice(s.Pos, r.opt.Branches); !asked {
			r.noteAssumedBranch(s, leaves)
		}
		return end
	}
	if yes != 0 && yes != m {
		return r.diverged(s, m, yes)
	}
	mark := r.memory.mark()
	var end laneMask
	if yes != 0 {
		end |= r.side(s, structure.Then, yes)
	} else if predicated {
		r.issueOff(s, s.Then)
	}
	if no := m &^ yes; no != 0 {
		end |= r.side(s, structure.Else, no)
	} else if predicated {
		r.issueOff(s, s.Else)
	}
	switch yes {
	case 0:
		r.usedElsewhere(s.Then)
		r.passOver(r.st.Effects(s, structure.Then))
	case m:
		r.usedElsewhere(s.Else)
		r.passOver(r.st.Effects(s, structure.Else))
	}
	r.join(s, mark)
	return end
}

// diverged executes both sides, each with its lanes, of which one may be empty. The second starts from the
// contents that its lanes had before the branch and waits for nothing that the
// first one computes.
func (r *resolver) diverged(s *lower.If, m, yes laneMask) laneMask {
	regs := r.st.AssignedIn(s)
	before := make([]*value, len(regs))
	scopes := make([]laneMask, len(regs))
	for i, reg := range regs {
		before[i], scopes[i] = r.regs[reg-1], r.scopeLanes(reg)
	}
	mark := r.memory.mark()
	run := func(part int, lanes laneMask) (end laneMask, after []*value) {
		for i, reg := range regs {
			// An assignment in all lanes of the side overwrites the variable there.
			r.regs[reg-1], r.scopeMask[reg-1] = before[i], lanes
		}
		end = r.side(s, part, lanes)
		after = make([]*value, len(regs))
		for i, reg := range regs {
			after[i] = r.regs[reg-1]
		}
		return end, after
	}
	kept := r.keptIn(s)
	keptBefore := contentsOf(kept)
	endThen, then := run(structure.Then, yes)
	keptThen := contentsOf(kept)
	restoreKept(kept, keptBefore)
	endElse, els := run(structure.Else, m&^yes)
	r.mask = m
	mergeKept(kept, keptThen, func(then, els *value) *value { return r.mergeLanes(els, then, yes) })
	for i, reg := range regs {
		r.scopeMask[reg-1] = scopes[i]
		v := before[i]
		switch scope := r.st.ScopeOf(reg); {
		case r.st.Encloses(r.st.Block(s, structure.Then), scope):
			r.regs[reg-1] = then[i] // nobody asks for the contents in other lanes
			continue
		case r.st.Encloses(r.st.Block(s, structure.Else), scope):
			r.regs[reg-1] = els[i]
			continue
		}
		if scopes[i]&^m == 0 && els[i] != nil && then[i] != nil {
			v = els[i]
		} else {
			v = r.overlay(v, els[i], m&^yes)
		}
		r.regs[reg-1] = r.overlay(v, then[i], yes)
	}
	r.join(s, mark)
	return endThen | endElse
}

// overlay returns old with the lanes of m from v; nil is not contents.
func (r *resolver) overlay(old, v *value, m laneMask) *value {
	if old == nil || v == nil {
		if v == nil {
			return old
		}
		return v
	}
	return r.mergeLanes(old, v, m)
}

// chosen replaces a condition that the user decided.
func (r *resolver) chosen(c *value, side BranchSide) *value {
	out := *c
	out.from |= fromAssumed
	out.lanes, out.known, out.drift = nil, 0, nil
	if side != BothSides {
		out.known, out.u = r.warpMask, arithmetic.FromBool(side == TakeBranch)
	}
	return &out
}

func decisionOf(yes, unknown, m laneMask) string {
	switch {
	case unknown != 0:
		return "both"
	case yes == m:
		return "taken"
	case yes == 0:
		return "not-taken"
	}
	return "diverged"
}

// side executes one side of a branch.
func (r *resolver) side(s *lower.If, part int, m laneMask) laneMask {
	outer := r.stretch
	r.openSide()
	r.enter(r.st.Block(s, part), m)
	b := s.Then
	if part == structure.Else {
		b = s.Else
	}
	end := r.block(b, m)
	r.closeSide(b, outer)
	if end != 0 && r.jumps(s, part) {
		r.mask = end
		r.record(trace.Node{Op: "branch", Pos: s.Pos, Flags: trace.Root | trace.Gate}, nil, nil)
	}
	return end
}

// join makes what the sides of a branch assigned opaque to the compiler.
func (r *resolver) join(s lower.Stmt, mark int) {
	if r.stopped() {
		return
	}
	for _, reg := range r.st.AssignedIn(s) {
		if v := r.regs[reg-1]; v != nil {
			r.regs[reg-1] = r.opaque(v, r.level)
		}
	}
	r.opaqueCells(mark)
}

func (m *memory) mark() int { return len(m.writes) }

// opaqueCells does for the elements of private arrays written since mark what
// join does for variables.
func (r *resolver) opaqueCells(mark int) {
	cells := slices.Clone(r.memory.writes[mark:])
	slices.SortFunc(cells, compareCells)
	cells = slices.Compact(cells)
	for _, c := range cells {
		r.memory.setCell(c, r.opaque(r.memory.cells[c], r.level))
	}
	r.memory.writes = append(r.memory.writes[:mark], cells...)
}

func compareCells(a, b cell) int {
	switch {
	case a.object != b.object:
		return int(a.object) - int(b.object)
	case a.offset != b.offset:
		return int(a.offset - b.offset)
	}
	return int(a.typ) - int(b.typ)
}

// switchStmt executes a switch as a chain of comparisons: one compare and
// branch for each label that some lane is still looking for. Cases fall
// through.
func (r *resolver) switchStmt(s *lower.Switch, m laneMask) laneMask {
	r.enterLabel(s.Label)
	v := r.operand(s.Value)
	r.decided(v)
	entry := make([]laneMask, len(s.Cases))
	searching := m
	unknown := m &^ v.known
	for i := range s.Cases {
		for _, want := range s.Cases[i].Values {
			if searching == 0 {
				break
			}
			if !v.konst && r.silent == 0 {
				r.mask = m
				cmp := r.record(trace.Node{Op: "setp." + v.typ.String(), Pos: s.Cases[i].Pos}, r.depsOf(v), nil)
				r.record(trace.Node{Op: "branch", Pos: s.Cases[i].Pos, Flags: trace.Root | trace.Gate},
					[]trace.NodeID{cmp}, nil)
			}
			for l := searching &^ unknown; l != 0; l &= l - 1 {
				if lane := bits.TrailingZeros64(uint64(l)); v.at(lane) == arithmetic.Canon(v.typ, uint64(want)) {
					entry[i] |= 1 << lane
					searching &^= 1 << lane
				}
			}
		}
	}
	for i := range s.Cases {
		if s.Cases[i].Default {
			entry[i] |= searching &^ unknown
			searching &= unknown
		}
	}
	if unknown != 0 && r.decisions.news(assumption{at: s}) {
		r.decisions.assumed(diag.Notef(s.Pos, "ASSUMED-BRANCH",
			"the value of this switch is not known: every case is executed").
			WithNote("%s", oneOf(r.adviseValues(r.sourceLine(s.Pos))...)))
	}
	if r.meetsBehind(s.Label) && !v.konst {
		r.converge(s.Pos, m, 1)
		defer r.converge(s.Pos, m, 1)
	}
	mark := r.memory.mark()
	var cur laneMask
	for i := range s.Cases {
		cur |= entry[i] | unknown
		if cur == 0 {
			continue
		}
		outer := r.stretch
		r.openSide()
		r.enter(r.st.Block(s, i), cur)
		cur = r.block(s.Cases[i].Body, cur)
		r.closeSide(s.Cases[i].Body, outer)
	}
	if !v.konst {
		for i := range s.Cases {
			if entry[i]|unknown == 0 {
				r.usedElsewhere(s.Cases[i].Body)
				r.passOver(r.st.Effects(s, i))
			}
		}
		r.passOver(r.st.LeaveEffects(s))
		r.join(s, mark)
	}
	return cur | searching | r.left[s.Label]
}
