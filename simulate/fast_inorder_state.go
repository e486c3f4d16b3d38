package simulate

func (e *inOrder) skipTurns(place, loop int, iterations int64) {
	e.lanes[place].left[loop] -= iterations
}

func (e *inOrder) visit(s *stateWalk) {
	for place := range e.lanes {
		w := &e.lanes[place]
		s.word(int64(w.next))
		s.word(int64(w.state))
		if w.state == laneIdle {
			continue
		}
		s.word(int64(w.since - e.now))
		if w.state == laneRunning || w.state == laneEnding {
			s.time(e.agenda.at[place], e.now)
		}
		if !s.same {
			return
		}
		s.started(w.started, e.now)
		s.time(w.end, e.now)
		if w.end > e.now {
			s.word(int64(w.class))
			s.word(int64(w.rank))
		}
		s.word(int64(w.open))
		s.word(e.reached[place/e.perSlot] - w.arrived)
		if w.program.loops != nil {
			for r := w.program.inner[w.next]; r != 0; r = w.program.loops[r-1].parent {
				s.counter(place, int(r-1), w.left[r-1])
			}
		}
		e.visitRing(s, w)
		for i := range w.held {
			if h := &w.held[i]; h.at > e.now {
				e.visitTime(s, h.at)
				s.word(int64(h.class))
			} else {
				s.word(0)
			}
		}
	}
}

// visitRing shows what has not ended, which is little, and how far back it is.
func (e *inOrder) visitRing(s *stateWalk, w *lane) {
	ring := min(w.issued, w.program.ring)
	s.passed += int64(ring)
	for back := uint32(1); back <= ring; back++ {
		at := 2 * (w.issued - back) & uint32(len(w.times)-1)
		passed, done := w.times[at], w.times[at+1]
		if max(passed, done) <= e.now {
			continue
		}
		s.word(int64(back))
		e.visitTime(s, passed)
		e.visitTime(s, done)
		if w.program.traced && done > e.now {
			s.word(int64(w.classes[(w.issued-back)&uint32(len(w.classes)-1)]))
		}
	}
	s.word(0)
}

// visitTime shows a remembered time.
func (e *inOrder) visitTime(s *stateWalk, t Tick) {
	if t >= pendingTime {
		s.word(-1)
		return
	}
	s.time(t, e.now)
}

func (e *inOrder) shift(t, warps Tick) {
	for place := range e.lanes {
		w := &e.lanes[place]
		w.since, w.started, w.end = w.since+t, w.started+warps, w.end+t
		for i, at := range w.times {
			if at < pendingTime {
				w.times[i] = at + t
			}
		}
		for i := range w.held {
			if w.held[i].at < pendingTime {
				w.held[i].at += t
			}
		}
		if w.heldTo < pendingTime {
			w.heldTo += t
		}
	}
}
