package simulate

func (e *dataflow) visit(s *stateWalk) {
	for place := range e.flows {
		w := &e.flows[place]
		if !w.live {
			s.word(-1)
			continue
		}
		within := w.block.within
		if k := w.walk; k != nil {
			k.findFirst()
			s.word(int64(k.size - k.first))
			s.word(int64(k.next))
			within = w.program.blocks[k.blocks[len(k.blocks)-1].id].within
		}
		s.word(int64(w.id))
		s.word(int64(w.unissued))
		s.word(int64(w.count))
		s.word(int64(w.open))
		s.word(e.reached[place/e.perSlot] - w.passed)
		s.word(int64(w.since - e.now))
		s.started(w.started, e.now)
		s.time(w.allowed, e.now)
		s.time(w.end, e.now)
		if w.end > e.now {
			s.word(int64(w.class))
			s.word(int64(w.rank))
		}
		for _, r := range within {
			s.counter(place, int(r), w.left[r])
		}
		if !s.same {
			return
		}
	}
	e.futures.visit(s, e.now, e.visitEvent)
	for place := range e.flows {
		w := &e.flows[place]
		if !w.live || !s.same {
			continue
		}
		if w.walk != nil {
			w.visitWalk(s)
			continue
		}
		s.block(w.waits)
		for _, r := range w.rounds {
			s.word(int64(r))
		}
		for _, x := range w.ready.words {
			s.word(int64(x))
		}
		for i := range w.outer.held {
			if h := &w.outer.held[i]; h.waiting != endedOuter {
				s.word(int64(h.number - w.base))
				s.word(int64(h.class))
			} else {
				s.word(-1)
			}
		}
	}
}

// visitEvent shows which instruction an event is of. What has not ended in the
// ring follows from the events, but for the classes.
func (e *dataflow) visitEvent(s *stateWalk, d *delayed) {
	w := &e.flows[d.place]
	v := d.number - w.base
	if w.walk != nil {
		v = w.walk.visitNumber(v)
	}
	s.word(int64(d.place)<<32 | int64(v))
	if v >= w.size && len(w.outer.ring) > 0 {
		if o := w.outer.at(d.number); o.number == d.number {
			s.word(int64(o.class))
		}
	}
}

func (e *dataflow) skipTurns(place, loop int, iterations int64) {
	e.flows[place].left[loop] -= iterations
}

func (e *dataflow) shift(t, warps Tick) {
	for place := range e.flows {
		w := &e.flows[place]
		w.since, w.started, w.allowed, w.end = w.since+t, w.started+warps, w.allowed+t, w.end+t
	}
	e.futures.shift(t)
}
