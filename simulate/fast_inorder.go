package simulate

import (
	"context"
	"math/bits"
	"slices"
)

// inOrder is the fast engine for in-order issue. A warp has at most one
// candidate, its next instruction, and at most one event to come.
type inOrder struct {
	machine
	lanes []lane // by place
}

// lane is the state of the warp at a place. What every issue uses comes first
// and fills a cache line.
type lane struct {
	program *orderedProgram
	times   []Tick // by slot: when what the slot stands for ends
	since   Tick   // when its next instruction became ready, or will; while it is parked, when it last issued
	allowed Tick   // issue interval: may issue from here on
	core    *subCore
	next    uint32 // node
	state   laneState

	started Tick   // when its group started
	end     Tick   // the latest end of a final instruction
	class   uint32 // of the instruction that ends last
	rank    uint32 // of that event
	open    int32  // final barriers that it has reached and the group has not
	arrived int32  // barriers that it has reached
	_       [4]Tick
}

// laneState says what a lane waits for.
type laneState uint8

const (
	laneIdle    laneState = iota // no warp, or a warp that has ended
	laneReady                    // its next instruction is ready
	laneWaiting                  // an event at which its next instruction can issue
	laneParked                   // a barrier
	laneEnding                   // an event at which it ends
)

func newInOrder(s *setup) *inOrder {
	e := &inOrder{}
	e.init(s, e)
	e.lanes = make([]lane, e.slots*e.perSlot)
	for place := range e.lanes {
		p := e.ordered(e.byWarp[place%e.perSlot])
		e.lanes[place] = lane{program: p, core: e.coreOf[place], times: make([]Tick, p.slots)}
	}
	return e
}

func (e *inOrder) startWarp(place int) {
	w := &e.lanes[place]
	w.since, w.allowed, w.started, w.end = e.now, e.now, e.now, e.now
	w.next, w.open, w.arrived, w.rank = 0, 0, 0, 0
	if len(w.program.nodes) == 1 {
		e.endWarp(place)
		return
	}
	e.advance(place, w)
	w.core.wake = e.now
}

func (e *inOrder) run(ctx context.Context) error {
	for steps := 0; ; steps++ {
		e.now = e.next()
		if e.now == never {
			return nil
		}
		if steps%stepsPerCheck == 0 || e.now > maxTime || e.refused != nil {
			if err := e.check(ctx); err != nil {
				return err
			}
		}
		if e.now == e.agenda.first {
			e.endEvents()
			if e.finished|e.replaced != 0 {
				e.replace()
				e.skipRepeats()
			}
		}
		if len(e.cores) > 1 {
			e.issueAll()
		} else if c := &e.cores[0]; c.wake <= e.now {
			e.issueCore(c)
		}
	}
}

// endEvents handles the events at this time.
func (e *inOrder) endEvents() {
	for due := e.agenda.pop(); due != 0; due &= due - 1 {
		place := bits.TrailingZeros64(due)
		switch w := &e.lanes[place]; w.state {
		case laneWaiting:
			w.state = laneReady
			e.markReady(w.core, place, w.program.nodes[w.next].subsystem)
		case laneEnding:
			e.table[w.class].waited.add(e.now - w.since)
			e.endWarp(place)
		default:
			e.replaced |= 1 << (place / e.perSlot)
		}
	}
}

func (e *inOrder) endWarp(place int) {
	w := &e.lanes[place]
	w.state = laneIdle
	for k := len(w.program.barriers); k < e.barriers; k++ {
		e.arrive(place/e.perSlot, k)
	}
	e.warpEnds(place, w.started)
}

// advance finds out when the next instruction of a warp is ready. If it is now,
// the warp's sub-core has to be looked at.
func (e *inOrder) advance(place int, w *lane) {
	node := &w.program.nodes[w.next]
	times, needs := w.times, &node.needs
	ready := max(w.since, times[needs[0]], times[needs[1]], times[needs[2]])
	if node.flags&flagMore != 0 {
		for _, d := range w.program.furtherNeeds(w.next) {
			ready = max(ready, times[d.slot])
		}
	}
	if ready > w.since {
		if ready >= pendingTime {
			w.state = laneParked
			return
		}
		e.table[w.cause(node, ready)].waited.add(ready - w.since)
		w.since = ready
	}
	if at := max(ready, w.allowed); at > e.now {
		w.state = laneWaiting
		e.agenda.push(place, at)
		return
	}
	w.state = laneReady
	w.core.ports[node.subsystem].ready |= e.ranks.bit(place)
}

func (p *orderedProgram) furtherNeeds(v uint32) []need {
	return p.more[p.nodes[v].first:p.nodes[v+1].first]
}

// cause is the class of the last of the needed instructions that ended when the
// next one became ready.
func (w *lane) cause(node *orderedNode, ready Tick) uint32 {
	if node.flags&flagMore != 0 {
		for _, d := range slices.Backward(w.program.furtherNeeds(w.next)) {
			if w.times[d.slot] == ready {
				return d.class
			}
		}
	}
	causes := &w.program.causes[w.next]
	for i := fewNeeds - 1; i > 0; i-- {
		if w.times[node.needs[i]] == ready {
			return causes[i]
		}
	}
	return causes[0]
}

