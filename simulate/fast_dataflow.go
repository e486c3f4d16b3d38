package simulate

import (
	"context"
	"math/bits"
	"slices"

	"gpupipe/idg"
)

// dataflow is the fast engine for dataflow issue, of whole programs or of one
// basic block after the other.
type dataflow struct {
	machine
	flows   []flow // by place
	futures futures
	blocked bool        // there is an issue interval
	allowed uint32      // its ring
	rings   []classRing // by classID
	busy    []readyKey  // by route from minPorts on: all bits while it is not free for the sub-core that issues
}

// flow is the state of the warp at a place. Its instructions are numbered as they
// stand in the program, modulo 2^32, from where those of the warp before it ended.
type flow struct {
	block    *flowBlock
	base     uint32  // number of the block's first instruction
	size     uint32  // of the block
	waits    []uint8 // by node: dependences not yet satisfied, see flowBlock.preds
	core     *subCore
	since    Tick  // when count last became 0 or an instruction issued
	count    int32 // instructions that are ready
	unissued int32 // instructions of the block; up to here a cache line
	ready    readySets
	walk     *window // if the program's loops are walked; the block is then of all nodes, and size 0
	live     bool

	rounds  []uint32 // by index in flowBlock.many
	started Tick     // when its group started
	allowed Tick     // issue interval: may issue from here on
	end     Tick     // the latest end of a final instruction
	class   uint32   // of that instruction
	rank    uint32   // of that event
	open    int32    // final barriers that it has reached and the group has not

	program *flowProgram
	id      uint32        // of the block
	passed  int64         // barriers of earlier blocks
	pending []flowBarrier // of earlier blocks, by barrier modulo those that can be open
	left    []int64       // by repetition: executions of the body to come, the current one included
	outer   outerMemory
	own     *window // for programs whose loops are walked
}

// flowBarrier is a barrier that a warp has reached.
type flowBarrier struct {
	number, class uint32
	flags         nodeFlags
}

func newDataflow(s *setup) *dataflow {
	e := &dataflow{blocked: s.hw.intervalTicks > 0}
	e.init(s, e)
	e.flows = make([]flow, e.slots*e.perSlot, maxFastPlaces)
	e.busy = make([]readyKey, max(minPorts, len(e.routes)))
	e.futures.first = never
	e.setBarriers(max(2, s.work.openBarriers(func(p *program) bool { return p.flow.free })))
	e.addRings()
	for place := range e.flows {
		most, loops := 0, 0
		for i := range e.kinds {
			p := e.kinds[i].byWarp[place%e.perSlot].flow
			most, loops = max(most, p.most), max(loops, p.loops)
		}
		w := &e.flows[place]
		*w = flow{
			core: e.coreOf[place],
			left: make([]int64, loops), outer: e.newOuterMemory(place), own: e.newWindow(place),
		}
		w.ready.init(len(e.routes), most)
		if s.cfg.Issue == Blocks {
			w.pending = make([]flowBarrier, e.open)
		}
	}
	return e
}

func (e *dataflow) startWarp(place int) {
	w := &e.flows[place]
	w.program = e.programOf(place).flow
	w.since, w.started, w.allowed, w.end, w.rank = e.now, e.now, e.now, e.now, 0
	w.unissued, w.count, w.open, w.passed, w.live = 0, 0, 0, 0, true
	w.base += w.size
	if w.walk != nil {
		w.base += w.walk.size
	}
	w.block, w.size, w.walk = nil, 0, nil
	e.ranks.mayIssue |= e.ranks.bit(place)
	if len(w.program.blocks) == 0 {
		e.endWarp(place)
		return
	}
	if w.program.window > 0 {
		e.startWalk(place, w)
		return
	}
	w.outer.reset(w.program)
	e.startBlock(place, w, 0)
}

func (e *dataflow) run(ctx context.Context) error {
	first := &e.cores[0]
	for left := 0; ; left-- {
		now := min(e.agenda.first, e.futures.first, first.wake)
		if len(e.cores) > 1 {
			now = min(now, e.next())
		}
		e.now = now
		if left == 0 || now > maxTime || e.refused != nil {
			if now == never {
				return nil
			}
			if err := e.check(ctx); err != nil {
				return err
			}
			left = stepsPerCheck
		}
		if now == e.futures.first {
			e.endInstrs()
		}
		if now == e.agenda.first {
			e.endEvents()
			if e.finished|e.replaced != 0 {
				e.replace()
				e.looped = true
			}
		}
		if len(e.cores) > 1 {
			e.issueAll()
		} else if first.wake <= now {
			e.issueCore(first)
		}
		if e.looped {
			e.looped = false
			e.skipRepeats()
		}
	}
}

// endInstrs handles the completions and λ that end now. It makes no events.
func (e *dataflow) endInstrs() {
	f := &e.futures
	if len(f.heads) <= ringsPerBlock {
		f.first = e.endBlock(f.heads, f.rings)
		return
	}
	f.first = never
	for b, first := range f.blocks {
		if first == e.now {
			from, to := b*ringsPerBlock, min((b+1)*ringsPerBlock, len(f.heads))
			first = e.endBlock(f.heads[from:to], f.rings[from:to])
			f.blocks[b] = first
		}
		f.first = min(f.first, first)
	}
}

