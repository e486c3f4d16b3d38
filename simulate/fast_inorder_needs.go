package simulate

// ready is when the next instruction of a warp is ready, and, as a set of bits, which
// of the needs in its node ended then.
//
// It is a call because the compiler makes branches, not conditional moves, of a
// maximum from which an address is computed, as the bucket of the agenda is.
//
//go:noinline
func (w *lane) ready(node *orderedNode) (Tick, uint) {
	if node.flags&(flagFree|flagMore|flagHeld) != 0 {
		return w.readyUnusual(node)
	}
	return w.readyUsual(node)
}

// readyUsual is ready for nodes that hold all needs.
func (w *lane) readyUsual(node *orderedNode) (Tick, uint) {
	times, at := w.times, 2*w.issued
	mask := uint32(len(times) - 1)
	a, b, c := times[(at-node.needs[0])&mask], times[(at-node.needs[1])&mask], times[(at-node.needs[2])&mask]
	last, which := max(w.since, a, b, c), uint(0)
	if a == last {
		which |= 1
	}
	if b == last {
		which |= 2
	}
	if c == last {
		which |= 4
	}
	return last, which & uint(node.few)
}

// readyUnusual is ready for nodes that hold none, or not all.
func (w *lane) readyUnusual(node *orderedNode) (Tick, uint) {
	ready, ends := w.since, uint(0)
	if node.flags&flagFree == 0 {
		ready, ends = w.readyUsual(node)
	}
	if node.flags&flagMore != 0 || node.flags&flagHeld != 0 && w.heldTo >= ready {
		return max(ready, w.further(node)), 0
	}
	return ready, ends
}

// further is when the last of the further needs of the next instruction ends.
func (w *lane) further(node *orderedNode) Tick {
	p, at, mask, last := w.program, 2*w.issued, uint32(len(w.times)-1), Tick(0)
	list := p.more[node.first:p.nodes[w.next+1].first]
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
	if ends != 0 && ends&(ends-1) == 0 {
		if node.flags&flagUnsure == 0 {
			return uint32(node.causes[ends>>1])
		}
		back := (node.needs[ends>>1] + 1) / 2
		return w.classes[(w.issued-back)&uint32(len(w.classes)-1)]
	}
	return e.causeOfSeveral(w, ready)
}

// needs visits all that the next instruction of a warp needs, and when that
// ends.
func (w *lane) needs(visit func(d need, ends Tick) bool) {
	p, at, mask := w.program, 2*w.issued, uint32(len(w.times)-1)
	node := &p.nodes[w.next]
	if node.flags&flagFree == 0 {
		for i, off := range node.needs {
			// The last bit tells order dependences: their offsets are odd.
			class := uint32(node.causes[i])
			if node.flags&flagUnsure != 0 {
				class = anyClass
			}
			if !visit(need{off: off, class: class, order: off&1 != 0}, w.times[(at-off)&mask]) {
				return
			}
		}
	}
	if node.flags&(flagMore|flagHeld) == 0 {
		return
	}
	for _, d := range p.more[node.first:p.nodes[w.next+1].first] {
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
// when the next one became ready: in the order of events at that time, then in
// program order.
func (e *inOrder) causeOfSeveral(w *lane, ready Tick) uint32 {
	var class, rank, nearest uint32
	for d, t := range w.needs {
		if t != ready {
			continue
		}
		c, back := d.class, (d.off+1)/2
		switch {
		case d.held:
			h := &w.held[d.off]
			c, back = h.class, w.issued-h.number
		case c == anyClass:
			c = w.classes[(w.issued-back)&uint32(len(w.classes)-1)]
		}
		r := e.order[c].done
		if d.order {
			r = e.order[c].passed
		}
		if nearest == 0 || r > rank || r == rank && back < nearest {
			class, rank, nearest = c, r, back
		}
	}
	return class
}
