package simulate

import "gpupipe/latencies"

// Queues
//
// In front of a subsystem each sub-core may have a queue of q places
// (latencies.Subsystem.Queue). Then an instruction need not wait at issue until the
// subsystem is free: it issues when there is a place, and what is behind it in its warp
// goes on. Its turn comes in the order of issue, whichever sub-core that is on,
//
//	turn = max(issue, λ after the turn of the one before)
//
// so it is known at issue. From its turn on it occupies the subsystem for λ and
// completes after Λ. Until then it has a place in the queue: there is one
// when the turn of the last but q of the sub-core has come. Order dependences
// are on the issue, as without a queue (λ after it): a queue keeps the order.

// queue is that of a sub-core in front of a subsystem; without places there is
// none.
type queue struct {
	turns  []Tick // ring: of the last instructions, as many as there are places
	oldest int
}

// longestWait is no less than any instruction waits in a queue, or for the second of two subsystems.
func (w *workload) longestWait(hw *hardware) Tick {
	longest := Tick(0)
	for i := range w.classes {
		for _, c := range w.classes[i].charges {
			ahead := hw.ahead(c.subsystem)
			if w.classes[i].paired {
				ahead = max(ahead, 1)
			}
			longest = max(longest, c.hold*ahead)
		}
	}
	return longest
}

func newQueue(hw *hardware, s latencies.SubsystemID) queue {
	return queue{turns: make([]Tick, hw.queueOf(s))}
}

// opens is when there is a place.
func (q *queue) opens() Tick { return q.turns[q.oldest] }

// add notes the turn of an instruction, which comes after all others.
func (q *queue) add(turn Tick) {
	q.turns[q.oldest] = turn
	if q.oldest++; q.oldest == len(q.turns) {
		q.oldest = 0
	}
}

func (q *queue) shift(t Tick) {
	for i := range q.turns {
		q.turns[i] += t
	}
}

// visit shows the state of the queue.
func (q *queue) visit(w *stateWalk, now Tick) {
	for i := range q.turns {
		w.time(q.turns[(q.oldest+i)%len(q.turns)], now)
	}
}
