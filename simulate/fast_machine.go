package simulate

import (
	"math"
	"math/bits"
)

// machine is what the fast engines have in common: sub-cores, subsystems, the
// groups and their replacement.
type machine struct {
	*workload
	hw      *hardware
	engine  fastEngine
	perSlot int // W: warps per group
	slots   int // M: groups at once

	now      Tick
	valves   []Tick       // by classID: from an issue to the next of a sub-core
	interval Tick         // between two issues of a warp
	ported   bool         // registers' ports are limited
	table    []classState // by classID
	cores    []subCore
	coreOf   []*subCore // by place
	turn     int        // the sub-core that issues first
	pipes    []Tick     // from when on the subsystems behind queues, or a sub-core's share, are free
	paired   bool       // some instructions take two subsystems
	pairsOf  [][]uint16 // by subsystem in the order of workload.used: the ports of the pairs that it is of
	ranks    ranks
	agenda   agenda

	dealer dealer // of kinds of groups
	kindOf []int  // by slot
	load   load

	open     int64    // barriers of a group that its warps can be at, at once: a power of two
	arrived  []uint32 // by slot × open + barrier modulo open: warps that wait for the others
	reached  []int64  // by slot: barriers that some warp has reached
	gone     []int    // by slot: warps that have ended
	passed   []int64  // by place: barriers that a warp executed that has ended, else -1
	live     []int    // by slot: warps not finished
	finished uint64   // slots of the groups that finished now
	replaced uint64   // slots whose group starts now
	coming   uint64   // slots whose group will start

	nextStart Tick // the pace allows the next group to start

	given   int64 // groups that have, or had, a slot or are on their way to one
	quota   int64 // groups to give
	total   int64 // groups of the launch
	limit   int64 // groups that may be simulated
	skipped int64 // groups, part of given and ended
	ended   int64
	end     Tick // of the last group that ended
	refused error
	setup   *setup

	issued, warps int64
	unsimulated   int64 // issued, but only known
	resident      span
	measured      bool
	sampler       sampler
	marks         []mark
	fastest       float64     // ticks per instruction, see checkLimit
	looped        bool        // a warp has begun another iteration of a loop
	recurrence    *recurrence // nil when groups are not skipped
}

// classState is a class with its part of the tally: one cache line.
type classState struct {
	hold, latency  Tick
	waited, queued span
	lifetime       Tick
	endRank        uint32 // order of the event that ends it, see workload.events
	ring           uint32 // of its completions, by dataflow
}

// subCore is a scheduler with its issue valve and its way to the subsystems.
type subCore struct {
	index int
	valve Tick       // free from here on
	wake  Tick       // nothing can issue before this
	last  int        // place that issued last; -1 = none
	ports []fastPort // by workload.routes: first those of the subsystems, in the order of workload.used
	// padded are the ports and, up to a multiple of minPorts, others for which
	// no instruction is ever ready: so many at a time are looked at without a loop.
	padded []fastPort
	queues []fastQueue // by subsystem, in the order of workload.used

	reading Tick // its registers' ports are free from here on
}

// fastQueue is that in front of a port's subsystem.
type fastQueue struct {
	queue
	pipe  int  // the subsystem's place in machine.pipes
	begun Tick // without places, of a subsystem of a pair: its last turn
}

// minPorts is how many subsystems most launches use at most.
const minPorts = 4

// fastPort is one sub-core's way to a subsystem, or to two at once.
type fastPort struct {
	ready uint64 // ranks of warps with an instruction ready for the subsystem
	wake  Tick   // free, or never if there are none
	// the subsystem, or the sub-core's share of it, is free from here on, or its queue has a place; of a pair, what
	// both allow
	free   Tick
	shared bool // by all sub-cores, for which free is then the same unless there are queues

	subsystem uint16 // its place among the ports
}

