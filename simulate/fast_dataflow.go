package simulate

import (
	"context"
	"math/bits"
	"slices"

	"gpupipe/idg"
)

// dataflow is the fast engine for dataflow issue.
type dataflow struct {
	machine
	flows   []flow // by place
	futures futures
	blocked bool        // there is an issue interval
	allowed uint32      // its ring
	rings   []classRing // by classID
}

// classRing is where the events of a class go.
type classRing struct{ done, passed uint32 }

// flow is the state of the warp at a place.
type flow struct {
	program  *flowProgram
	core     *subCore
	waits    []uint8  // by node: dependences not yet satisfied, see flowProgram.preds
	rounds   []uint32 // by index in flowProgram.many
	ready    readySets
	since    Tick   // when count last became 0 or an instruction issued
	started  Tick   // when its group started
	allowed  Tick   // issue interval: may issue from here on
	end      Tick   // the latest end of a final instruction
	class    uint32 // of that instruction
	rank     uint32 // of that event
	count    int32  // instructions that are ready
	unissued int32
	open     int32 // final barriers that it has reached and the group has not
	live     bool
}

func newDataflow(s *setup) *dataflow {
	e := &dataflow{blocked: s.hw.intervalTicks > 0}
	e.init(s, e)
	e.flows = make([]flow, e.slots*e.perSlot)
	e.futures.first = never
	e.setBarriers(s.work.openBarriers(func(p *program) bool { return true }))
	e.addRings()
	for place := range e.flows {
		longest := 0
		for i := range e.kinds {
			longest = max(longest, e.kinds[i].byWarp[place%e.perSlot].flow.len())
		}
		e.flows[place] = flow{core: e.coreOf[place], ready: newReadySets(len(e.subsystems), longest)}
	}
	return e
}

// addRings makes a ring for each kind and delay of event that occurs, in the
// order of eventRanks.
func (e *dataflow) addRings() {
	used := map[queueKey]uint32{}
	for i := range e.kinds {
		for _, p := range e.kinds[i].programs {
			for v := range idg.NodeID(p.len()) {
				done, passed := e.classes[p.class[v]].events()
				if len(p.done.of(v)) > 0 {
					used[done] = 0
				}
				if len(p.passed.of(v)) > 0 {
					used[passed] = 0
				}
			}
		}
	}
	e.rings = make([]classRing, len(e.classes))
	added := map[queueKey]bool{}
	ring := func(k queueKey) uint32 {
		if _, ok := used[k]; ok && !added[k] {
			added[k], used[k] = true, e.futures.add(k)
		}
		return used[k]
	}
	for i := range e.classes {
		done, passed := e.classes[i].events()
		e.rings[i] = classRing{ring(done), ring(passed)}
	}
	e.allowed = e.futures.add(queueKey{eventAllowed, e.interval, 0})
}

func (e *dataflow) startWarp(place int) {
	w := &e.flows[place]
	p := e.programOf(place).flow
	w.program = p
	w.waits, w.rounds = append(w.waits[:0], p.preds...), append(w.rounds[:0], p.rounds...)
	w.since, w.started, w.allowed, w.end, w.rank = e.now, e.now, e.now, e.now, 0
	w.unissued, w.count, w.open, w.live = int32(p.len()), 0, 0, true
	e.ranks.mayIssue |= e.ranks.bit(place)
	if p.len() == 0 {
		e.endWarp(place)
		return
	}
	for _, v := range p.roots {
		e.makeReady(place, w, uint32(v), p.nodes[v].subsystem, p.nodes[v].class)
	}
}

func (e *dataflow) run(ctx context.Context) error {
	for steps := 0; ; steps++ {
		e.now = min(e.next(), e.futures.first)
		if e.now == never {
			return nil
		}
		if steps%stepsPerCheck == 0 || e.now > maxTime || e.refused != nil {
			if err := e.check(ctx); err != nil {
				return err
			}
		}
		if e.now == e.futures.first {
			e.endInstrs()
		}
		if e.now == e.agenda.first {
			e.endEvents()
			if e.finished|e.replaced != 0 {
				e.replace()
				e.skipRepeats()
			}
		}
		if len(e.cores) > 1 {
			e.issueAll()
		} else if c := &e.cores[0]; c.wake <= e.now {
			e.issueCore(c)
		}
	}
}

// endInstrs handles the completions and λ that end now. It makes no events.
func (e *dataflow) endInstrs() {
	f := &e.futures
	f.first = never
	for b, first := range f.blocks {
		if first == e.now {
			first = e.endBlock(b * ringsPerBlock)
			f.blocks[b] = first
		}
		f.first = min(f.first, first)
	}
}

