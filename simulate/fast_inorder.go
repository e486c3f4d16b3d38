package simulate

import (
	"context"
	"math/bits"
	"sync"
)

// inOrder is the fast engine for in-order issue. A warp has at most one
// candidate, its next instruction, and at most one event to come.
type inOrder struct {
	machine
	lanes   []lane  // by place; its capacity is maxFastPlaces
	checkAt int64   // issued instructions at the next look at the context
	rings   *[]Tick // of all lanes
}

// lane is the state of the warp at a place. What every issue uses comes first:
// a cache line, and the beginning of the next one.
type lane struct {
	nodes  []orderedNode // of its program
	times  []Tick        // the ring: when the i-th executed instruction completed, at 2i+1, and its λ had passed, at 2i
	since  Tick          // when its next instruction became ready, or will; while it is parked, when it last issued
	next   uint32        // node
	issued uint32        // executed number of that, modulo 2^32

	// The next instruction.
	id    uint32 // of its class
	port  uint16 // its subsystem's place among the ports
	flags nodeFlags

	state   laneState
	core    *subCore
	program *orderedProgram
	classes []uint32 // ring, if the program is traced
	held    []heldTime
	heldTo  Tick     // no held time is later
	left    []int64  // by repetition: executions of the body to come, the current one included
	started Tick     // when its group started
	end     Tick     // the latest end of a final instruction
	class   uint32   // of the instruction that ends last
	rank    uint32   // of that event
	open    int32    // final barriers that it has reached and the group has not
	barrier uint32   // node of the barrier reached last
	arrived int64    // barriers that it has reached
	_       [40]byte // the size is a power of two
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
	laneRunning                  // its next instruction may issue from agenda.at on: an event, see advance
	laneParked                   // a barrier
	laneEnding                   // an event at which it ends
)

func newInOrder(s *setup) *inOrder {
	e := &inOrder{}
	e.init(s, e)
	e.setBarriers(s.work.openBarriers(func(p *program) bool { return p.ordered.free }))
	e.lanes = make([]lane, maxFastPlaces)[:e.slots*e.perSlot]
	rings := make([]uint32, len(e.lanes))
	total := 0
	for place := range e.lanes {
		var traced uint32
		var held, loops int
		for i := range e.kinds {
			p := e.kinds[i].byWarp[place%e.perSlot].ordered
			rings[place], held, loops = max(rings[place], p.ring), max(held, p.held), max(loops, len(p.loops))
			if p.traced {
				traced = max(traced, p.ring)
			}
		}
		total += 2 * int(rings[place])
		e.lanes[place] = lane{
			core: e.coreOf[place], classes: make([]uint32, traced), held: make([]heldTime, held), left: make([]int64,
				loops),
		}
	}
	e.rings = takeRings(total)
	rest := *e.rings
	for place, ring := range rings {
		e.lanes[place].times, rest = rest[:2*ring:2*ring], rest[2*ring:]
	}
	return e
}

// ringMemory keeps the largest part of an engine for the next one: a run that is predicted from others, or remedies,
// take many engines one after the other.
var ringMemory sync.Pool

// takeRings is memory of so many times, all 0.
func takeRings(n int) *[]Tick {
	if m, ok := ringMemory.Get().(*[]Tick); ok && cap(*m) >= n {
		*m = (*m)[:n]
		clear(*m)
		return m
	}
	m := make([]Tick, n)
	return &m
}

// recycle gives the memory back. The engine has done its work.
func (e *inOrder) recycle() {
	ringMemory.Put(e.rings)
	e.lanes, e.rings = nil, nil
}

func (e *inOrder) startWarp(place int) {
	w := &e.lanes[place]
	w.since, w.started, w.end = e.now, e.now, e.now
	w.next, w.issued, w.open, w.arrived, w.rank, w.heldTo = 0, 0, 0, 0, 0, 0
	p := e.programOf(place).ordered
	w.program, w.nodes, w.times = p, p.nodes, w.times[:2*p.ring]
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
	e.advance(place, w, 0)
}