// init prepares m for a run, as a part of an engine.
func (m *machine) init(s *setup, engine fastEngine) {
	w, e := s.work, &s.extent
	*m = machine{
		engine: engine, interval: s.hw.intervalTicks, ported: s.hw.ports.readingTicks > 0,

		workload: w, hw: s.hw, setup: s, perSlot: w.perSlot, slots: int(e.concurrent), dealer: w.newDealer(),
		load:  newLoad(w.load),
		given: e.concurrent, quota: e.simulated, total: e.total, limit: s.cfg.MaxEvents / e.perGroup,
		measured: e.measured > 0, sampler: newSampler(s.cfg.Precision, *e, w),
		live: make([]int, e.concurrent), kindOf: make([]int, e.concurrent),
	}
	m.measured = m.measured || m.sampler.precision > 0 || s.limit > 0
	m.ranks = newRanks(s.cfg.Scheduler, m.perSlot, m.slots, s.hw.partitions)
	m.table, m.valves = make([]classState, len(w.classes)), make([]Tick, len(w.classes))
	longest := max(s.hw.replacementTicks+Tick(m.slots)*s.hw.paceTicks, s.hw.intervalTicks)
	for i := range w.classes {
		c := &w.classes[i]
		m.table[i] = classState{hold: c.hold, latency: c.latency, lifetime: c.lifetime(), endRank: w.events[i].end}
		m.valves[i] = c.valve
		longest = max(longest, c.hold, c.latency)
	}
	m.agenda = newAgenda(longest + w.longestWait(s.hw) + w.load.most())
	if s.folded() {
		m.limit = math.MaxInt64 // most iterations may be skipped: see check
	}
	m.addCores()
	if s.skip {
		m.recurrence = &recurrence{}
	}
}

// eventRank is the place of the events of a class among all events at one time.
type eventRank struct{ done, passed, end uint32 }

// of is the place of the event that satisfies an order dependence, or another one.
func (r eventRank) of(order bool) uint32 {
	if order {
		return r.passed
	}
	return r.done
}

// rankEvents orders the events of instructions at equal times, by class, as the
// reference engine's calendar does.
func (w *workload) rankEvents() {
	order := map[queueKey]uint32{}
	rank := func(k queueKey) uint32 {
		r, ok := order[k]
		if !ok {
			r = uint32(len(order))
			order[k] = r
		}
		return r
	}
	w.events = make([]eventRank, len(w.classes))
	for i := range w.classes {
		done, passed := w.classes[i].events()
		w.events[i] = eventRank{rank(done), rank(passed), rank(w.classes[i].end())}
	}
}

// addCores makes the sub-cores and their subsystems.
func (m *machine) addCores() {
	n := m.hw.partitions
	m.cores = make([]subCore, n)
	padded := (len(m.routes)-1)/minPorts*minPorts + minPorts
	for i := range m.cores {
		c := &m.cores[i]
		*c = subCore{index: i, last: -1, wake: never, padded: make([]fastPort, padded)}
		for s := range c.padded {
			c.padded[s].wake = never
		}
		c.ports, c.queues = c.padded[:len(m.routes)], make([]fastQueue, len(m.used))
		for s := range m.used {
			c.ports[s].subsystem = uint16(s)
			c.ports[s].shared = m.hw.isShared(m.used[s])
			m.addQueue(c, s)
		}
	}
	m.addPairs()
	for place := range m.slots * m.perSlot {
		m.coreOf = append(m.coreOf, &m.cores[place%n])
	}
}

// addQueue makes the queue of a sub-core in front of a subsystem, if there is one.
func (m *machine) addQueue(c *subCore, s int) {
	q := &c.queues[s]
	q.queue = newQueue(m.hw, m.used[s])
	switch {
	case len(q.turns) == 0:
	case c.ports[s].shared && c.index > 0:
		q.pipe = m.cores[0].queues[s].pipe
	default:
		q.pipe = len(m.pipes)
		m.pipes = append(m.pipes, 0)
	}
}

// markReady notes that the warp at a place has an instruction for a subsystem.
// It may issue when the subsystem and the valve are free.
func (m *machine) markReady(c *subCore, place int, p *fastPort) {
	p.ready |= m.ranks.bit(place)
	p.wake = p.free
	c.wake = min(c.wake, max(p.free, c.valve))
}

// available is the set of ready warps if the subsystem is free: if its wake lies
// before the time after now.
func (p *fastPort) available(now Tick) uint64 {
	_, free := bits.Sub64(uint64(p.wake), uint64(now)+1, 0)
	return p.ready & -free
}

