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
	core    *subCore
	next    uint32 // node
	issued  uint32 // executed number of that, modulo 2^32
	state   laneState

	allowed Tick     // issue interval, if there is one: may issue from here on
	classes []uint32 // ring, if the program is traced
	held    []heldTime
	heldTo  Tick    // no held time is later
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
	w.next, w.issued, w.open, w.arrived, w.rank, w.heldTo = 0, 0, 0, 0, 0, 0
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
			e.sampleLoops()
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
	if node.flags&flagMore != 0 || node.flags&flagHeld != 0 && w.heldTo > ready {
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
	if e.interval > 0 {
		ready = max(ready, w.allowed)
	}
	if ready > e.now {
		w.state = laneWaiting
		e.agenda.push(place, ready)
		return
	}
	w.state = laneReady
	w.core.ports[node.subsystem].ready |= e.ranks.bit(place)
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
	if e.interval > 0 {
		w.allowed = e.now + e.interval
	}
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
		if w.heldTo == pendingTime {
			w.passHeld(e.now + class.latency)
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
