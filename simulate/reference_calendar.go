package simulate

import (
	"math"
	"slices"

	"gpupipe/idg"
)

// never is later than every time of a run.
const never = Tick(math.MaxInt64)

// eventKind says what ends at an event's time.
type eventKind uint8

// The kinds of event. The zero value is invalid.
const (
	eventComplete eventKind = iota + 1 // Λ: the instruction completes
	eventPassed                        // λ: order dependences on the instruction are satisfied
	eventAllowed                       // issue interval: the warp may issue again
	eventReplace                       // replacement time, pace of starts: a new group starts at the warp's place
	eventRelease                       // Λ after the last arrival: the barrier completes
	eventStored                        // λ after its turn: a store that was in a queue has ended
)

// event is something that ends at a known time for an instruction of a warp.
type event struct {
	at   Tick
	warp WarpID
	node idg.NodeID
}

// queueID names a queue of a calendar.
type queueID uint32

// calendar holds the events to come. All events of a queue lie equally far
// ahead when they are made, and time never goes back, so each queue is sorted by
// itself (or nearly so, where latency depends on the load); a heap orders the queues by their first event. A run has a
// handful of different λ and Λ, which makes this much cheaper than a heap of events.
type calendar struct {
	queues []delayQueue
	index  map[queueKey]queueID
	heap   []queueID // queues with events, by (time of the first event, id)
}

// queueKey is what the events of a queue have in common.
type queueKey struct {
	kind  eventKind
	delay Tick
	class uint32 // class.queue: of accesses whose delay may be more
}

// events returns the events that follow the issue of an instruction of the
// class: what its Λ and what its λ ends.
func (c *class) events() (done, passed queueKey) {
	done = queueKey{eventComplete, c.latency, c.queue}
	if c.barrier {
		done.kind = eventRelease
	}
	return done, queueKey{eventPassed, c.hold, 0}
}

// end is the event after which an instruction of the class no longer keeps its warp
// alive.
func (c *class) end() queueKey {
	done, passed := c.events()
	switch {
	case c.store && c.queued:
		return queueKey{eventStored, c.hold, c.queue}
	case c.store:
		return passed
	}
	return done
}

// delayQueue is the events of one kind and delay, in a ring.
type delayQueue struct {
	queueKey
	ring  []event // length a power of two
	head  int
	count int
}

// queue returns the queue for a kind and delay, which it makes when there is
// none.
func (c *calendar) queue(key queueKey) queueID {
	id, ok := c.index[key]
	if !ok {
		if c.index == nil {
			c.index = map[queueKey]queueID{}
		}
		id = queueID(len(c.queues))
		c.index[key] = id
		c.queues = append(c.queues, delayQueue{queueKey: key, ring: make([]event, 16)})
	}
	return id
}

// push adds an event that ends the queue's delay after now.
func (c *calendar) push(id queueID, now Tick, w WarpID, v idg.NodeID) {
	c.pushAt(id, now+c.queues[id].delay, w, v)
}

// pushAt adds an event at any time, behind those that end no later.
func (c *calendar) pushAt(id queueID, at Tick, w WarpID, v idg.NodeID) {
	q := &c.queues[id]
	if q.count == len(q.ring) {
		q.grow()
	}
	mask := len(q.ring) - 1
	k := q.count
	for ; k > 0 && q.ring[(q.head+k-1)&mask].at > at; k-- {
		q.ring[(q.head+k)&mask] = q.ring[(q.head+k-1)&mask]
	}
	q.ring[(q.head+k)&mask] = event{at, w, v}
	q.count++
	switch {
	case q.count == 1:
		c.heap = append(c.heap, id)
		c.up(len(c.heap) - 1)
	case k == 0:
		c.up(slices.Index(c.heap, id))
	}
}

func (q *delayQueue) grow() {
	ring := make([]event, 2*len(q.ring))
	n := copy(ring, q.ring[q.head:])
	copy(ring[n:], q.ring[:q.head])
	q.ring, q.head = ring, 0
}

// next is the time of the first event, or never.
func (c *calendar) next() Tick {
	if len(c.heap) == 0 {
		return never
	}
	q := &c.queues[c.heap[0]]
	return q.ring[q.head].at
}

// pop removes and returns the first event. Events at equal times come by queue,
// then in the order in which they were made.
func (c *calendar) pop() (eventKind, event) {
	q := &c.queues[c.heap[0]]
	e := q.ring[q.head]
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.count--
	if q.count == 0 {
		last := len(c.heap) - 1
		c.heap[0] = c.heap[last]
		c.heap = c.heap[:last]
	}
	c.down()
	return q.kind, e
}

func (c *calendar) before(a, b queueID) bool {
	p, q := &c.queues[a], &c.queues[b]
	if s, t := p.ring[p.head].at, q.ring[q.head].at; s != t {
		return s < t
	}
	return a < b
}

func (c *calendar) up(i int) {
	h := c.heap
	for i > 0 {
		p := (i - 1) / 2
		if !c.before(h[i], h[p]) {
			return
		}
		h[i], h[p] = h[p], h[i]
		i = p
	}
}

func (c *calendar) down() {
	h := c.heap
	for i := 0; ; {
		s := 2*i + 1
		if s >= len(h) {
			return
		}
		if r := s + 1; r < len(h) && c.before(h[r], h[s]) {
			s = r
		}
		if !c.before(h[s], h[i]) {
			return
		}
		h[i], h[s] = h[s], h[i]
		i = s
	}
}