// busy has all bits set if the subsystem is not free, or nothing is ready for it.
func (p *fastPort) busy(now Tick) readyKey { return readyKey((now - p.wake) >> 63) }

// nextWake is the earliest time at which the valve and a subsystem are free that
// a ready instruction waits for. What else it may wait for is an event. All that
// could issue now has.
func (c *subCore) nextWake() Tick {
	p := (*[minPorts]fastPort)(c.padded)
	wake := min(p[0].wake, p[1].wake, p[2].wake, p[3].wake)
	for i := minPorts; i < len(c.ports); i++ {
		wake = min(wake, c.ports[i].wake)
	}
	return max(wake, c.valve)
}

// nextWakeOf is the same of the warps whose rank is in the mask.
func (c *subCore) nextWakeOf(mask uint64) Tick {
	wake := never
	for i := range c.ports {
		p := &c.ports[i]
		t := p.wake
		if p.ready&mask == 0 {
			t = never
		}
		wake = min(wake, t)
	}
	return max(wake, c.valve)
}

// take gives an instruction that was ready, of a warp whose rank is the bit, the
// subsystem until then. The others that are ready wait for it.
func (p *fastPort) take(bit uint64, free Tick) {
	ready, wake := p.ready&^bit, free
	if ready == 0 {
		wake = never
	}
	p.ready, p.free, p.wake = ready, free, wake
}

// takeShared notes that a sub-core has taken, until then, a subsystem that all
// share. The one after it issues first the next time.
func (m *machine) takeShared(c *subCore, p *fastPort, free Tick) {
	for i := range m.cores {
		m.cores[i].ports[p.subsystem].take(0, free)
	}
	m.turn = (c.index + 1) % len(m.cores)
}

// enqueue gives an instruction that was ready, of a warp whose rank is the bit, a place
// in the queue of a sub-core, and returns its turn.
func (m *machine) enqueue(c *subCore, p *fastPort, bit uint64, hold Tick) Tick {
	q := &c.queues[p.subsystem]
	turn := max(m.now, m.pipes[q.pipe])
	m.pipes[q.pipe] = turn + hold
	q.add(turn)
	p.take(bit, q.opens())
	if p.shared {
		m.turn = (c.index + 1) % len(m.cores)
	}
	return turn
}

// freeFrom is when the subsystem behind a port is free.
func (m *machine) freeFrom(c *subCore, port int) Tick {
	if q := &c.queues[port]; len(q.turns) > 0 {
		return m.pipes[q.pipe]
	}
	return c.ports[port].free
}

// next is the time of the next thing to happen, apart from completions.
func (m *machine) next() Tick {
	next := min(m.agenda.first, m.cores[0].wake)
	for i := 1; i < len(m.cores); i++ {
		next = min(next, m.cores[i].wake)
	}
	return next
}

// start puts the next group into a slot.
func (m *machine) start(slot int) {
	m.kindOf[slot] = m.dealer.next()
	m.live[slot] = m.perSlot
	clear(m.arrived[slot*int(m.open):][:m.open])
	m.reached[slot], m.gone[slot] = 0, 0
	for place := slot * m.perSlot; place < (slot+1)*m.perSlot; place++ {
		m.passed[place] = -1
	}
	m.ranks.add(slot)
	for i := range m.perSlot {
		m.engine.startWarp(slot*m.perSlot + i)
	}
}

// accesses returns the latency of an access of device memory that is issued now, from
// its turn on, and notes it.
func (m *machine) accesses(class uint32, turn Tick) Tick {
	return m.load.issue(m.now, turn, &m.classes[class])
}

// programOf is what the warp at a place executes.
func (m *machine) programOf(place int) *program {
	return m.kinds[m.kindOf[place/m.perSlot]].byWarp[place%m.perSlot]
}

// warpEnds counts a warp that has finished, started at the given time.
func (m *machine) warpEnds(place int, started Tick) {
	m.resident.add(m.now - started)
	m.warps++
	slot := place / m.perSlot
	m.live[slot]--
	if m.live[slot] == 0 {
		m.finished |= 1 << slot
	}
}

