package unroll

import (
	"gpupipe/idg"
	"gpupipe/lower"
)

// skip stands for repetitions of what was recorded last: they would be between the
// node before at and the one at it. What the passes over the finished trace do
// does not depend on how many repetitions there are, if it is the same for the
// last ones before and the first ones behind (see regular).
type skip struct {
	at       int   // index of the first node behind
	length   int   // nodes of a repetition
	copies   int64 // repetitions that are not recorded
	marks    int   // what loops did in the last repetition that is recorded: marks
	marksEnd int   // from index marks to marksEnd-1
	loop     lower.LoopID

	touch  int     // number of its first access of which the address is recorded, less one
	drifts []int64 // bytes by which its accesses move with each repetition
}

// from is the index of the first node of the last repetition that is recorded.
func (s *skip) from() int { return s.at - s.length }

// skipped is how many nodes are not recorded.
func (t *trace) skipped() (n int64) {
	for i := range t.skips {
		n += t.skips[i].copies * int64(t.skips[i].length)
	}
	return n
}

// startsPass reports whether the repetition begins with a pass of its loop, and
// not in the middle of what earlier skips stand for.
func (t *trace) startsPass(s *skip) bool {
	first := t.marks[s.marks:s.marksEnd]
	if len(first) == 0 || first[0] != (iterationMark{s.from(), iterationBegins}) {
		return false
	}
	n := len(t.skips)
	return n == 0 || t.skips[n-1].at <= s.at-steadyPeriods*s.length
}

// regular reports whether the trace before a skip repeats itself. Once passes have
// been over it, live says which nodes are left, and they must repeat behind the skip
// too.
//
// That suffices. What a pass over the trace does with a node depends on nodes at
// most one repetition before or behind it, and on what the pass has done with these
// (liveness, the width that is needed and the uses of a product go no farther, as
// edges do not). As soon as this is the same over two repetitions, it is for all
// that follow in the pass's direction.
func (t *trace) regular(s *skip, live []bool) bool {
	first, end := s.at-steadyPeriods*s.length, s.from()
	if live != nil {
		end = s.at + steadyPeriods/3*s.length
	}
	if first < 0 || end+s.length > t.length {
		return false
	}
	for i := first; i < end; i++ {
		if live != nil && live[i] != live[i+s.length] {
			return false
		}
		if live != nil && !live[i] {
			continue
		}
		x, y := t.at(i), t.at(i+s.length)
		moves := func(a, b nodeID) bool {
			if a == b {
				return int(a)-1 < first
			}
			return int(b-a) == s.length && int(b)-1 >= i
		}
		if x.kind != y.kind || x.access != y.access || x.lanes != y.lanes || (x.flags^y.flags)&^flagRoot != 0 {
			return false
		}
		if live == nil && !(moves(x.x, y.x) && moves(x.y, y.y)) || !equalSets(t.deps(x), t.deps(y), moves) || !equalSets(t.order(x), t.order(y), moves) {
			return false
		}
	}
	return true
}

func equalSets(x, y []nodeID, equal func(a, b nodeID) bool) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !equal(x[i], y[i]) {
			return false
		}
	}
	return true
}

// waited reports whether no barrier behind a skip waits for instructions within it
// itself, all of which it would have to name.
func (t *trace) waited(s *skip, live []bool, wait BarrierWait) bool {
	last := t.lastBarrier(live)
	if last < s.at {
		return true
	}
	for i := s.from(); i < s.at; i++ {
		if live[i] && t.at(i).flags&flagBarrier != 0 {
			return true // which waits for what is before it
		}
	}
	// An instruction that one of the repetition's own or of the next waits for.
	covered := make([]bool, 2*s.length)
	from := s.from() - s.length
	cover := func(d int) {
		if d >= from {
			covered[d-from] = true
		}
	}
	gate := -1
	for i := from; i < s.at; i++ {
		if !live[i] {
			continue
		}
		n := t.at(i)
		gated := gate < 0
		for _, d := range t.deps(n) {
			cover(int(d) - 1)
			gated = gated || int(d)-1 >= gate
		}
		for _, d := range t.order(n) {
			if wait == WaitIssue && live[d-1] {
				cover(int(d) - 1)
			}
			gated = gated || live[d-1] && int(d)-1 > gate
		}
		if !gated {
			cover(gate)
		}
		if n.flags&flagGate != 0 {
			gate = i
		}
	}
	for i := range s.length {
		if live[from+i] && !covered[i] {
			return false
		}
	}
	return true
}

// lastBarrier is the index of the last barrier, -1 if there is none.
func (t *trace) lastBarrier(live []bool) int {
	for i := t.length - 1; i >= 0; i-- {
		if t.at(i).flags&flagBarrier != 0 && live[i] {
			return i
		}
	}
	return -1
}

// settled reports whether the finished trace is as regular where iterations are
// skipped as it was when it was recorded. If not, its loops are not skipped when
// the warp is resolved again.
func (r *resolver) settled(live []bool) bool {
	ok := true
	for i := range r.trace.skips {
		if s := &r.trace.skips[i]; !r.trace.regular(s, live) || !r.trace.waited(s, live, r.opt.Barrier) {
			r.st.refused[s.loop] = true
			ok = false
		}
	}
	return ok
}

// repetition is what a skip stands for, as it is written to a graph.
type repetition struct {
	code  []repeated
	edges []idg.Edge // of all of it
}

// repeated is a live node of it.
type repeated struct {
	at    int // index in the trace
	class idg.InstrID
	edges int // how many
}

// replay writes the repetitions of a skip: moving edges begin at the id first,
// others stay. A loop that the builder has seen to repeat need not be told all of
// them. It reports false after so many instructions that the builder did not see
// to repeat.
func (t *trace) replay(b *idg.Builder, s *skip, code *repetition, first idg.Executed, budget int64) bool {
	length := int64(len(code.code))
	var edges []idg.Edge
	for n := int64(1); n <= s.copies; n++ {
		marks, depth := t.marks[s.marks:s.marksEnd], 0
		// Repetitions are counted where some pass begins: the builder's need not begin
		// where ours do.
		upTo := func(i int) {
			for ; len(marks) > 0 && marks[0].at <= i; marks = marks[1:] {
				announce(b, marks[:1], i)
				switch marks[0].what {
				case loopBegins:
					depth++
				case loopEnds:
					depth--
				case iterationBegins:
					if depth == 0 && n < s.copies {
						n += b.Again(length, s.copies-n)
					}
				}
			}
		}
		rest := code.edges
		for _, c := range code.code {
			upTo(c.at)
			edges = append(edges[:0], rest[:c.edges]...)
			rest = rest[c.edges:]
			for i := range edges {
				if edges[i].From >= first {
					edges[i].From += idg.Executed(n * length)
				}
			}
			b.Add(c.class, edges...)
		}
		upTo(s.at)
		if budget -= length; budget < 0 {
			return false
		}
	}
	return true
}