// issueAll lets every sub-core issue what it can now, in turn.
func (e *inOrder) issueAll() {
	first := e.turn
	for i := range e.cores {
		k := first + i
		if k >= len(e.cores) {
			k -= len(e.cores)
		}
		if c := &e.cores[k]; c.wake <= e.now {
			e.issueCore(c)
		}
	}
}

// issueCore lets a sub-core issue what it can now.
func (e *inOrder) issueCore(c *subCore) {
	available := uint64(0)
	if c.valve <= e.now {
		available = c.available(e.now)
	}
	for available != 0 {
		place := e.ranks.pick(c, available)
		w := &e.lanes[place]
		p := e.issue(c, place, w)
		if c.valve > e.now {
			break
		}
		// The subsystem is busy now.
		available &^= p.ready | e.ranks.bit(place)
		if w.state == laneReady {
			if q := &c.ports[w.program.nodes[w.next].subsystem]; *q.free <= e.now {
				available |= e.ranks.bit(place)
			}
		}
	}
	c.wake = c.nextWake(^uint64(0))
}

// issue issues the next instruction of a warp and returns the port it took.
func (e *inOrder) issue(c *subCore, place int, w *lane) *fastPort {
	node := &w.program.nodes[w.next]
	class := &e.table[node.class]
	port := &c.ports[node.subsystem]
	port.ready &^= e.ranks.bit(place)
	passed := e.now + class.hold
	*port.free = passed
	c.valve = e.now + e.valve
	e.ranks.issued(c, place)
	if port.shared {
		e.turn = (c.index + 1) % len(e.cores)
	}
	e.issued++
	class.queued.add(e.now - w.since)
	w.since = e.now
	w.allowed = e.now + e.interval
	w.times[node.passed] = passed
	w.times[node.done] = e.now + class.latency
	w.next++
	if node.flags&(flagBarrier|flagFinal) != 0 {
		e.finish(place, w, node)
		if int(w.next) == len(w.program.nodes)-1 { // the last one is always final
			e.end(place, w)
			return port
		}
	}
	e.advance(place, w)
	return port
}

// finish does what only barriers and the last instructions of a warp need.
func (e *inOrder) finish(place int, w *lane, node *orderedNode) {
	if node.flags&flagBarrier == 0 {
		e.prolong(w, node)
		return
	}
	w.times[node.done] = pendingTime
	if node.flags&flagFinal != 0 {
		w.open++
	}
	k := int(w.arrived)
	w.arrived++
	w.state = laneReady // neither parked nor ending, should this be the last arrival
	e.arrive(place/e.perSlot, k)
}

// prolong notes that a final instruction ends its lifetime after now.
func (e *inOrder) prolong(w *lane, node *orderedNode) {
	class := &e.table[node.class]
	at := e.now + class.lifetime
	if at > w.end || at == w.end && class.endRank >= w.rank {
		w.end, w.rank, w.class = at, class.endRank, node.class
	}
}

// end makes the event of the end of a warp that has issued everything.
func (e *inOrder) end(place int, w *lane) {
	if w.open > 0 {
		w.state = laneParked
		return
	}
	w.state = laneEnding
	e.agenda.push(place, w.end)
}

// arrive counts a warp at the k-th barrier of its group. The last one releases
// the others.
func (e *inOrder) arrive(slot, k int) {
	if !e.arrives(slot, k) {
		return
	}
	for place := slot * e.perSlot; place < (slot+1)*e.perSlot; place++ {
		w := &e.lanes[place]
		if k >= len(w.program.barriers) {
			continue
		}
		node := &w.program.nodes[w.program.barriers[k]]
		w.times[node.done] = e.now + e.table[node.class].latency
		if node.flags&flagFinal != 0 {
			w.open--
			e.prolong(w, node)
		}
		switch {
		case w.state != laneParked:
		case int(w.next) < len(w.program.nodes)-1:
			e.advance(place, w)
		default:
			e.end(place, w)
		}
	}
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
		if w.state == laneWaiting || w.state == laneEnding {
			s.time(e.agenda.at[place], e.now)
		}
		if !s.same {
			return
		}
		s.word(int64(w.started - e.now))
		s.time(w.allowed, e.now)
		s.time(w.end, e.now)
		if w.end > e.now {
			s.word(int64(w.class))
			s.word(int64(w.rank))
		}
		s.word(int64(w.open))
		s.word(int64(w.arrived))
		for _, t := range w.times[firstSlot:] {
			s.time(t, e.now)
		}
	}
}

func (e *inOrder) shift(t Tick) {
	for place := range e.lanes {
		w := &e.lanes[place]
		w.since, w.allowed, w.started, w.end = w.since+t, w.allowed+t, w.started+t, w.end+t
		for i := slotNobody; i < len(w.times); i++ {
			if w.times[i] < pendingTime {
				w.times[i] += t
			}
		}
	}
}
