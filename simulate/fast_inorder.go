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
	steps int         // points in time until the next look at the context
}

// lane is the state of the warp at a place. What every issue uses comes first
// and fills a cache line.
type lane struct {
	program *orderedProgram
	times   []Tick // the ring: when the i-th executed instruction completed, at 2i, and its λ had passed, at 2i+1
	since   Tick   // when its next instruction became ready, or will; while it is parked, when it last issued
	next    uint32 // node
	issued  uint32 // executed number of that, modulo 2^32

	// The next instruction, as in its node.
	id        uint32 // of its class
	subsystem uint16
	flags     nodeFlags

	state   laneState
	core    *subCore
	allowed Tick     // may issue from here on
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
	for {
		e.now = e.next()
		if e.now == never {
			return nil
		}
		if e.steps <= 0 || e.now > maxTime {
			if err := e.check(ctx); err != nil {
				return err
			}
			e.steps = stepsPerCheck
		}
		e.steps--
		if e.now == e.agenda.first {
			e.endEvents()
			if e.finished|e.replaced != 0 {
				e.replace()
				e.looped = true
			}
		}
		e.issueAll()
		if e.looped {
			e.looped = false
			e.skipRepeats()
			e.sampleLoops()
			if e.refused != nil {
				return e.refused
			}
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
			e.markReady(w.core, place, w.subsystem)
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
//
// Whether it is ready, and what it waited for, is as good as random. A branch on
// that would be mispredicted half of the time, so there is none: what is not to be
// done is done with an empty set, or a time of 0.
func (e *inOrder) advance(place int, w *lane) {
	node := &w.program.nodes[w.next]
	w.id, w.subsystem, w.flags = node.class, node.subsystem, node.flags
	ready, ends := w.ready(node)
	if ready >= pendingTime {
		w.state = laneParked
		return
	}
	waited := ready - w.since
	// If it waited for one thing, the class of that; if for none, any class.
	cause := uint32(node.causes[ends&(1<<fewNeeds-1)])
	if node.flags&flagUnusual != 0 && waited > 0 {
		cause = e.cause(w, node, ready, ends)
	}
	e.table[cause].waited.add(waited)
	w.since = ready
	ready = max(ready, w.allowed)
	later := uint64(0)
	if ready > e.now {
		later = 1
	}
	e.agenda.pushIf(place, ready, later)
	w.state = laneReady + laneState(later)
	port := &w.core.ports[node.subsystem]
	wake, free := port.wake, port.free
	if later == 0 {
		wake = free
	}
	port.wake = wake
	port.ready |= e.ranks.bit(place) & (later - 1)
}

// issueAll lets every sub-core issue what it can now, in turn.
func (e *inOrder) issueAll() {
	if len(e.cores) == 1 {
		if c := &e.cores[0]; c.wake <= e.now {
			e.issueOn(c)
		}
		return
	}
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

// issueOn lets the only sub-core issue what it can now, and goes on to the next
// points in time as long as nothing else happens at them.
func (e *inOrder) issueOn(c *subCore) {
	e.issueCore(c)
	for c.wake < min(e.agenda.first, maxTime) && e.steps > 0 && !e.looped {
		e.now = c.wake
		e.steps--
		e.issueCore(c)
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
		port := &c.ports[w.subsystem]
		available &^= port.ready // the subsystem is busy now
		e.issue(c, port, place, w)
		if c.valve > e.now {
			break
		}
		if w.state == laneReady && c.ports[w.subsystem].free <= e.now {
			available |= e.ranks.bit(place)
		}
	}
	c.wake = c.nextWake()
}

// issue issues the next instruction of a warp.
func (e *inOrder) issue(c *subCore, port *fastPort, place int, w *lane) {
	now := e.now
	class := &e.table[w.id]
	done, passed := now+class.latency, now+class.hold
	port.take(e.ranks.bit(place), passed)
	c.valve = now + e.valve
	e.ranks.issued(c, place)
	if port.shared {
		e.takeShared(c, w.subsystem, passed)
	}
	e.issued++
	class.queued.add(now - w.since)
	w.since, w.allowed = now, now+e.interval
	times, at := w.times, 2*w.issued
	mask := uint32(len(times) - 1)
	times[at&mask] = done
	times[(at+1)&mask] = passed
	if w.flags&flagTraced != 0 {
		w.classes[w.issued&uint32(len(w.classes)-1)] = w.id
	}
	if w.flags&flagSpecial != 0 {
		e.issueSpecial(place, w)
		return
	}
	w.issued++
	w.next++
	e.advance(place, w)
}

// issueSpecial does what is left to do for an instruction that does not complete
// after its Λ, or after which there is more to do than to go on to the next node.
func (e *inOrder) issueSpecial(place int, w *lane) {
	id, flags := w.id, w.flags
	if flags&(flagLoaded|flagBarrier) != 0 {
		w.times[2*w.issued&uint32(len(w.times)-1)] = e.completes(w)
	}
	w.issued++
	if flags&flagTurn != 0 {
		e.goOn(w)
	} else {
		w.next++
	}
	if flags&(flagBarrier|flagFinal|flagOutlasts) != 0 {
		if flags&flagOutlasts == 0 {
			e.finish(place, w, id, flags)
		}
		if int(w.next) == len(w.program.nodes)-1 { // the last one is always one of these
			e.end(place, w)
			return
		}
	}
	e.advance(place, w)
}

// completes returns when an instruction completes that is issued now: a barrier,
// or an access whose latency depends on the load.
func (e *inOrder) completes(w *lane) Tick {
	if w.flags&flagBarrier != 0 {
		w.barrier = w.next
		return pendingTime
	}
	at := e.now + e.accesses(w.id)
	if w.flags&flagOutlasts != 0 {
		e.prolong(w, w.id, at)
	}
	return at
}

// finish does what only barriers and the last instructions of a warp need.
func (e *inOrder) finish(place int, w *lane, id uint32, flags nodeFlags) {
	if flags&flagBarrier == 0 {
		e.prolong(w, id, e.now+e.table[id].lifetime)
		return
	}
	if flags&flagFinal != 0 {
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