// endBlock handles those of a block of rings and returns the time of its next
// event.
func (e *dataflow) endBlock(heads []Tick, rings []future) Tick {
	now, next := e.now, never
	rings = rings[:len(heads)]
	for i, head := range heads {
		for q := &rings[i]; head == now; head = q.drop() {
			d := q.front()
			w := &e.flows[d.place]
			v, b := d.number-w.base, w.block
			if v >= w.size || q.kind == eventAllowed {
				e.endElsewhere(w, d, q.kind)
				continue
			}
			list := 2*v + q.list
			ends, waits := b.ends, w.waits
			for i, to := b.lists[list], b.lists[list+1]; i < to; i++ {
				end := &ends[i]
				left := waits[end.node] - 1
				waits[end.node] = left
				if left == 0 && (end.flags&flagMany == 0 || !w.another(end.node)) {
					e.makeReady(int(d.place), w, end.node, end.subsystem, b.nodes[v].class)
				}
			}
			if b.kept != nil && b.nodes[v].flags&flagKept != 0 {
				e.endElsewhere(w, d, q.kind)
			}
		}
		heads[i] = head
		next = min(next, head)
	}
	return next
}

// endElsewhere handles an event that is not, or not only, the end of an instruction of
// a warp's block for which others of the block may wait.
func (e *dataflow) endElsewhere(w *flow, d *delayed, kind eventKind) {
	switch {
	case kind == eventAllowed:
		// The warp may have been replaced since.
		if w.live && w.allowed <= e.now {
			e.ranks.mayIssue |= e.ranks.bit(int(d.place))
			w.core.wake = e.now
		}
	case w.walk != nil:
		e.endWalked(w, d, kind == eventPassed)
	default:
		e.endOuter(w, d, kind == eventPassed)
	}
}

// take takes a dependence off the instruction that waits for it, and reports
// whether none is left, but for another round of counting.
func (w *flow) take(end *flowEnd) bool {
	left := w.waits[end.node] - 1
	w.waits[end.node] = left
	return left == 0
}

