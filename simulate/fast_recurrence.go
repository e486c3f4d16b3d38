package simulate

import (
	"math"
	"math/bits"

	"gpupipe/internal/diag"
)

// Exact skipping
//
// What a unit does from a point in time on is a function of its state: what
// every warp has done, what it waits for and for how long, who comes next. When
// a state recurs, apart from the time and the groups left, all that happened in
// between will happen again, as often as there are groups for it. So whole
// periods are added to the time and to all counts, and the rest is simulated.
//
// The same holds within loops, where the numbers of iterations that the warps
// have left may differ: all that is known is repeated until one of them runs out.
//
// States are compared when groups are replaced and when a warp begins another
// iteration of a loop, each with one that was kept
// (Brent's algorithm): the kept one is replaced after 1, 2, 4, 8, ...
// comparisons, so that in time it lies within the recurring part and a period
// fits. States are compared whole. What is counted is not part of the state,
// but times that are still to be counted are (when a warp started, since when
// its instruction is ready): so every count repeats exactly as well.
//
// The comparison stops at the first difference and is left out where it would
// cost more than a few percent of the simulation.

// recurrence looks for a state that recurs.
type recurrence struct {
	walk        stateWalk
	kept        counts // at the kept state
	comparisons int    // with the kept state
	next        int    // keep another state after so many
	spent       int64  // words written and compared
}

// issuesPerWord is how many issues are simulated for each word of state that is
// looked at; a word takes about a nanosecond, an issue about forty.
const issuesPerWord = 1

// counts is what grows from period to period.
type counts struct {
	now                         Tick
	given, ended, issued, warps int64
	accesses                    int64
	latency                     span
	byKind                      []int64
	resident                    span
	waited, queued              []span
}

// skipRepeats skips what is known to repeat. It is called when groups were
// replaced.
func (m *machine) skipRepeats() {
	r := m.recurrence
	if r == nil || m.refused != nil || r.spent > (m.simulated()+m.unsimulated)/issuesPerWord {
		return
	}
	w := &r.walk
	if r.next > 0 {
		w.begin(true)
		m.visit(w)
		r.spent += w.looked()
		if w.same && w.complete() && m.skip(&r.kept) {
			// What is left of this is less than a period; something else may come.
			*r = recurrence{walk: r.walk, kept: r.kept, spent: r.spent}
			return
		}
		r.comparisons++
	}
	if r.comparisons == r.next {
		r.next, r.comparisons = max(1, 2*r.next), 0
		w.begin(false)
		m.visit(w)
		r.spent += w.looked()
		m.count(&r.kept)
	}
}

func (m *machine) count(c *counts) {
	c.now, c.given, c.ended, c.issued, c.warps, c.resident = m.now, m.given, m.ended, m.issued, m.warps, m.resident
	c.accesses, c.latency, c.byKind = m.load.accesses, m.load.loadUse.latency, append(c.byKind[:0], m.dealer.given...)
	c.waited, c.queued = c.waited[:0], c.queued[:0]
	for i := range m.table {
		c.waited, c.queued = append(c.waited, m.table[i].waited), append(c.queued, m.table[i].queued)
	}
}

// skip adds as many repetitions of what happened since before as there are
// groups or iterations for, and reports whether there were any.
func (m *machine) skip(before *counts) bool {
	groups := m.given - before.given
	var n int64
	kind := 0
	if groups > 0 || m.ended > before.ended {
		if n, kind = m.periodsOfGroups(before, groups); n == 0 {
			return false
		}
		m.quota, m.measured, m.sampler = m.total, false, sampler{}
	} else if n = m.periodsOfIterations(); n == 0 {
		return false
	}
	hi, lo := bits.Mul64(uint64(m.now-before.now), uint64(n))
	if hi != 0 || lo > uint64(maxTime) {
		m.refused = diag.Errorf(diag.Pos{}, "TIME", "the run takes more than %v cycles", m.time.cycles(maxTime))
		return true
	}
	m.dealer.given[kind] += n * groups
	m.given += n * groups
	m.ended += n * groups
	m.skipped += n * groups
	m.unsimulated += n * (m.issued - before.issued)
	m.issued += n * (m.issued - before.issued)
	m.warps += n * (m.warps - before.warps)
	m.resident.repeat(before.resident, uint64(n))
	m.load.accesses += n * (m.load.accesses - before.accesses)
	m.load.loadUse.latency.repeat(before.latency, uint64(n))
	for i := range m.table {
		m.table[i].waited.repeat(before.waited[i], uint64(n))
		m.table[i].queued.repeat(before.queued[i], uint64(n))
	}
	if groups > 0 {
		m.shift(Tick(lo), Tick(lo))
	} else {
		m.shift(Tick(lo), 0)
	}
	for _, t := range m.recurrence.walk.turned {
		m.engine.skipTurns(t.place, t.loop, n*t.times)
	}
	return true
}

