package simulate

import (
	"context"
	"math/bits"
)

// inOrder is the fast engine for in-order issue. A warp has at most one
// candidate, its next instruction, and at most one event to come.
type inOrder struct {
	machine
	lanes []lane      // by place
	order []eventRank // by classID
}

// lane is the state of the warp at a place. What every issue uses comes first
// and fills a cache line.
type lane struct {
	program *orderedProgram
	times   []Tick // the ring: when the i-th executed instruction completed, at 2i, and its λ had passed, at 2i+1
	since   Tick   // when its next instruction became ready, or will; while it is parked, when it last issued
	allowed Tick   // issue interval: may issue from here on
	next    uint32 // node
	issued  uint32 // executed number of that, modulo 2^32
	state   laneState

	core    *subCore
	classes []uint32 // ring, if the program is traced
	held    []heldTime
	left    []int64 // by repetition: executions of the body to come, the current one included
	started Tick    // when its group started
	end     Tick    // the latest end of a final instruction
	class   uint32  // of the instruction that ends last
	rank    uint32  // of that event
	open    int32   // final barriers that it has reached and the group has not
	barrier uint32  // node of the barrier reached last
	arrived int64   // barriers that it has reached
}

// heldTime is a time that was copied from the ring, with the class and the
// executed number (modulo 2^32) of its instruction.
type heldTime struct {
	at            Tick
	class, number uint32
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
	e.order = e.eventRanks()
	e.setBarriers(s.work.openBarriers(func(p *program) bool { return p.ordered.free }))
	e.lanes = make([]lane, e.slots*e.perSlot)
	for place := range e.lanes {
		var ring, traced uint32
		var held, loops int
		for i := range e.kinds {
			p := e.kinds[i].byWarp[place%e.perSlot].ordered
			ring, held, loops = max(ring, p.ring), max(held, p.held), max(loops, len(p.loops))
			if p.traced {
				traced = max(traced, p.ring)
			}
		}
		e.lanes[place] = lane{
			core: e.coreOf[place], times: make([]Tick, 2*ring), classes: make([]uint32, traced),
			held: make([]heldTime, held), left: make([]int64, loops),
		}
	}
	return e
}

func (e *inOrder) startWarp(place int) {
	w := &e.lanes[place]
	w.since, w.allowed, w.started, w.end = e.now, e.now, e.now, e.now
	w.next, w.issued, w.open, w.arrived, w.rank = 0, 0, 0, 0, 0
	p := e.programOf(place).ordered
	w.program, w.times = p, w.times[:2*p.ring]
	if p.traced {
		w.classes = w.classes[:p.ring]
	}
	if len(p.nodes) == 1 {
		e.endWarp(place)
		return
	}
	if p.loops != nil {
		w.begin(p.opens[0])
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
				e.looped = true
			}
		}
		if len(e.cores) > 1 {
			e.issueAll()
		} else if c := &e.cores[0]; c.wake <= e.now {
			e.issueCore(c)
		}
		if e.looped {
			e.looped = false
			e.skipRepeats()
		}
	}
}

func (e *inOrder) skipTurns(place, loop int, iterations int64) {
	e.lanes[place].left[loop] -= iterations
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
	e.leave(place, w.arrived, e.release)
	e.warpEnds(place, w.started)
}

