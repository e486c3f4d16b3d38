package unroll

import (
	"fmt"
	"slices"

	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// undecided executes both sides of a branch whose condition is not known, one
// after the other. Lanes are taken to leave an enclosing loop or function only
// when both sides do.
func (r *resolver) undecided(s *lower.If, m laneMask) (end laneMask, leaves bool) {
	regs := r.st.AssignedIn(s)
	before, kept := r.contents(regs), r.keptIn(s)
	keptBefore := contentsOf(kept)
	journal := r.memory.watch()
	defer r.memory.unwatch()
	run := func(part int) (laneMask, *maybeSide) {
		side := &maybeSide{}
		r.maybe = append(r.maybe, side)
		end := r.side(s, part, m)
		r.maybe = r.maybe[:len(r.maybe)-1]
		return end, side
	}
	endThen, then := run(structure.Then)
	if r.stopped() {
		return 0, false
	}
	afterThen, keptThen, cellsThen := r.contents(regs), contentsOf(kept), r.memory.rewind(journal)
	restoreKept(kept, keptBefore)
	for i, reg := range regs {
		r.regs[reg-1] = before[i]
	}
	endElse, els := run(structure.Else)
	if r.stopped() {
		return 0, false
	}
	r.mask = m
	leaves = len(then.leaves)+len(els.leaves) > 0
	if leaves && endThen|endElse == 0 {
		for _, l := range slices.Concat(then.leaves, els.leaves) {
			r.leave(l.label, l.mask, l.continues)
		}
		return 0, false
	}
	for _, l := range slices.Concat(then.leaves, els.leaves) {
		for _, a := range r.loops[r.loopsAt[l.label]:] {
			a.mayExit = a.mayExit || !l.continues
		}
	}
	for i, reg := range regs {
		a, b := afterThen[i], r.regs[reg-1]
		switch {
		case a == nil:
		case b == nil || endElse == 0:
			r.regs[reg-1] = r.opaque(a, r.level)
		case endThen == 0:
			r.regs[reg-1] = r.opaque(b, r.level)
		default:
			r.regs[reg-1] = r.either(a, b)
		}
	}
	mergeKept(kept, keptThen, r.either)
	r.mergeCells(cellsThen, r.memory.journal[journal:])
	return m, leaves
}

// contents returns what variables hold.
func (r *resolver) contents(regs []lower.Reg) []*value {
	out := make([]*value, len(regs))
	for i, reg := range regs {
		out[i] = r.regs[reg-1]
	}
	return out
}

func (r *resolver) noteAssumedBranch(s *lower.If, leaves bool) {
	what := "both sides are executed"
	if leaves {
		what = "no work item is taken to leave here"
	}
	if !r.decisions.news(assumption{at: s, what: what}) {
		return
	}
	r.decisions.assumed(diag.Notef(s.Pos, "ASSUMED-BRANCH", "the condition is not known: %s", what).
		WithNote("%s", oneOf(append([]string{fmt.Sprintf("--branch %s=taken|not-taken", r.st.branchLocation(s.Pos))},
			r.adviseValues(r.sourceLine(s.Pos))...)...)))
}

// branchLocation names the branch at p as --branch does: by its line, with the column where the line has several.
func (s *static) branchLocation(p lower.Pos) string {
	if s.branchColumns == nil {
		s.branchColumns = map[diag.Pos]int{}
		for _, b := range s.k.Branches {
			line := diag.Pos{File: b.Pos.File, Line: b.Pos.Line}
			if c, found := s.branchColumns[line]; found && c != b.Pos.Column {
				s.branchColumns[line] = severalColumns
			} else {
				s.branchColumns[line] = b.Pos.Column
			}
		}
	}
	if s.branchColumns[diag.Pos{File: p.File, Line: p.Line}] == severalColumns {
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	return fmt.Sprint(p.Line)
}

const severalColumns = -1