// another starts another round of counting the dependences of a node, if it has
// one.
func (w *flow) another(v uint32) bool {
	i, _ := slices.BinarySearch(w.block.many, idg.NodeID(v))
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
	idle := Tick(w.count-1) >> 63 // all bits, if nothing else is ready: no branch, which would often be mispredicted
	waited := (e.now - w.since) & idle
	e.table[cause].waited.add(waited)
	w.since += waited
	w.count++
	w.ready.add(int(subsystem), v)
	e.markReady(w.core, place, &w.core.ports[subsystem])
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
	barriers := w.passed
	if w.walk != nil {
		barriers += int64(len(w.walk.incomplete()))
	} else if w.block != nil {
		barriers += int64(len(w.block.barriers))
	}
	e.leave(place, barriers, e.release)
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

// issueCore lets a sub-core issue what it can now. It has all that an instruction takes
// as a rule, because calls would cost a tenth of the machine instructions.
func (e *dataflow) issueCore(c *subCore) {
	now, ports, n, r := e.now, c.padded, len(c.ports), &e.ranks
	flows := (*[maxFastPlaces]flow)(e.flows[:maxFastPlaces])
	p := (*[minPorts]fastPort)(ports)
	for c.valve <= now {
		b0, b1, b2, b3 := p[0].busy(now), p[1].busy(now), p[2].busy(now), p[3].busy(now)
		available := p[0].ready&^uint64(b0) | p[1].ready&^uint64(b1) | p[2].ready&^uint64(b2) | p[3].ready&^uint64(b3)
		for i := minPorts; i < n; i++ {
			e.busy[i] = ports[i].busy(now)
			available |= ports[i].ready &^ uint64(e.busy[i])
		}
		if e.blocked {
			available &= r.mayIssue
		}
		if available == 0 {
			break
		}
		var place, rank int
		switch r.scheduler {
		case RoundRobin:
			after := c.last + 1
			place = (bits.TrailingZeros64(bits.RotateLeft64(available, -after)|1<<63) + after) & (maxFastPlaces - 1)
			rank = place
		case GreedyThenOldest:
			rank = r.greedyOrOldest(c, available)
			place = int(r.at[rank])
		default:
			place = r.pick(c, available)
			r.issued(c, place)
			rank = int(r.of[place&(maxFastPlaces-1)])
		}
		c.last = place
		w := &flows[place&(maxFastPlaces-1)]
		// The first instruction of the warp, in program order, among those whose
		// subsystem is free.
		h := &w.ready.few
		if n > minPorts {
			h = (*[minPorts]readyHead)(w.ready.heads)
		}
		first := min(h[0].first|b0, h[1].first|b1, h[2].first|b2, h[3].first|b3)
		for i := minPorts; i < n; i++ {
			first = min(first, w.ready.heads[i].first|e.busy[i])
		}
		v, s := first.node(), first.subsystem()
		bit := uint64(0)
		if w.ready.pop(first) {
			bit = 1 << (rank & (maxFastPlaces - 1))
		}
		id := v
		if w.walk != nil {
			id = w.node(v)
		}
		node := &w.block.nodes[id]
		slots := e.valves[node.class]
		valve := now + slots
		if e.ported {
			c.reading, valve = e.hw.read(c.reading, now, w.block.words[id], slots)
		}
		c.valve = valve
		class, port := &e.table[node.class], &ports[s]
		e.issued++
		class.queued.add(now - w.since)
		w.since = now
		w.count--
		w.unissued--
		if flags := node.flags; flags&(flagQueued|flagApart) == 0 {
			port.take(bit, now+node.hold)
			if port.shared {
				e.takeShared(c, port, port.free)
			}
			if flags&(flagLoaded|flagPassed|flagBarrier|flagFinal) == 0 {
				e.futures.push(class.ring, now, place, w.base+v)
			} else {
				e.follow(place, w, v, node, now)
			}
		} else {
			e.follow(place, w, v, node, e.takeApart(c, port, bit, node))
		}
		if e.blocked {
			w.allowed = now + e.interval
			r.mayIssue &^= r.bit(place)
			e.futures.push(e.allowed, now, place, w.base)
		}
		if w.unissued == 0 {
			e.nextBlock(place, w)
		}
	}
	if e.blocked {
		c.wake = c.nextWakeOf(r.mayIssue)
	} else {
		c.wake = c.nextWake()
	}
}

// takeApart gives an instruction that was ready, of a warp whose rank is the bit if it was the warp's
// only one, a place in a queue, or what it takes of pairs, and returns its turn.
func (e *dataflow) takeApart(c *subCore, p *fastPort, bit uint64, node *flowNode) Tick {
	if node.flags&flagApart != 0 {
		return e.takePaired(c, p, bit, node.class)
	}
	return e.enqueue(c, p, bit, node.hold)
}

// follow makes what follows from the issue of an instruction, where that is not
// just its completion, for which others wait.
func (e *dataflow) follow(place int, w *flow, v uint32, node *flowNode, turn Tick) {
	number := w.base + v
	switch {
	case node.flags&flagLoaded != 0:
		e.access(place, w, number, node, turn)
	case node.flags&(flagDone|flagBarrier) != flagDone:
	case node.flags&flagQueued != 0:
		r := e.rings[node.class]
		e.futures.insert(r.done, turn+e.table[node.class].latency, place, number, r.order)
	default:
		e.futures.push(e.rings[node.class].done, e.now, place, number)
	}
	if node.flags&flagPassed != 0 {
		e.futures.push(e.rings[node.class].passed, e.now, place, number)
	}
	if node.flags&(flagBarrier|flagFinal) != 0 {
		e.finish(place, w, v, node, turn)
	}
}

// access makes the events that follow from the completion of an access whose
// latency depends on the load.
func (e *dataflow) access(place int, w *flow, number uint32, node *flowNode, turn Tick) {
	at := turn + e.accesses(node.class, turn)
	if node.flags&flagDone != 0 {
		r := e.rings[node.class]
		e.futures.insert(r.done, at, place, number, r.order)
	}
	if node.flags&flagOutlasts != 0 {
		e.prolong(w, node.class, at)
	}
}

// finish does what only barriers and the last instructions of a warp need.
func (e *dataflow) finish(place int, w *flow, v uint32, node *flowNode, turn Tick) {
	if node.flags&flagBarrier == 0 {
		e.prolong(w, node.class, turn+e.table[node.class].lifetime)
		return
	}
	if node.flags&flagFinal != 0 {
		w.open++
	}
	k := e.barrierAt(w, v)
	w.unissued++ // so that the release does not end the warp
	if slot := place / e.perSlot; e.arrives(slot, k) {
		e.release(slot, k)
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
		if !w.live {
			continue // it has fewer barriers
		}
		b := w.barrier(k)
		if w.walk != nil {
			w.passBarrier(k)
		}
		if b.flags&flagDone != 0 {
			e.futures.push(e.rings[b.class].done, e.now, place, b.number)
		}
		if b.flags&flagFinal == 0 {
			continue
		}
		w.open--
		e.prolong(w, b.class, e.now+e.table[b.class].lifetime)
		if w.unissued == 0 && w.open == 0 {
			e.agenda.push(place, w.end)
		}
	}
}

// barrierAt counts the barriers of a warp in front of one that it reaches.
func (e *dataflow) barrierAt(w *flow, v uint32) int64 {
	if w.walk != nil {
		return e.walkedBarrier(w, w.base+v)
	}
	i, _ := slices.BinarySearch(w.block.barriers, idg.NodeID(v))
	return w.passed + int64(i)
}

// barrier is the k-th barrier of a warp, which it has reached.
func (w *flow) barrier(k int64) flowBarrier {
	if w.walk != nil {
		return w.walk.incomplete()[k-w.passed].flowBarrier
	}
	if k >= w.passed {
		v := w.block.barriers[k-w.passed]
		return flowBarrier{w.base + uint32(v), w.block.nodes[v].class, w.block.nodes[v].flags}
	}
	return w.pending[k&int64(len(w.pending)-1)]
}
