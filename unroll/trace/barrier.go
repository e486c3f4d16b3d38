package trace

import "gpupipe/idg"

// noGate is the index of the last gate where there is none.
const noGate = -1

// waitsFor reports whether a node waits (control) for the last gate itself: not
// if it depends on the gate's result, or on what came after it.
func (t *Trace) waitsFor(gate int, n recorded, live []bool) bool {
	if gate == noGate {
		return false
	}
	for _, d := range t.deps(n) {
		if int(d)-1 >= gate {
			return false
		}
	}
	for _, d := range t.order(n) {
		if int(d)-1 > gate && live[d-1] {
			return false
		}
	}
	return true
}

// sinkSet holds the instructions since the last barrier that no later one is
// known to wait for: the ones that the next barrier must wait for itself.
type sinkSet struct {
	last    int    // index of the last barrier in the trace, -1 = none
	base    int    // index of the first node since the barrier before
	covered []bool // by index - base: it is dead, or a later instruction waits for it
	store   []bool
}

func (s *sinkSet) reset(barrier int) {
	s.base = barrier + 1
	s.covered, s.store = s.covered[:0], s.store[:0]
}

// add takes notice of the node at index i, which waits for those in from.
func (s *sinkSet) add(i int, edges []idg.Edge, from []int, store bool, complete bool, live bool) {
	if i > s.last {
		return // nobody asks
	}
	for k, d := range from {
		if d >= s.base && d < i && (!complete || edges[k].Kind != idg.Order) {
			s.covered[d-s.base] = true
		}
	}
	s.covered, s.store = append(s.covered, !live), append(s.store, store)
}

// each calls add for what a barrier must wait for.
func (s *sinkSet) each(complete bool, add func(node int, kind idg.EdgeKind)) {
	for i, c := range s.covered {
		if c {
			continue
		}
		kind := idg.Order
		if complete && !s.store[i] {
			kind = idg.Control
		}
		add(s.base+i, kind)
	}
}

// waited reports whether no barrier behind a skip waits for instructions within it
// itself, all of which it would have to name.
func (t *Trace) waited(s *Skip, live []bool, complete bool) bool {
	for i := s.From(); i < s.At; i++ {
		if live[i] && t.at(i).flags&Barrier != 0 {
			return true // which waits for what is before it
		}
	}
	// An instruction that one of the repetition's own or of the next waits for.
	covered := make([]bool, 2*s.Length)
	from := s.From() - s.Length
	cover := func(d int) {
		if d >= from {
			covered[d-from] = true
		}
	}
	gate := noGate
	for i := from; i < s.At; i++ {
		if !live[i] {
			continue
		}
		n := t.at(i)
		for _, d := range t.deps(n) {
			cover(int(d) - 1)
		}
		for _, d := range t.order(n) {
			if !complete && live[d-1] {
				cover(int(d) - 1)
			}
		}
		if t.waitsFor(gate, n, live) {
			cover(gate)
		}
		if n.flags&Gate != 0 {
			gate = i
		}
	}
	for i := range s.Length {
		if live[from+i] && !covered[i] {
			return false
		}
	}
	return true
}

// lastBarrier is the index of the last barrier, -1 if there is none.
func (t *Trace) lastBarrier(live []bool) int {
	for i := t.length - 1; i >= 0; i-- {
		if t.at(i).flags&Barrier != 0 && live[i] {
			return i
		}
	}
	return -1
}
