package unroll

import (
	"cmp"
	"slices"

	"gpupipe/lower"
)

// skip stands for repetitions of what was recorded last: they would be between the
// node before at and the one at it. What the passes over the finished trace do
// does not depend on how many repetitions there are, if it is the same for the
// last ones before and the first ones behind (see regular). A repetition may contain
// skips itself.
type skip struct {
	at       int   // index of the first node behind
	length   int   // nodes of a repetition
	copies   int64 // repetitions that are not recorded
	each     int64 // nodes that a repetition stands for
	within   int   // skips in a repetition: the ones right before this in the trace's
	marks    int   // what loops did in the last repetition that is recorded: marks
	marksEnd int   // from index marks to marksEnd-1
	loop     lower.LoopID

	touch int     // number of its first access of which the address is recorded, less one
	moves []int64 // bytes by which its accesses move with each repetition
}

// from is the index of the first node of the last repetition that is recorded.
func (s *skip) from() int { return s.at - s.length }

// steadyPeriods must be alike in the trace before and after what is skipped:
// nothing that an instruction waits for, or that the passes over the
// finished trace look at, is farther away.
const steadyPeriods = 6

// bookmark is a place in a trace, and what is in front of it.
type bookmark struct {
	node, mark int   // lengths of the trace and of its marks
	skips      int   // how many it has
	skipped    int64 // nodes that they stand for
}

// here is the place behind what has been recorded.
func (t *trace) here() bookmark {
	return bookmark{node: t.length, mark: len(t.marks), skips: len(t.skips), skipped: t.skipped}
}

// repetition is a skip behind the repetition between two places.
func (t *trace) repetition(from, to bookmark) skip {
	return skip{
		at: to.node, length: to.node - from.node, each: int64(to.node-from.node) + to.skipped - from.skipped,
		within: to.skips - from.skips, marks: from.mark, marksEnd: to.mark,
	}
}

// between lists the skips between two nodes, but for those right before the first
// or the last.
func (t *trace) between(from, end int) []skip {
	at := func(s skip, at int) int { return cmp.Compare(s.at, at) }
	i, _ := slices.BinarySearchFunc(t.skips, from+1, at)
	j, _ := slices.BinarySearchFunc(t.skips, end, at)
	return t.skips[i:max(i, j)]
}

// recurs reports whether a repetition is one of many that are alike, and begins with a pass of
// its loop.
func (t *trace) recurs(s *skip) bool { return t.regular(s, nil) && t.startsPass(s) }

// skip takes notice of a skip behind what has been recorded.
func (t *trace) skip(s skip) {
	t.skips = append(t.skips, s)
	t.skipped += s.copies * s.each
}

// startsPass reports whether the repetition begins with a pass of its loop, and
// not in the middle of what earlier skips of that loop stand for.
func (t *trace) startsPass(s *skip) bool {
	first := t.marks[s.marks:s.marksEnd]
	if len(first) == 0 || first[0] != (iterationMark{uint32(s.from()), iterationBegins}) {
		return false
	}
	return !slices.ContainsFunc(t.between(s.at-steadyPeriods*s.length, s.at), func(o skip) bool { return o.loop == s.loop })
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
	for i := first; i < end; i += s.length {
		if !t.skipsAlike(i, s.length) {
			return false
		}
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
		if live == nil && !(moves(x.operand(x.x), y.operand(y.x)) && moves(x.operand(x.y), y.operand(y.y))) || !equalSets(t.deps(x), t.deps(y), moves) || !equalSets(t.order(x), t.order(y), moves) {
			return false
		}
	}
	return true
}

// skipsAlike reports whether as much is skipped between so many nodes from an
// index on as between those behind them.
func (t *trace) skipsAlike(from, length int) bool {
	return slices.EqualFunc(t.between(from, from+length), t.between(from+length, from+2*length), func(x, y skip) bool {
		return y.at-x.at == length && x.length == y.length && x.copies == y.copies && x.each == y.each && x.within == y.within && x.loop == y.loop
	})
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

// irregular lists the loops of which the finished trace is not as regular where iterations are
// skipped as it was when it was recorded; complete as in emit.
func (t *trace) irregular(live []bool, complete bool) (loops []lower.LoopID) {
	barrier := t.lastBarrier(live)
	for i := range t.skips {
		if s := &t.skips[i]; !t.regular(s, live) || s.at <= barrier && !t.waited(s, live, complete) {
			loops = append(loops, s.loop)
		}
	}
	return loops
}

// sign is a hash of what the nodes between two places are, and of the skips among them.
func (t *trace) sign(from, to bookmark) uint64 {
	i, end, skips := from.node, to.node, t.skips[from.skips:to.skips]
	const golden = 0x9e3779b97f4a7c15
	h := uint64(end - i)
	for k := range skips {
		s := &skips[k]
		h = (h ^ h>>29 ^ uint64(s.at-i)<<32 ^ uint64(s.length)) * golden
		h = (h ^ h>>31 ^ uint64(s.copies)) * golden
	}
	for ; i < end; i++ {
		n := t.at(i)
		h = (h ^ h>>29 ^ uint64(n.kind)<<32 ^ uint64(n.access)<<8 ^ uint64(n.lanes)) * golden
		h = (h ^ h>>31 ^ uint64(n.depLen)<<16 ^ uint64(n.orderLen)) * golden
	}
	return h
}
