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
			e.issueOn(c, e.now+1)
		}
	}
	return false
}

// issueOn lets a sub-core issue what it can now, and goes on to the next points in
// time before until, with their events, as long as no group is to be replaced, which
// it reports, and no warp begins another iteration of a loop.
//
// It is one loop with all that an instruction takes as a rule, because calls would cost
// a fifth of it, and each time only one instruction issues: the next one may do so at
// the same time if there is no valve. What is as good as random is found without a
// branch, which would be mispredicted half of the time: what the next instruction waited
// for, and whether the greedy warp can issue again. Where a branch remains, the way to
// what decides it is short, since all that follows waits for it.
//
// The compiler makes branches of choices and maxima from which an address follows.
// Hence the masks, the borrow in available, and hence the agenda takes the time of an
// event from memory, where something else has been stored since.
func (e *inOrder) issueOn(c *subCore, until Tick) bool {
	if c.valve > e.now {
		c.wake = c.nextWake()
		return false
	}
	lanes, table, r := (*[maxFastPlaces]lane)(e.lanes[:maxFastPlaces]), e.table, &e.ranks
	ports := c.padded
	p := (*[minPorts]fastPort)(ports)
	last, greedy := r.lastOf(c)
	for now := e.now; ; {
		available := p[0].available(now) | p[1].available(now) | p[2].available(now) | p[3].available(now)
		if len(ports) > minPorts {
			for rest := ports[minPorts:]; len(rest) >= minPorts; rest = rest[minPorts:] {
				q := (*[minPorts]fastPort)(rest)
				available |= q[0].available(now) | q[1].available(now) | q[2].available(now) | q[3].available(now)
			}
		}
		if available == 0 { // other sub-cores have taken what they share
			c.wake = c.nextWake()
			return false
		}
		var place, rank int
		switch r.scheduler {
		case RoundRobin:
			rank = (bits.TrailingZeros64(bits.RotateLeft64(available, -last)|1<<63) + last) & (maxFastPlaces - 1)
			place, last = rank, rank+1
		case GreedyThenOldest, GreedyThenYoungest:
			again := -(available >> (last & (maxFastPlaces - 1)) & greedy)
			if rank = bits.TrailingZeros64(available); r.scheduler == GreedyThenYoungest {
				rank = bits.Len64(available) - 1
			}
			rank = (rank ^ (rank^last)&int(again)) & (maxFastPlaces - 1)
			place = int(r.at[rank])
			last, greedy = rank, 1
		default:
			place = r.pick(c, available)
			r.issued(c, place)
			rank = int(r.of[place&(maxFastPlaces-1)])
		}
		c.last = place
		bit := uint64(1) << (rank & (maxFastPlaces - 1))
		w := &lanes[place&(maxFastPlaces-1)]
		port, class := &ports[w.port], &table[w.id]
		done, passed := now+class.latency, now+class.hold
		class.queued.add(now - w.since)
		slots := e.valves[w.id]
		flags, turn, valve := w.flags, now, now+slots
		if flags&flagApart == 0 {
			port.take(bit, passed)
		} else {
			if e.paired {
				turn = e.takePaired(c, port, bit, w.id)
				done = turn + class.latency
			} else if flags&flagQueued != 0 {
				turn = e.enqueue(c, port, bit, class.hold)
				done = turn + class.latency
			} else {
				port.take(bit, passed)
				if port.shared {
					e.takeShared(c, port, passed)
				}
			}
			if e.ported {
				c.reading, valve = e.hw.read(c.reading, now, w.nodes[w.next].words, slots)
			}
		}
		c.valve = valve
		e.issued++
		number, times := w.issued, w.times
		at, mask := 2*uint64(number)|1, uint64(len(times)-1)
		_ = times[mask]
		times[at&mask], times[(at-1)&mask] = done, passed
		if flags&flagTraced != 0 {
			w.classes[number&uint32(len(w.classes)-1)] = w.id
		}
		next := w.next + 1
		if flags&flagSpecial == 0 {
			w.issued, w.next = number+1, next
		} else {
			w.since = now
			if !e.issueSpecial(place, w, turn) {
				goto issued
			}
			next = w.next
		}
		if node := &w.nodes[next]; node.flags&flagUnusual == 0 { // the same as advance
			x, y, z := times[(at-uint64(node.needs[0]))&mask], times[(at-uint64(node.needs[1]))&mask],
				times[(at-uint64(node.needs[2]))&mask]
			w.id, w.port, w.flags = node.class, node.subsystem, node.flags
			port = &ports[node.subsystem]
			allowed := now + e.interval
			if max(max(x, y), z) > now || allowed > valve {
				ready := max(max(x, y), max(z, now))
				w.since = ready
				e.agenda.at[place&(maxFastPlaces-1)] = max(ready, allowed)
				cause := node.causes[equal(x, ready)|equal(y, ready)<<1|equal(z, ready)<<2]
				table[cause].waited.add(ready - now)
				// What can issue before the port and the valve are free is as good as ready.
				if soon := max(valve, port.free); ready > soon || allowed > soon {
					e.agenda.add(place)
					goto issued
				}
			} else {
				w.since = now
				e.agenda.at[place&(maxFastPlaces-1)] = allowed
			}
			port.ready |= bit
			port.wake = port.free
		} else {
			w.since = now
			e.advance(place, w, now+e.interval)
		}
	issued:
		wake := min(min(p[0].wake, p[1].wake), min(p[2].wake, p[3].wake))
		if len(ports) > minPorts {
			for rest := ports[minPorts:]; len(rest) >= minPorts; rest = rest[minPorts:] {
				q := (*[minPorts]fastPort)(rest)
				wake = min(wake, min(q[0].wake, q[1].wake), min(q[2].wake, q[3].wake))
			}
		}
		wake = max(wake, valve)
		for e.agenda.first <= wake {
			if e.agenda.first >= until || e.looped {
				c.wake = wake
				return false
			}
			e.now, c.wake = e.agenda.first, wake
			if e.endEvents() {
				return true
			}
			wake = max(c.wake, e.now)
		}
		if wake > now && (wake >= until || e.looped || e.issued >= e.checkAt) {
			c.wake = wake
			return false
		}
		now = wake
		e.now = now
	}
}
