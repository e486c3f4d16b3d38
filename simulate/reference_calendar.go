package simulate

import (
	"math"

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
	at    Tick
	queue queueID
	made  int64 // events that were made before it
	warp  WarpID
	node  idg.NodeID
}

// queueID names a kind of event and how far ahead such events lie when they are made: a queue.
type queueID uint32

// calendar holds the events to come: a binary heap, of which those at equal times come by queue, then in the order
// in which they were made.
type calendar struct {
	keys   []queueKey // by queueID
	index  map[queueKey]queueID
	events []event
	made   int64
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

// queue returns the queue for a kind and delay, which it makes when there is
// none.
func (c *calendar) queue(key queueKey) queueID {
	id, ok := c.index[key]
	if !ok {
		if c.index == nil {
			c.index = map[queueKey]queueID{}
		}
		id = queueID(len(c.keys))
		c.index[key] = id
		c.keys = append(c.keys, key)
	}
	return id
}

// push adds an event that ends the queue's delay after now.
func (c *calendar) push(id queueID, now Tick, w WarpID, v idg.NodeID) {
	c.pushAt(id, now+c.keys[id].delay, w, v)
}

// pushAt adds an event at any time.
func (c *calendar) pushAt(id queueID, at Tick, w WarpID, v idg.NodeID) {
	c.events = append(c.events, event{at, id, c.made, w, v})
	c.made++
	h := c.events
	for i := len(h) - 1; i > 0 && h[i].before(&h[(i-1)/2]); i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
}

// next is the time of the first event, or never.
func (c *calendar) next() Tick {
	if len(c.events) == 0 {
		return never
	}
	return c.events[0].at
}

// pop removes and returns the first event.
func (c *calendar) pop() (eventKind, event) {
	e, last := c.events[0], len(c.events)-1
	c.events[0] = c.events[last]
	c.events = c.events[:last]
	h := c.events
	for i := 0; 2*i+1 < last; {
		s := 2*i + 1
		if s+1 < last && h[s+1].before(&h[s]) {
			s++
		}
		if !h[s].before(&h[i]) {
			break
		}
		h[i], h[s] = h[s], h[i]
		i = s
	}
	return c.keys[e.queue].kind, e
}

func (e *event) before(f *event) bool {
	if e.at != f.at {
		return e.at < f.at
	}
	return e.queue < f.queue || e.queue == f.queue && e.made < f.made
}