func (e *inOrder) run(ctx context.Context) error {
	for turnover := false; ; {
		if !turnover {
			e.now = max(e.now, e.next()) // events may have made warps ready for what is free already
			if e.now == never {
				return nil
			}
			if e.issued >= e.checkAt || e.now > maxTime {
				if err := e.check(ctx); err != nil {
					return err
				}
				e.checkAt = e.issued + stepsPerCheck
			}
			if e.now == e.agenda.first {
				turnover = e.endEvents()
			}
		}
		if turnover {
			e.replace()
			e.looped = true
		}
		turnover = e.issueAll()
		if e.looped {
			e.looped = false
			e.skipRepeats()
			if e.refused != nil {
				return e.refused
			}
		}
	}
}

// endEvents handles the events at this time and reports whether groups are to be
// replaced.
func (e *inOrder) endEvents() bool {
	for due := e.agenda.pop(); due != 0; due &= due - 1 {
		place := bits.TrailingZeros64(due)
		switch w := &e.lanes[place]; w.state {
		case laneRunning:
			e.markReady(w.core, place, &w.core.ports[w.port])
		case laneEnding:
			e.table[w.class].waited.add(e.now - w.since)
			e.endWarp(place)
		default:
			e.replaced |= 1 << (place / e.perSlot)
		}
	}
	return e.finished|e.replaced != 0
}

func (e *inOrder) endWarp(place int) {
	w := &e.lanes[place]
	w.state = laneIdle
	e.leave(place, w.arrived, e.release)
	e.warpEnds(place, w.started)
}

// advance finds out when the next instruction of a warp is ready, which may not
// issue before the given time. An instruction that can issue before its subsystem and
// the valve are free is as good as ready now: that it becomes so is not an event.
func (e *inOrder) advance(place int, w *lane, allowed Tick) {
	node := &w.program.nodes[w.next]
	w.id, w.port, w.flags = node.class, node.subsystem, node.flags
	ready, ends := w.ready(node)
	if ready >= pendingTime {
		w.state = laneParked
		return
	}
	w.state = laneRunning
	if waited := ready - w.since; waited > 0 {
		e.table[e.cause(w, node, ready, ends)].waited.add(waited)
	}
	w.since = ready
	e.agenda.at[place] = max(ready, allowed)
	c := w.core
	if port := &c.ports[w.port]; e.agenda.at[place] > max(e.now, c.valve, port.free) {
		e.agenda.add(place)
	} else {
		e.markReady(c, place, port)
	}
}

// issueSpecial does what is left to do for an instruction that does not complete
// after its Λ, or after which there is more to do than to go on to the next node.
// It reports whether it is still to be found out when the next instruction is ready.
func (e *inOrder) issueSpecial(place int, w *lane, turn Tick) bool {
	id, flags := w.id, w.flags
	if flags&(flagLoaded|flagBarrier) != 0 {
		w.times[(2*w.issued+1)&uint32(len(w.times)-1)] = e.completes(w, turn)
	}
	w.issued++
	if flags&flagTurn != 0 {
		e.goOn(w)
	} else {
		w.next++
	}
	if flags&(flagBarrier|flagFinal|flagOutlasts) != 0 {
		if flags&flagOutlasts == 0 {
			e.finish(place, w, id, flags, turn)
		}
		if int(w.next) == len(w.program.nodes)-1 { // the last one is always one of these
			e.end(place, w)
			return false
		}
	}
	if flags&flagBarrier != 0 {
		e.advance(place, w, e.now+e.interval)
		return false
	}
	return true
}

// completes returns when an instruction completes that is issued now: a barrier,
// or an access whose latency depends on the load.
func (e *inOrder) completes(w *lane, turn Tick) Tick {
	if w.flags&flagBarrier != 0 {
		w.barrier = w.next
		return pendingTime
	}
	at := turn + e.accesses(w.id, turn)
	if w.flags&flagOutlasts != 0 {
		e.prolong(w, w.id, at)
	}
	return at
}

// finish does what only barriers and the last instructions of a warp need.
func (e *inOrder) finish(place int, w *lane, id uint32, flags nodeFlags, turn Tick) {
	if flags&flagBarrier == 0 {
		e.prolong(w, id, turn+e.table[id].lifetime)
		return
	}
	if flags&flagFinal != 0 {
		w.open++
	}
	k := w.arrived
	w.arrived++
	w.state = laneRunning // neither parked nor ending, should this be the last arrival
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
			w.times[(2*(w.issued-back)+1)&uint32(len(w.times)-1)] = e.now + class.latency
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
			e.advance(place, w, w.since+e.interval)
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