// endBlock handles those of a block of rings and returns the time of its next
// event.
func (e *dataflow) endBlock(from int) Tick {
	f := &e.futures
	next := never
	for i, head := range f.heads[from:min(from+ringsPerBlock, len(f.heads))] {
		if head == e.now {
			head = e.drain(&f.rings[from+i])
			f.heads[from+i] = head
		}
		next = min(next, head)
	}
	return next
}

// drain handles the events of a ring that are due and returns the time of the
// next one.
func (e *dataflow) drain(q *future) Tick {
	for {
		d, next := q.pop()
		w := &e.flows[d.place]
		switch q.kind {
		case eventAllowed:
			// The event may be of a warp that has been replaced since.
			if w.live && w.allowed <= e.now {
				e.ranks.mayIssue |= e.ranks.bit(int(d.place))
				w.core.wake = e.now
			}
		case eventPassed:
			p := w.program
			e.satisfy(w, d, p.passed[p.nodes[d.node].passedFirst:p.nodes[d.node+1].passedFirst])
		default:
			p := w.program
			e.satisfy(w, d, p.done[p.nodes[d.node].doneFirst:p.nodes[d.node+1].doneFirst])
		}
		if next != e.now {
			return next
		}
	}
}

// satisfy takes the dependences on an instruction off those that wait for it.
func (e *dataflow) satisfy(w *flow, d delayed, ends []flowEnd) {
	for _, end := range ends {
		left := w.waits[end.node] - 1
		w.waits[end.node] = left
		if left != 0 || end.flags&flagMany != 0 && w.another(end.node) {
			continue
		}
		e.makeReady(int(d.place), w, end.node, end.subsystem, w.program.nodes[d.node].class)
	}
}

// another starts another round of counting the dependences of a node, if it has
// one.
func (w *flow) another(v uint32) bool {
	i, _ := slices.BinarySearch(w.program.many, idg.NodeID(v))
	if w.rounds[i] == 0 {
		return false
	}
	w.rounds[i]--
	w.waits[v] = 255
	return true
}

// makeReady notes that nothing holds v any more; cause is the class of the
// instruction that held it last.
func (e *dataflow) makeReady(place int, w *flow, v uint32, subsystem uint16, cause uint32) {
	if w.count == 0 {
		e.table[cause].waited.add(e.now - w.since)
		w.since = e.now
	}
	w.count++
	w.ready.add(int(subsystem), v)
	e.markReady(w.core, place, subsystem)
}

// endEvents handles the ends of warps and of replacement times.
func (e *dataflow) endEvents() {
	for due := e.agenda.pop(); due != 0; due &= due - 1 {
		place := bits.TrailingZeros64(due)
		w := &e.flows[place]
		if !w.live {
			e.replaced |= 1 << (place / e.perSlot)
			continue
		}
		e.table[w.class].waited.add(e.now - w.since)
		e.endWarp(place)
	}
}

func (e *dataflow) endWarp(place int) {
	w := &e.flows[place]
	w.live = false
	e.leave(place, int64(len(w.program.barriers)), e.release)
	e.warpEnds(place, w.started)
}