// advance finds out when the next instruction of a warp is ready. If it is now,
// the warp's sub-core has to be looked at.
func (e *inOrder) advance(place int, w *lane) {
	node := &w.program.nodes[w.next]
	ready := w.since
	if node.flags&flagFree == 0 {
		times, at, needs := w.times, 2*w.issued, &node.needs
		mask := uint32(len(times) - 1)
		ready = max(ready, times[(at-needs[0])&mask], times[(at-needs[1])&mask], times[(at-needs[2])&mask])
	}
	if node.flags&flagMore != 0 {
		ready = max(ready, w.further(node))
	}
	if ready > w.since {
		if ready >= pendingTime {
			w.state = laneParked
			return
		}
		e.table[e.cause(w, node, ready)].waited.add(ready - w.since)
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
func (e *inOrder) cause(w *lane, node *orderedNode, ready Tick) uint32 {
	if node.flags&flagMore == 0 {
		times, at, needs := w.times, 2*w.issued, &node.needs
		mask := uint32(len(times) - 1)
		found := -1
		for i := fewNeeds - 1; i >= 0; i-- {
			if times[(at-needs[i])&mask] != ready {
				continue
			}
			if found >= 0 && needs[i] != needs[found] {
				return e.causeOfSeveral(w, ready)
			}
			found = i
		}
		if class := w.program.causes[w.next][found]; class != anyClass {
			return class
		}
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
			if !visit(need{off: off, class: p.causes[w.next][i], order: off&1 != 0}, w.times[(at-off)&mask]) {
				return
			}
		}
	}
	if node.flags&flagMore == 0 {
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
	done := e.now + class.latency
	if node.flags&(flagLoaded|flagBarrier) != 0 {
		done = e.completes(w, node)
	}
	times, at := w.times, 2*w.issued
	mask := uint32(len(times) - 1)
	times[at&mask] = done
	times[(at+1)&mask] = passed
	if w.program.traced {
		w.classes[w.issued&uint32(len(w.classes)-1)] = node.class
	}
	w.issued++
	if node.flags&flagTurn != 0 {
		e.goOn(w)
	} else {
		w.next++
	}
	if node.flags&(flagBarrier|flagFinal|flagOutlasts) != 0 {
		if node.flags&flagOutlasts == 0 {
			e.finish(place, w, node)
		}
		if int(w.next) == len(w.program.nodes)-1 { // the last one is always one of these
			e.end(place, w)
			return port
		}
	}
	e.advance(place, w)
	return port
}

// completes returns when an instruction completes that is issued now: a barrier,
// or an access whose latency depends on the load.
func (e *inOrder) completes(w *lane, node *orderedNode) Tick {
	if node.flags&flagBarrier != 0 {
		w.barrier = w.next
		return pendingTime
	}
	at := e.now + e.accesses(node.class)
	if node.flags&flagOutlasts != 0 {
		e.prolong(w, node.class, at)
	}
	return at
}

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
			number := w.issued - (c.off+1)/2
			w.held[c.slot] = heldTime{w.times[(2*w.issued-c.off)&uint32(len(w.times)-1)], w.classes[number&uint32(len(w.classes)-1)], number}
		}
	}
}

// finish does what only barriers and the last instructions of a warp need.
func (e *inOrder) finish(place int, w *lane, node *orderedNode) {
	if node.flags&flagBarrier == 0 {
		e.prolong(w, node.class, e.now+e.table[node.class].lifetime)
		return
	}
	if node.flags&flagFinal != 0 {
		w.open++
	}
	k := w.arrived
	w.arrived++
	w.state = laneReady // neither parked nor ending, should this be the last arrival
	if slot := place / e.perSlot; e.arrives(slot, k) {
		e.release(slot, k)
	}
}

// prolong notes that a final instruction ends then.
func (e *inOrder) prolong(w *lane, id uint32, at Tick) {
	rank := e.table[id].endRank
	if at > w.end || at == w.end && rank >= w.rank {
		w.end, w.rank, w.class = at, rank, id
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

// release lets the warps of a group pass their k-th barrier, which all have
// reached.
func (e *inOrder) release(slot int, k int64) {
	for place := slot * e.perSlot; place < (slot+1)*e.perSlot; place++ {
		w := &e.lanes[place]
		if w.state == laneIdle || w.arrived <= k {
			continue // it has fewer barriers
		}
		p := w.program
		back := uint32(1) // the barrier is the instruction issued last
		if p.free {
			back = w.issued - uint32(p.barriers[k])
		}
		node := e.barrierNode(w, k)
		class := &e.table[node.class]
		if back <= p.ring {
			w.times[2*(w.issued-back)&uint32(len(w.times)-1)] = e.now + class.latency
		}
		for i := range w.held {
			if w.held[i].at == pendingTime {
				w.held[i].at = e.now + class.latency
			}
		}
		if node.flags&flagFinal != 0 {
			w.open--
			e.prolong(w, node.class, e.now+class.lifetime)
		}
		switch {
		case w.state != laneParked:
		case int(w.next) < len(p.nodes)-1:
			e.advance(place, w)
		default:
			e.end(place, w)
		}
	}
}

// barrierNode is the k-th barrier of a warp, which waits at it unless barriers
// are free.
func (e *inOrder) barrierNode(w *lane, k int64) *orderedNode {
	if w.program.free {
		return &w.program.nodes[w.program.barriers[k]]
	}
	return &w.program.nodes[w.barrier]
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
		s.started(w.started, e.now)
		s.time(w.allowed, e.now)
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
		for back := uint32(1); back <= min(w.issued, w.program.ring); back++ {
			at := 2 * (w.issued - back) & uint32(len(w.times)-1)
			e.visitTime(s, w.times[at])
			e.visitTime(s, w.times[at+1])
			if w.program.traced && w.times[at] > e.now {
				s.word(int64(w.classes[(w.issued-back)&uint32(len(w.classes)-1)]))
			}
		}
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
		w.since, w.allowed, w.started, w.end = w.since+t, w.allowed+t, w.started+warps, w.end+t
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
	}
}
