package simulate

import "math/bits"

// ready is when the next instruction of a warp is ready, and, as a set of bits, which
// of the needs in its node ended then.
func (w *lane) ready(node *orderedNode) (Tick, uint) {
	if node.flags&(flagFree|flagMore|flagHeld) != 0 {
		return w.readyUnusual(node)
	}
	return w.readyUsual(node)
}

// readyUsual is ready for nodes that hold all needs.
func (w *lane) readyUsual(node *orderedNode) (Tick, uint) {
	times, at := w.times, 2*(w.issued-1)|1
	mask := uint32(len(times) - 1)
	a, b, c := times[(at-uint32(node.needs[0]))&mask], times[(at-uint32(node.needs[1]))&mask],
		times[(at-uint32(node.needs[2]))&mask]
	last := max(w.since, a, b, c)
	return last, equal(a, last) | equal(b, last)<<1 | equal(c, last)<<2
}

// equal is 1 if both are, else 0.
func equal(a, b Tick) uint {
	one := uint(0)
	if a == b {
		one = 1
	}
	return one
}

// readyUnusual is ready for nodes that hold none, or not all.
func (w *lane) readyUnusual(node *orderedNode) (Tick, uint) {
	ready, ends := w.since, uint(0)
	if node.flags&flagFree == 0 {
		ready, ends = w.readyUsual(node)
	}
	if node.flags&flagMore != 0 || node.flags&flagHeld != 0 && w.heldTo >= ready {
		return max(ready, w.further()), 0
	}
	return ready, ends
}

// further are the needs of an instruction that its node does not hold.
func (p *orderedProgram) further(node uint32) []need { return p.more[p.first[node]:p.first[node+1]] }

// further is when the last of the further needs of the next instruction ends.
func (w *lane) further() Tick {
	at, mask, last := 2*w.issued+1, uint32(len(w.times)-1), Tick(0)
	list := w.program.further(w.next)
	for i := range list {
		if d := &list[i]; d.held {
			last = max(last, w.held[d.off].at)
		} else {
			last = max(last, w.times[(at-d.off)&mask])
		}
	}
	return last
}

// cause is the class of the needed instruction that ended last when the next one
// became ready.
func (e *inOrder) cause(w *lane, node *orderedNode, ready Tick, ends uint) uint32 {
	switch {
	case ends == 0:
	case node.flags&flagUnsure == 0:
		return uint32(node.causes[ends&(1<<fewNeeds-1)])
	case ends&(ends-1) == 0:
		back := uint32(node.needs[bits.TrailingZeros(ends)])/2 + 1
		return w.classes[(w.issued-back)&uint32(len(w.classes)-1)]
	}
	return e.causeOfSeveral(w, ready)
}

// needs visits all that the next instruction of a warp needs, and when that
// ends.
func (w *lane) needs(visit func(d need, ends Tick) bool) {
	p, at, mask := w.program, 2*w.issued+1, uint32(len(w.times)-1)
	node := &p.nodes[w.next]
	if node.flags&flagFree == 0 {
		for i, near := range node.needs {
			off := uint32(near) + 2
			class := uint32(node.causes[1<<i])
			if node.flags&flagUnsure != 0 {
				class = anyClass
			}
			// The last bit tells order dependences: their offsets are odd.
			if !visit(need{off: off, class: class, order: off&1 != 0}, w.times[(at-off)&mask]) {
				return
			}
		}
	}
	if node.flags&(flagMore|flagHeld) == 0 {
		return
	}
	for _, d := range p.further(w.next) {
		t := Tick(0)
		if d.held {
			t = w.held[d.off].at
		} else {
			t = w.times[(at-d.off)&mask]
		}
		if !visit(d, t) {
			return
		}
	}
}

// causeOfSeveral is the class of the last of the needed instructions that ended
// when the next one became ready.
func (e *inOrder) causeOfSeveral(w *lane, ready Tick) uint32 {
	var last lastNeed
	for d, t := range w.needs {
		if t != ready {
			continue
		}
		class, back := d.class, d.off/2
		switch {
		case d.held:
			h := &w.held[d.off]
			class, back = h.class, w.issued-h.number
		case class == anyClass:
			class = w.classes[(w.issued-back)&uint32(len(w.classes)-1)]
		}
		last.look(e.events[class], d.order, class, back)
	}
	return last.class
}

// lastNeed is the last of several needs that end at one time: in the order of
// events at that time, then in program order.
type lastNeed struct{ class, rank, back uint32 }

// look looks at a need: on an instruction of that class, so far back.
func (l *lastNeed) look(r eventRank, order bool, class, back uint32) {
	rank := r.of(order)
	if l.back == 0 || rank > l.rank || rank == l.rank && back < l.back {
		*l = lastNeed{class, rank, back}
	}
}