// periodsOfGroups is how many further periods, in each of which so many groups
// are given a slot, there are groups for, and of which kind these are: a period is
// known to recur only if they all are of one kind.
func (m *machine) periodsOfGroups(before *counts, groups int64) (n int64, kind int) {
	if w := &m.recurrence.walk; groups == 0 || len(w.turned) > 0 || !w.aged {
		return 0, 0
	}
	n = (m.total - m.given) / groups
	if len(m.kinds) == 1 {
		return n, 0
	}
	kind, run := m.dealer.run(m.total - m.given)
	if m.dealer.given[kind]-before.byKind[kind] != groups {
		return 0, 0
	}
	return min(n, run/groups), kind
}

// periodsOfIterations is how many further periods there are iterations for, in
// the repetitions of all warps: each must be able to turn as often as in the
// period that is known.
func (m *machine) periodsOfIterations() int64 {
	n := int64(math.MaxInt64)
	if !m.recurrence.walk.stayed {
		return 0
	}
	for _, t := range m.recurrence.walk.turned {
		n = min(n, (t.left-1)/t.times)
	}
	if n == math.MaxInt64 {
		return 0
	}
	return n
}

// shift moves the unit by t in time, but the starts of its warps by warps.
func (m *machine) shift(t, warps Tick) {
	m.now += t
	for i := range m.cores {
		c := &m.cores[i]
		for s := range c.ports {
			p := &c.ports[s]
			p.free += t
			if p.wake != never {
				p.wake += t
			}
		}
		for s := range c.queues {
			c.queues[s].shift(t)
			c.queues[s].begun += t
		}
		c.valve += t
		c.reading += t
		if c.wake != never {
			c.wake += t
		}
	}
	m.nextStart += t
	for i := range m.pipes {
		m.pipes[i] += t
	}
	m.agenda.shiftBy(t)
	m.load.shift(t)
	m.engine.shift(t, warps)
}

// visit shows the state of the unit, what differs most often first. What
// follows from the rest is left out: sets of ready warps, wake times, arrivals.
func (m *machine) visit(w *stateWalk) {
	for i := range m.cores {
		c := &m.cores[i]
		for s := range c.queues {
			c.queues[s].visit(w, m.now)
			if i == 0 || !c.ports[s].shared {
				w.time(m.freeFrom(c, s), m.now)
				if m.paired {
					w.time(c.queues[s].begun, m.now)
				}
			}
		}
		w.time(c.valve, m.now)
		w.time(c.reading, m.now)
		if m.ranks.scheduler == RoundRobin || m.ranks.greedy() {
			w.word(int64(c.last))
		}
	}
	w.word(int64(max(m.nextStart-m.now, -Tick(m.slots-1)*m.hw.paceTicks)))
	w.word(int64(m.turn))
	w.word(int64(len(m.ranks.order)))
	if m.ranks.byAge {
		for _, slot := range m.ranks.order {
			w.word(int64(slot))
		}
	}
	if m.ranks.scheduler == GroupPrecedence {
		for _, last := range m.ranks.last {
			w.word(int64(last))
		}
	}
	for slot, live := range m.live {
		w.word(int64(live))
		w.word(int64(m.kindOf[slot]))
		if m.coming>>slot&1 != 0 {
			w.time(m.agenda.at[slot*m.perSlot], m.now)
		}
	}
	if w.same {
		m.engine.visit(w)
	}
	m.load.visit(w, m.now)
}
