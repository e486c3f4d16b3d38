package trace

import "gpupipe/idg"

// Emit writes the nodes that stay as the program of a warp. It adds the control
// dependences on gates and what barriers wait for: that instructions are complete, or that
// they have been issued. It reports false if what was
// skipped takes more than budget instructions to write.
func (t *Trace) Emit(b *idg.Builder, live []bool, warp uint32, complete bool, budget int64) bool {
	b.Begin(warp)
	ids := make([]idg.Executed, t.length) // of live nodes (their lower halves), and of the next live one for others
	executed := idg.Executed(0)
	gate := noGate // index of the last one
	sinks := sinkSet{last: t.lastBarrier(live)}
	var edges []idg.Edge
	var from []int // their indices in the trace
	add := func(d int, kind idg.EdgeKind) {
		edges, from = append(edges, idg.Edge{From: ids[d], Kind: kind}), append(from, d)
		if t.twice(d) {
			edges, from = append(edges, idg.Edge{From: ids[d] + 1, Kind: kind}), append(from, d)
		}
	}
	marks, done := t.marks, 0 // of t.marks
	replay, next := newReplay(t, b, budget), 0
	for i := 0; ; i++ {
		if next < len(t.Skips) && t.Skips[next].At == i {
			s := &t.Skips[next]
			announce(b, t.marks[done:s.marksEnd], i)
			done = s.marksEnd
			marks = t.marks[done:]
			length := executed - ids[s.From()]
			if !replay.reached(next, int64(length), ids[s.From()-s.Length]) {
				return false
			}
			moved := idg.Executed(s.Copies) * length
			for k := s.From() - s.Length; k < i; k++ {
				ids[k] += moved
			}
			executed += moved
			next++
		}
		marks = announce(b, marks, i)
		done = len(t.marks) - len(marks)
		if i == t.length {
			return true
		}
		ids[i] = executed
		if !live[i] {
			sinks.add(i, nil, nil, false, complete, false)
			continue
		}
		n := t.at(i)
		edges, from = edges[:0], from[:0]
		for _, d := range t.dataSet(n) {
			kind := idg.Data
			if n.flags&Waits != 0 || d.isEarlier() {
				kind = idg.Control
			}
			add(int(d.Node())-1, kind)
		}
		for _, d := range t.order(n) {
			if live[d-1] {
				add(int(d)-1, idg.Order)
			}
		}
		if t.waitsFor(gate, n, live) {
			add(gate, idg.Control)
		}
		if n.flags&Barrier != 0 {
			sinks.each(complete, add)
		}
		sinks.add(i, edges, from, n.flags&Store != 0, complete, true)
		write := func(kind kindID) {
			class := t.class(b, kind, n)
			replay.note(next, i, class, edges)
			b.Add(class, edges...)
			executed++
		}
		if t.twice(i) {
			h := t.halves[n.kind-1]
			if write(h.kind); h.carries {
				edges = append(edges[:0], idg.Edge{From: executed - 1, Kind: idg.Data})
			}
			write(h.kind)
		} else {
			write(n.kind)
		}
		if n.flags&Gate != 0 {
			gate = i
		}
		if n.flags&Barrier != 0 {
			sinks.reset(i)
		}
	}
}

// ClassAt returns the instruction class of the node at an index.
func (t *Trace) ClassAt(b *idg.Builder, i int) idg.InstrID {
	n := t.at(i)
	return t.class(b, n.kind, n)
}

// class returns the instruction class of a node as one of a kind.
func (t *Trace) class(b *idg.Builder, kind kindID, n recorded) idg.InstrID {
	k := t.kinds.of(kind)
	if k.class == 0 || k.access != n.access || k.lanes != n.lanes {
		k.access, k.lanes = n.access, n.lanes
		k.class = b.Instr(idg.Instr{Op: k.op, Type: k.typ, Access: n.access, Lanes: n.lanes, Pos: k.pos})
	}
	return k.class
}
