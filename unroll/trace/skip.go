package trace

import (
	"cmp"
	"slices"

	"gpupipe/lower"
)

// Skip stands for repetitions of what was recorded last: they would be between the
// node before at and the one at it. What the passes over the finished trace do
// does not depend on how many repetitions there are, if it is the same for the
// last ones before and the first ones behind (see regular). A repetition may contain
// skips itself.
type Skip struct {
	At       int   // index of the first node behind
	Length   int   // nodes of a repetition
	Copies   int64 // repetitions that are not recorded
	Each     int64 // nodes that a repetition stands for
	Within   int   // skips in a repetition: the ones right before this in the trace's
	marks    int   // what loops did in the last repetition that is recorded: marks
	marksEnd int   // from index marks to marksEnd-1
	Loop     lower.LoopID

	Touch int     // number of its first access of which the address is recorded, less one
	Moves []int64 // bytes by which its accesses move with each repetition
}

// From is the index of the first node of the last repetition that is recorded.
func (s *Skip) From() int { return s.At - s.Length }

// SteadyPeriods must be alike in the trace before and after what is skipped:
// nothing that an instruction waits for, or that the passes over the
// finished trace look at, is farther away.
const SteadyPeriods = 6

// Bookmark is a place in a trace, and what is in front of it.
type Bookmark struct {
	Node, Mark int   // lengths of the trace and of its marks
	Skips      int   // how many it has
	Skipped    int64 // nodes that they stand for
}

// Here is the place behind what has been recorded.
func (t *Trace) Here() Bookmark {
	return Bookmark{Node: t.length, Mark: len(t.marks), Skips: len(t.Skips), Skipped: t.Skipped}
}

// Repetition is a skip behind the repetition between two places.
func (t *Trace) Repetition(from, to Bookmark) Skip {
	return Skip{
		At: to.Node, Length: to.Node - from.Node, Each: int64(to.Node-from.Node) + to.Skipped - from.Skipped,
		Within: to.Skips - from.Skips, marks: from.Mark, marksEnd: to.Mark,
	}
}

// between lists the skips between two nodes, but for those right before the first
// or the last.
func (t *Trace) between(from, end int) []Skip {
	at := func(s Skip, at int) int { return cmp.Compare(s.At, at) }
	i, _ := slices.BinarySearchFunc(t.Skips, from+1, at)
	j, _ := slices.BinarySearchFunc(t.Skips, end, at)
	return t.Skips[i:max(i, j)]
}

// Recurs reports whether a repetition is one of many that are alike, and begins with a pass of
// its loop.
func (t *Trace) Recurs(s *Skip) bool { return t.regular(s, nil) && t.startsPass(s) }

// AddSkip takes notice of a skip behind what has been recorded.
func (t *Trace) AddSkip(s Skip) {
	t.Skips = append(t.Skips, s)
	t.Skipped += s.Copies * s.Each
}

// startsPass reports whether the repetition begins with a pass of its loop, and
// not in the middle of what earlier skips of that loop stand for.
func (t *Trace) startsPass(s *Skip) bool {
	first := t.marks[s.marks:s.marksEnd]
	if len(first) == 0 || first[0] != (iterationMark{uint32(s.From()), IterationBegins}) {
		return false
	}
	return !slices.ContainsFunc(t.between(s.At-SteadyPeriods*s.Length, s.At), func(o Skip) bool {
		return o.Loop == s.Loop
	})
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
func (t *Trace) regular(s *Skip, live []bool) bool {
	first, end := s.At-SteadyPeriods*s.Length, s.From()
	if live != nil {
		end = s.At + SteadyPeriods/3*s.Length
	}
	if first < 0 || end+s.Length > t.length {
		return false
	}
	for i := first; i < end; i += s.Length {
		if !t.skipsAlike(i, s.Length) {
			return false
		}
	}
	for i := first; i < end; i++ {
		if live != nil && live[i] != live[i+s.Length] {
			return false
		}
		if live != nil && !live[i] {
			continue
		}
		x, y := t.at(i), t.at(i+s.Length)
		moves := func(a, b NodeID) bool {
			if a == b {
				return int(a.Node())-1 < first
			}
			return int(b)-int(a) == s.Length && int(b.Node())-1 >= i
		}
		if x.kind != y.kind || x.access != y.access || x.lanes != y.lanes || (x.flags^y.flags)&^Root != 0 {
			return false
		}
		if live == nil && !(moves(x.operand(x.x), y.operand(y.x)) && moves(x.operand(x.y), y.operand(y.y))) {
			return false
		}
		if !equalSets(t.dataSet(x), t.dataSet(y), moves) || !equalSets(t.order(x), t.order(y), moves) {
			return false
		}
	}
	return true
}

// skipsAlike reports whether as much is skipped between so many nodes from an
// index on as between those behind them.
func (t *Trace) skipsAlike(from, length int) bool {
	return slices.EqualFunc(t.between(from, from+length), t.between(from+length, from+2*length), func(x, y Skip) bool {
		return y.At-x.At == length && x.Length == y.Length && x.Copies == y.Copies && x.Each == y.Each &&
			x.Within == y.Within && x.Loop == y.Loop
	})
}

func equalSets(x, y []NodeID, equal func(a, b NodeID) bool) bool {
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

// Irregular lists the loops of which the finished trace is not as regular where iterations are
// skipped as it was when it was recorded; complete as in emit.
func (t *Trace) Irregular(live []bool, complete bool) (loops []lower.LoopID) {
	barrier := t.lastBarrier(live)
	for i := range t.Skips {
		if s := &t.Skips[i]; !t.regular(s, live) || s.At <= barrier && !t.waited(s, live, complete) {
			loops = append(loops, s.Loop)
		}
	}
	return loops
}

// Sign is a hash of what the nodes between two places are, and of the skips among them.
func (t *Trace) Sign(from, to Bookmark) uint64 {
	i, end, skips := from.Node, to.Node, t.Skips[from.Skips:to.Skips]
	const golden = 0x9e3779b97f4a7c15
	h := uint64(end - i)
	for k := range skips {
		s := &skips[k]
		h = (h ^ h>>29 ^ uint64(s.At-i)<<32 ^ uint64(s.Length)) * golden
		h = (h ^ h>>31 ^ uint64(s.Copies)) * golden
	}
	for ; i < end; i++ {
		n := t.at(i)
		h = (h ^ h>>29 ^ uint64(n.kind)<<32 ^ uint64(n.access)<<8 ^ uint64(n.lanes)) * golden
		h = (h ^ h>>31 ^ uint64(n.depLen)<<16 ^ uint64(n.orderLen)) * golden
	}
	return h
}
