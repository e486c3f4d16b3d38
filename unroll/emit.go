package unroll

import "gpupipe/idg"

// emit writes the nodes that stay as the program of a warp. It adds the control
// dependences on gates and what barriers wait for. It reports false if what was
// skipped takes more than budget instructions to write.
func (t *trace) emit(b *idg.Builder, live []bool, warp uint32, wait BarrierWait, budget int64) bool {
	const none = -1
	b.Begin(warp)
	ids := make([]idg.Executed, t.length) // live nodes' ids
	executed := idg.Executed(0)
	gate := none // index of the last gate
	sinks := sinkSet{last: t.lastBarrier(live)}
	var edges []idg.Edge
	var from []int // their indices in the trace
	add := func(d int, kind idg.EdgeKind) {
		edges, from = append(edges, idg.Edge{From: ids[d], Kind: kind}), append(from, d)
	}
	marks, done := t.marks, 0 // of t.marks
	skips := t.skips
	var code repetition
	var moving idg.Executed // the first id that moves along in the next skip
	for i := 0; ; i++ {
		if len(skips) > 0 {
			s := &skips[0]
			if i == s.from()-s.length {
				moving = executed
			}
			if i == s.at {
				announce(b, t.marks[done:s.marksEnd], i)
				done = s.marksEnd
				if !t.replay(b, s, &code, moving, budget) {
					return false
				}
				moved := idg.Executed(s.copies) * idg.Executed(len(code.code))
				for k := s.from() - s.length; k < i; k++ {
					ids[k] += moved
				}
				executed += moved
				code = repetition{}
				skips = skips[1:]
				marks = t.marks[done:]
			}
		}
		marks = announce(b, marks, i)
		done = len(t.marks) - len(marks)
		if i == t.length {
			return true
		}
		if !live[i] {
			sinks.add(i, nil, nil, false, wait, false)
			continue
		}
		n := t.at(i)
		edges, from = edges[:0], from[:0]
		gated := gate == none
		for _, d := range t.deps(n) {
			add(int(d)-1, idg.Data)
			gated = gated || int(d)-1 >= gate
		}
		for _, d := range t.order(n) {
			if live[d-1] {
				add(int(d)-1, idg.Order)
				gated = gated || int(d)-1 > gate
			}
		}
		if !gated {
			add(gate, idg.Control)
		}
		if n.flags&flagBarrier != 0 {
			sinks.each(wait, add)
		}
		class := t.class(b, n)
		if len(skips) > 0 && i >= skips[0].from() {
			code.code = append(code.code, repeated{i, class, len(edges)})
			code.edges = append(code.edges, edges...)
		}
		ids[i] = b.Add(class, edges...)
		executed = ids[i] + 1
		sinks.add(i, edges, from, n.flags&flagStore != 0, wait, true)
		if n.flags&flagGate != 0 {
			gate = i
		}
		if n.flags&flagBarrier != 0 {
			sinks.reset(i)
		}
	}
}

// class returns the instruction class of a node.
func (t *trace) class(b *idg.Builder, n *recorded) idg.InstrID {
	k := t.kinds.of(n.kind)
	if k.class == 0 || k.access != n.access || k.lanes != n.lanes {
		k.access, k.lanes = n.access, n.lanes
		k.class = b.Instr(idg.Instr{Op: k.op, Type: k.typ, Access: n.access, Lanes: n.lanes, Pos: k.pos})
	}
	return k.class
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
func (s *sinkSet) add(i int, edges []idg.Edge, from []int, store bool, wait BarrierWait, live bool) {
	if i > s.last {
		return // nobody asks
	}
	for k, d := range from {
		if d >= s.base && d < i && (wait == WaitIssue || edges[k].Kind != idg.Order) {
			s.covered[d-s.base] = true
		}
	}
	s.covered, s.store = append(s.covered, !live), append(s.store, store)
}

// each calls add for what a barrier must wait for.
func (s *sinkSet) each(wait BarrierWait, add func(node int, kind idg.EdgeKind)) {
	for i, c := range s.covered {
		if c {
			continue
		}
		kind := idg.Order
		if wait == WaitComplete && !s.store[i] {
			kind = idg.Control
		}
		add(s.base+i, kind)
	}
}
