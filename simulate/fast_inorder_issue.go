package simulate

import "math/bits"

// issueAll lets every sub-core issue what it can now, in turn. It reports whether
// groups are to be replaced before anything else.
func (e *inOrder) issueAll() bool {
	if len(e.cores) == 1 {
		return e.issueOn(&e.cores[0], maxTime)
	}
	first := e.turn
	for i := range e.cores {
		k := first + i
		if k >= len(e.cores) {
			k -= len(e.cores)
		}
		if c := &e.cores[k]; c.wake <= e.now {
			e.issueOn(c, e.now)
		}
	}
	return false
}

// issueOn lets a sub-core issue what it can now, and goes on to the next points in
// time before until, with their events, as long as no group is to be replaced, which
// it reports, and no warp begins another iteration of a loop.
//
// It is one loop with all that most instructions take, because calls would cost a
// fifth of it. What is as good as random is found without a branch, which would be
// mispredicted half of the time: what the next instruction waited for, and whether the
// greedy warp can issue again. The compiler makes branches of choices and maxima
// from which an address follows, hence the masks, and hence the agenda takes the
// time of an event from memory.
func (e *inOrder) issueOn(c *subCore, until Tick) bool {
	lanes, table, r, p := (*[maxFastPlaces]lane)(e.lanes[:maxFastPlaces]), e.table, &e.ranks, (*[minPorts]fastPort)(c.padded)
	for {
		now, available := e.now, uint64(0)
		if c.valve <= now {
			available = p[0].available(now) | p[1].available(now) | p[2].available(now) | p[3].available(now)
			for i := minPorts; i < len(c.padded); i++ {
				available |= c.padded[i].available(now)
			}
		}
		for available != 0 {
			var place, rank int
			switch r.scheduler {
			case RoundRobin:
				after := c.last + 1
				rank = (bits.TrailingZeros64(bits.RotateLeft64(available, -after)) + after) & (maxFastPlaces - 1)
				place = rank
			case GreedyThenOldest:
				last := int(r.of[c.last&(maxFastPlaces-1)])
				again := -(available >> (last & (maxFastPlaces - 1)) & 1 &^ (uint64(c.last) >> 63))
				rank = bits.TrailingZeros64(available)
				rank = (rank ^ (rank^last)&int(again)) & (maxFastPlaces - 1)
				place = int(r.at[rank])
			default:
				place = r.pick(c, available)
				r.issued(c, place)
				rank = int(r.of[place&(maxFastPlaces-1)])
			}
			c.last = place
			bit := uint64(1) << (rank & (maxFastPlaces - 1))
			w := &lanes[place&(maxFastPlaces-1)]
			port, class := w.port, &table[w.id]
			done, passed := now+class.latency, now+class.hold
			class.queued.add(now - w.since)
			available &^= port.ready // the subsystem is busy now
			port.take(bit, passed)
			valve := now + e.valve
			c.valve = valve
			if port.shared {
				e.takeShared(c, port, passed)
			}
			e.issued++
			times, at := w.times, 2*w.issued|1
			mask := uint32(len(times) - 1)
			i := int(at & mask)
			times[i], times[i-1] = done, passed
			flags := w.flags
			if flags&flagTraced != 0 {
				w.classes[w.issued&uint32(len(w.classes)-1)] = w.id
			}
			onward := true
			if flags&flagSpecial != 0 {
				w.since = now
				onward = e.issueSpecial(place, w)
			} else {
				w.issued++
				w.next++
			}
			switch node := &w.program.nodes[w.next]; {
			case !onward:
			case node.flags&flagUnusual != 0:
				w.since = now
				e.advance(place, w, now+e.interval)
			default: // the same, see advance
				a, b, d := times[(at-uint32(node.needs[0]))&mask], times[(at-uint32(node.needs[1]))&mask], times[(at-uint32(node.needs[2]))&mask]
				ready := max(now, a, b, d)
				w.id, w.flags = node.class, node.flags
				w.since = ready
				e.agenda.at[place&(maxFastPlaces-1)] = max(ready, now+e.interval)
				port = &c.ports[node.subsystem]
				w.port = port
				cause := node.causes[equal(a, ready)|equal(b, ready)<<1|equal(d, ready)<<2]
				table[cause].waited.add(ready - now)
				// What can issue before the port and the valve are free is as good as ready.
				if can := e.agenda.at[place&(maxFastPlaces-1)]; can > valve && can > port.free {
					e.agenda.add(place)
				} else {
					port.ready |= bit
					port.wake = port.free
				}
			}
			if valve > now {
				break
			}
			if w.state == laneRunning && e.agenda.at[place&(maxFastPlaces-1)] <= now && w.port.free <= now {
				available |= bit
			}
		}
		c.wake = c.nextWake()
		for e.agenda.first <= c.wake {
			if e.agenda.first >= until || e.looped {
				return false
			}
			e.now = e.agenda.first
			if e.endEvents() {
				return true
			}
			c.wake = max(c.wake, e.now)
		}
		if c.wake >= until || e.looped || e.issued >= e.checkAt {
			return false
		}
		e.now = c.wake
	}
}
