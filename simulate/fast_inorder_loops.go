package simulate

// goOn goes on behind the end of a body, or to a loop: the body is executed
// again, or what follows it is.
func (e *inOrder) goOn(w *lane) {
	p := w.program
	after := w.next + 1
	for r := p.inner[w.next]; r != 0; r = p.loops[r-1].parent {
		l := &p.loops[r-1]
		if l.end != after {
			break
		}
		w.left[r-1]--
		if w.left[r-1] > 0 {
			w.next = l.first
			if int(r) < len(p.loops) && p.loops[r].first == l.first {
				w.begin(r + 1)
			}
			e.looped = true
			return
		}
	}
	w.next = after
	w.begin(p.opens[after])
}

// begin begins the repetition r, if it is one, and those that begin where it
// does.
func (w *lane) begin(r uint32) {
	if r == 0 {
		return
	}
	p := w.program
	for first := p.loops[r-1].first; int(r) <= len(p.loops) && p.loops[r-1].first == first; r++ {
		l := &p.loops[r-1]
		w.left[r-1] = l.count
		for _, c := range l.captures {
			number := w.issued - c.off/2
			w.held[c.slot] = heldTime{w.times[(2*w.issued+1-c.off)&uint32(len(w.times)-1)],
				w.classes[number&uint32(len(w.classes)-1)], number}
			w.heldTo = max(w.heldTo, w.held[c.slot].at)
		}
	}
}

// passHeld sets the held times of the barrier that the warp is at.
func (w *lane) passHeld(at Tick) {
	w.heldTo = 0
	for i := range w.held {
		if w.held[i].at == pendingTime {
			w.held[i].at = at
		}
		w.heldTo = max(w.heldTo, w.held[i].at)
	}
}