// issueAll lets every sub-core issue what it can now, in turn.
func (e *dataflow) issueAll() {
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

// mayIssue returns the ranks of the warps that the issue interval lets issue.
func (e *dataflow) mayIssue() uint64 {
	if e.blocked {
		return e.ranks.mayIssue
	}
	return ^uint64(0)
}

// issueCore lets a sub-core issue what it can now.
func (e *dataflow) issueCore(c *subCore) {
	for c.valve <= e.now {
		available := c.available(e.now) & e.mayIssue()
		if available == 0 {
			break
		}
		e.issue(c, e.ranks.pick(c, available))
	}
	c.wake = c.nextWake(e.mayIssue())
}

// issue issues the first instruction of a warp, in program order, among those
// whose subsystem is free.
func (e *dataflow) issue(c *subCore, place int) {
	w := &e.flows[place]
	v, s := noNode, 0
	for i, first := range w.ready.first {
		if *c.ports[i].free > e.now {
			first = noNode
		}
		if first < v {
			v, s = first, i
		}
	}
	port := &c.ports[s]
	if w.ready.pop(s, v) {
		port.ready &^= e.ranks.bit(place)
	}
	node := &w.program.nodes[v]
	class := &e.table[node.class]
	*port.free = e.now + class.hold
	c.valve = e.now + e.valve
	e.ranks.issued(c, place)
	if port.shared {
		e.turn = (c.index + 1) % len(e.cores)
	}
	e.issued++
	class.queued.add(e.now - w.since)
	w.since = e.now
	w.count--
	w.unissued--
	if node.flags&flagLoaded != 0 {
		e.access(place, w, v, node)
	} else if node.flags&(flagDone|flagBarrier) == flagDone {
		e.futures.push(e.rings[node.class].done, e.now, place, v)
	}
	if node.flags&flagPassed != 0 {
		e.futures.push(e.rings[node.class].passed, e.now, place, v)
	}
	if e.blocked {
		w.allowed = e.now + e.interval
		e.ranks.mayIssue &^= e.ranks.bit(place)
		e.futures.push(e.allowed, e.now, place, v)
	}
	if node.flags&(flagBarrier|flagFinal) != 0 {
		e.finish(place, w, v, node)
	}
	if w.unissued == 0 && w.open == 0 {
		e.agenda.push(place, w.end)
	}
}

// access makes the events that follow from the completion of an access whose
// latency depends on the load.
func (e *dataflow) access(place int, w *flow, v uint32, node *flowNode) {
	at := e.now + e.accesses(node.class)
	if node.flags&flagDone != 0 {
		e.futures.insert(e.rings[node.class].done, at, place, v)
	}
	if node.flags&flagOutlasts != 0 {
		e.prolong(w, node.class, at)
	}
}

// finish does what only barriers and the last instructions of a warp need.
func (e *dataflow) finish(place int, w *flow, v uint32, node *flowNode) {
	if node.flags&flagBarrier == 0 {
		e.prolong(w, node.class, e.now+e.table[node.class].lifetime)
		return
	}
	final := node.flags&flagFinal != 0
	if final {
		w.open++
	}
	k, _ := slices.BinarySearch(w.program.barriers, idg.NodeID(v))
	w.unissued++ // so that the release does not end the warp
	if slot := place / e.perSlot; e.arrives(slot, int64(k)) {
		e.release(slot, int64(k))
	}
	w.unissued--
}

// prolong notes that a final instruction ends then.
func (e *dataflow) prolong(w *flow, id uint32, at Tick) {
	rank := e.table[id].endRank
	if at > w.end || at == w.end && rank >= w.rank {
		w.end, w.rank, w.class = at, rank, id
	}
}

// release lets the warps of a group pass their k-th barrier, which all have
// reached.
func (e *dataflow) release(slot int, k int64) {
	for place := slot * e.perSlot; place < (slot+1)*e.perSlot; place++ {
		w := &e.flows[place]
		if k >= int64(len(w.program.barriers)) {
			continue
		}
		v := w.program.barriers[k]
		node := &w.program.nodes[v]
		if node.flags&flagFinal == 0 {
			e.futures.push(e.rings[node.class].done, e.now, place, uint32(v))
			continue
		}
		w.open--
		e.prolong(w, node.class, e.now+e.table[node.class].lifetime)
		if w.unissued == 0 && w.open == 0 {
			e.agenda.push(place, w.end)
		}
	}
}

func (e *dataflow) visit(s *stateWalk) {
	for place := range e.flows {
		w := &e.flows[place]
		if !w.live {
			s.word(-1)
			continue
		}
		s.word(int64(w.unissued))
		s.word(int64(w.count))
		s.word(int64(w.open))
		s.word(int64(w.since - e.now))
		s.started(w.started, e.now)
		s.time(w.allowed, e.now)
		s.time(w.end, e.now)
		if w.end > e.now {
			s.word(int64(w.class))
			s.word(int64(w.rank))
		}
		if !s.same {
			return
		}
	}
	e.futures.visit(s, e.now)
	for place := range e.flows {
		w := &e.flows[place]
		if !w.live || !s.same {
			continue
		}
		s.block(w.waits)
		for _, r := range w.rounds {
			s.word(int64(r))
		}
		for i := range w.ready.sets {
			for _, x := range w.ready.sets[i].words {
				s.word(int64(x))
			}
		}
	}
}

func (e *dataflow) skipTurns(int, int, int64) {} // repetitions are expanded

func (e *dataflow) shift(t, warps Tick) {
	for place := range e.flows {
		w := &e.flows[place]
		w.since, w.started, w.allowed, w.end = w.since+t, w.started+warps, w.allowed+t, w.end+t
	}
	e.futures.shift(t)
}
