package simulate

// nextBlock goes on when a warp has issued all instructions of its block.
func (e *dataflow) nextBlock(place int, w *flow) {
	b := w.block
	next := b.after
	for i := range b.turns {
		t := &b.turns[i]
		w.left[t.loop]--
		if w.left[t.loop] > 0 {
			next = t.block
			e.looped = true
			break
		}
	}
	if next == noNode {
		if w.open == 0 {
			e.agenda.push(place, w.end)
		}
		return
	}
	for range b.barriers {
		w.pending[w.passed&int64(len(w.pending)-1)] = w.barrier(w.passed)
		w.passed++
	}
	e.startBlock(place, w, next)
}

// startBlock begins a block of a warp, of which nothing is left to issue.
func (e *dataflow) startBlock(place int, w *flow, id uint32) {
	b := &w.program.blocks[id]
	w.block, w.id, w.base, w.size = b, id, w.base+w.size, uint32(len(b.preds))
	w.unissued = int32(w.size)
	w.waits, w.rounds = append(w.waits[:0], b.preds...), append(w.rounds[:0], b.rounds...)
	for _, v := range b.roots {
		e.makeReady(place, w, v, b.nodes[v].subsystem, b.nodes[v].class)
	}
	if w.program.ring > 0 {
		e.awaitOuter(place, w)
	}
	for i := range b.enters {
		w.left[b.enters[i].loop] = b.enters[i].count
	}
}

// outerMemory is what a warp remembers of what was issued in earlier blocks.
type outerMemory struct {
	ring []outerInstr
	next []uint32    // by index in flowBlock.outer: the next one that waits for the same, plus 1; 0 = none
	held []heldInstr // at 2·i the i-th held dependence, behind it that of the loop's execution before
	open int         // of those, how many have not ended
	gone outerInstr  // stands for an instruction that is not in the ring
}

// outerInstr is an instruction. Done and passed are endedOuter when its Λ and
// its λ are over; before, the dependence of the current block that waits for this, as an
// index in flowBlock.outer plus 1, or 0.
type outerInstr struct{ number, class, done, passed uint32 }

const endedOuter = ^uint32(0)

// heldInstr is what a held dependence is on.
type heldInstr struct {
	number, class uint32
	waiting       uint32 // as outerInstr.done
	order         bool
}

func (e *dataflow) newOuterMemory(place int) outerMemory {
	var ring uint32
	var outer, held int
	for i := range e.kinds {
		p := e.kinds[i].byWarp[place%e.perSlot].flow
		ring, outer, held = max(ring, p.ring), max(outer, p.outer), max(held, p.held)
	}
	m := outerMemory{
		ring: make([]outerInstr, ring), next: make([]uint32, outer), held: make([]heldInstr, 2*held),
		gone: outerInstr{done: endedOuter, passed: endedOuter},
	}
	// else a place never used would be instruction 0, which iterations that are skipped can lead back to
	for i := range m.ring {
		m.ring[i] = m.gone
	}
	return m
}

// reset empties the memory for a program. What the ring has of the warp before
// is known by its numbers.
func (m *outerMemory) reset(p *flowProgram) {
	m.ring, m.held, m.open = m.ring[:p.ring], m.held[:2*p.held], 0
	for i := range m.held {
		m.held[i].waiting = endedOuter
	}
}

func (m *outerMemory) at(number uint32) *outerInstr { return &m.ring[number&uint32(len(m.ring)-1)] }

// of is what is remembered of an instruction that was issued. Where iterations have been
// skipped since (skipTurns), which do not count in the numbers, it may be another one,
// or none: then it has ended, for what has not ended is part of the state, and
// so is at its place.
func (m *outerMemory) of(number uint32) *outerInstr {
	if o := m.at(number); o.number == number {
		return o
	}
	return &m.gone
}

// waiting is what tells whether the Λ, or with order the λ, of an instruction is over.
func (o *outerInstr) waiting(order bool) *uint32 {
	if order {
		return &o.passed
	}
	return &o.done
}

// awaitOuter lets the instructions of a block that begins wait for what earlier
// blocks have issued and what has not ended.
func (e *dataflow) awaitOuter(place int, w *flow) {
	b, m := w.block, &w.outer
	for _, v := range b.kept {
		o := outerInstr{number: w.base + v, class: b.nodes[v].class}
		if b.nodes[v].flags&flagDone == 0 {
			o.done = endedOuter // there is no event
		}
		if b.nodes[v].flags&flagPassed == 0 {
			o.passed = endedOuter
		}
		*m.at(o.number) = o
	}
	for i := range b.outer {
		o := &b.outer[i]
		var waiting *uint32
		if o.held {
			waiting = &m.held[2*o.back].waiting
		} else {
			waiting = m.of(w.base - o.back).waiting(o.order)
		}
		if *waiting != endedOuter {
			m.next[i], *waiting = *waiting, uint32(i+1)
		} else if w.take(&o.flowEnd) && (o.flags&flagMany == 0 || !w.another(o.node)) {
			e.makeReady(place, w, o.node, o.subsystem, b.nodes[o.node].class)
		}
	}
	for i := range b.enters {
		for _, h := range b.enters[i].holds {
			w.hold(h)
		}
	}
}

// hold begins to hold a dependence over a loop that begins.
func (w *flow) hold(h heldProducer) {
	m := &w.outer
	now, before := &m.held[2*h.held], &m.held[2*h.held+1]
	*before = *now // what was there has ended: the loop has been left since
	*now = heldInstr{number: w.base + h.at, order: h.order}
	if h.inner {
		now.class = w.block.nodes[h.at].class
	} else {
		o := m.of(now.number)
		now.class = o.class
		if *o.waiting(h.order) == endedOuter {
			now.waiting = endedOuter
			return
		}
	}
	m.open++
}

// endOuter handles the end of the Λ, or with order of the λ, of an instruction that
// later blocks may wait for. The warp may have ended since.
func (e *dataflow) endOuter(w *flow, d *delayed, order bool) {
	m := &w.outer
	if len(m.ring) == 0 {
		return
	}
	if o := m.at(d.number); o.number == d.number {
		waiting := o.waiting(order)
		first := *waiting
		*waiting = endedOuter
		e.satisfyOuter(w, uint32(d.place), first, o.class)
	}
	if m.open == 0 {
		return
	}
	for i := range m.held {
		if h := &m.held[i]; h.waiting != endedOuter && h.number == d.number && h.order == order {
			first := h.waiting
			h.waiting = endedOuter
			m.open--
			e.satisfyOuter(w, uint32(d.place), first, h.class)
		}
	}
}

// satisfyOuter takes dependences off those that wait for an instruction of an
// earlier block, first and so on.
func (e *dataflow) satisfyOuter(w *flow, place, first, cause uint32) {
	for i := first; i != 0; i = w.outer.next[i-1] {
		if o := &w.block.outer[i-1]; w.take(&o.flowEnd) && (o.flags&flagMany == 0 || !w.another(o.node)) {
			e.makeReady(int(place), w, o.node, o.subsystem, cause)
		}
	}
}