// setBarriers makes the counters of barriers, of which so many may be open in a
// group.
func (m *machine) setBarriers(open int64) {
	m.open = 1
	for m.open < open {
		m.open *= 2
	}
	m.arrived, m.reached, m.gone = make([]uint32, int64(m.slots)*m.open), make([]int64, m.slots), make([]int, m.slots)
	m.passed = make([]int64, m.slots*m.perSlot)
}

// arrives counts a warp at the k-th barrier of its group and reports whether all
// have now arrived.
func (m *machine) arrives(slot int, k int64) bool {
	m.reached[slot] = max(m.reached[slot], k+1)
	m.arrived[int64(slot)*m.open+k&(m.open-1)]++
	return m.complete(slot, k)
}

// complete reports whether all warps have arrived at a barrier; those that
// have ended count at barriers beyond their last one.
func (m *machine) complete(slot int, k int64) bool {
	a := &m.arrived[int64(slot)*m.open+k&(m.open-1)]
	n := int(*a)
	if m.gone[slot] > 0 {
		for _, passed := range m.passed[slot*m.perSlot:][:m.perSlot] {
			if passed >= 0 && passed <= k {
				n++
			}
		}
	}
	if n < m.perSlot {
		return false
	}
	*a = 0
	return true
}

// leave counts a warp that ends after so many barriers at those that it does
// not execute, and calls release for the barriers that this completes.
func (m *machine) leave(place int, barriers int64, release func(slot int, k int64)) {
	slot := place / m.perSlot
	m.passed[place] = barriers
	m.gone[slot]++
	for k := barriers; k < m.reached[slot]; k++ {
		if m.complete(slot, k) {
			release(slot, k)
		}
	}
}

// replace starts groups whose time has come, then gives the slots that became
// free now to the next groups, each in ascending order.
func (m *machine) replace() {
	for ; m.replaced != 0; m.replaced &= m.replaced - 1 {
		slot := bits.TrailingZeros64(m.replaced)
		m.coming &^= 1 << slot
		m.start(slot)
	}
	free := m.finished
	m.finished = 0
	for f := free; f != 0; f &= f - 1 {
		slot := bits.TrailingZeros64(f)
		m.ranks.remove(slot, m.cores)
		m.ended++
		m.end = m.now
		if m.measured {
			m.marks = append(m.marks, mark{m.now, m.issued})
			if m.setup.limit > 0 {
				m.checkLimit()
			}
			if m.sampler.precision > 0 && !m.sampler.converged {
				m.quota = m.sampler.look(m.marks, m.given)
			}
		}
	}
	for ; free != 0; free &= free - 1 {
		slot := bits.TrailingZeros64(free)
		if m.given == m.quota {
			break
		}
		m.given++
		if m.given-m.skipped > m.limit {
			m.refused = m.setup.tooManyEvents(m.given - m.skipped)
		}
		m.admit(slot, m.hw.replacementTicks)
	}
}

// admit gives a slot to the next group, which starts no earlier than so long from now, nor
// than the pace of the GPU allows: see hardware.startAt.
func (m *machine) admit(slot int, after Tick) {
	var at Tick
	at, m.nextStart = m.hw.startAt(m.now+after, m.nextStart, m.slots)
	if at == m.now {
		m.start(slot)
		return
	}
	m.coming |= 1 << slot
	m.agenda.push(slot*m.perSlot, at)
}

// outcome reports a run that has ended.
func (m *machine) outcome() *outcome {
	o := &outcome{
		end: m.end, ended: m.ended, skipped: m.skipped, stats: newTally(len(m.classes)), marks: m.marks,
		sampler: m.sampler, unsimulated: m.unsimulated, groups: m.dealer.given, load: m.load.loadUse,
		beyond: make([]Tick, len(m.subsystems)),
	}
	o.stats.issued, o.stats.warps, o.stats.resident = m.issued, m.warps, m.resident
	for i := range m.table {
		o.stats.waited[i], o.stats.queued[i] = m.table[i].waited, m.table[i].queued
	}
	for i := range m.cores {
		c := &m.cores[i]
		for s := range m.used {
			o.beyond[m.used[s]] += max(0, m.freeFrom(c, s)-m.end)
		}
		o.beyondSlots += min(max(0, c.valve-m.end), m.workload.valve)
		o.beyondReads += max(0, c.reading-m.end)
	}
	return o
}
