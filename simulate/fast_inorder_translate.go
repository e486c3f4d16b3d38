package simulate

import (
	"math"
	"math/bits"

	"gpupipe/idg"
)

// reach returns how far back an instruction must lie to have ended for certain
// when the one before the current one issues, in order: of n instructions in a row some
// subsystem takes n/S, one per λ but for those that its queue holds, and valve and issue interval let n pass in n - 1
// times theirs. Idle of them in a row, at most, take no issue slot.
func (w *workload) reach(hw *hardware, classes []classID, idle int64) int64 {
	longest, hold, valve, places := Tick(0), never, never, 0
	uses := map[uint16]bool{}
	for _, id := range classes {
		c := &w.classes[id]
		longest = max(longest, c.latency+maxQueue*c.queueing, c.hold)
		if c.slots > 0 {
			valve = min(valve, c.valve)
		}
		for _, x := range c.charges {
			hold = min(hold, x.hold)
			places = max(places, hw.queueOf(x.subsystem))
		}
		uses[c.charges[0].used] = true
	}
	longest += w.longestWait(hw)
	n := Tick(math.MaxInt64)
	if len(classes) > 0 && longest/hold < maxTime/Tick(len(uses)+1) {
		n = Tick(len(uses)) * (longest/hold + Tick(places) + 2)
	}
	if t := hw.intervalTicks; t > 0 {
		n = min(n, longest/t+2)
	}
	if hw.valveTicks > 0 {
		if taking := longest/valve + 2; idle < int64((maxTime-taking)/(taking+1)) {
			n = min(n, taking+(taking+1)*Tick(idle))
		}
	}
	return int64(n)
}

// idle is how many instructions in a row, as they are executed, take no issue slot.
func (w *workload) idle(l *layout, src code, first classID) int64 {
	return l.longestRun(src.StaticLen(), func(s int) bool {
		return w.classes[first+classID(src.StaticInstr(idg.StaticID(s))-1)].slots == 0
	})
}

// orderer translates a program for in-order issue.
type orderer struct {
	*workload
	layout
	hw    *hardware
	p     *orderedProgram
	src   code
	words []uint8 // by stored instruction: see program.wordsOf
	first classID
	reach int64 // dependences from here on are left out; math.MaxInt64 = none
	slots map[heldKey]uint32
	// waited says, by stored instruction, what others of its segment wait for.
	waited []outlived
}

// outlived says, as a set, what of an instruction another one waits for, so that it
// ends later.
type outlived uint8

const (
	outlivedDone   outlived = 1 << iota // its completion
	outlivedPassed                      // the end of its λ
	outlivedSets   = 1 << iota
)

// heldKey is a dependence that is held over a loop.
type heldKey struct {
	loop uint32
	off  int64
}

// order translates a program for in-order issue. Repetitions are expanded only
// where barriers are free.
func (w *workload) order(p *program, hw *hardware) (*orderedProgram, error) {
	o := &orderer{workload: w, hw: hw, layout: newLayout(p.source), src: p.source, first: p.first,
		p: &orderedProgram{}, slots: map[heldKey]uint32{}}
	o.p.free = p.barrierCount > 0 && !o.gated()
	if o.p.free && len(o.loops) > 0 {
		flat, err := w.expand(p, freeNote)
		if err != nil {
			return nil, err
		}
		o.src = &expanded{flat: flat}
		o.layout = newLayout(o.src)
	}
	o.words = p.wordsOf(o.src)
	o.p.inner, o.p.opens = o.inner, o.opens
	for _, r := range o.loops {
		o.p.loops = append(o.p.loops, orderedLoop{repetition: r})
	}
	o.reach = math.MaxInt64
	if !o.p.free {
		o.reach = w.reach(hw, p.classesUsed(), w.idle(&o.layout, o.src, o.first))
	}
	if err := o.addNodes(); err != nil {
		return nil, err
	}
	return o.p, nil
}

func (o *orderer) class(s idg.StaticID) classID { return o.first + classID(o.src.StaticInstr(s)-1) }

// gated reports whether the instruction behind a barrier always waits for it.
func (o *orderer) gated() bool {
	n := o.src.StaticLen()
	waits := func(s int, back bool) bool { // for what was executed just before it
		if s == n {
			return true
		}
		for _, d := range o.src.StaticPreds(idg.StaticID(s)) {
			if d.Kind != idg.Order && (d.Base == 0 && d.Distance == 1 || !back && o.firstDistance(uint32(s), d) == 1) {
				return true
			}
		}
		return false
	}
	for s := range n {
		if !o.classes[o.class(idg.StaticID(s))].barrier {
			continue
		}
		if !waits(s+1, false) {
			return false
		}
		for r := o.innermost(uint32(s)); r != 0 && int(o.loops[r-1].end) == s+1; r = o.loops[r-1].parent {
			if !waits(int(o.loops[r-1].first), true) {
				return false
			}
		}
	}
	return true
}

// segment is a stretch of stored instructions between which no repetition
// begins or ends: they are always executed together.
type segment struct {
	first uint32
	// waited are the dependences on earlier instructions on which one of the segment
	// waits.
	waited map[segmentKey]bool
}

// waits notes that an instruction of the segment waits for something, and
// reports whether an earlier one does.
func (g *segment) waits(k segmentKey) bool {
	if g.waited[k] {
		return true
	}
	if g.waited == nil {
		g.waited = map[segmentKey]bool{}
	}
	g.waited[k] = true
	return false
}

type segmentKey struct {
	at    int64 // executed number, relative to the segment's first; or that of a held time
	order bool
	held  bool
}

func (o *orderer) addNodes() error {
	n := uint32(o.src.StaticLen())
	var list []need
	o.p.nodes, o.p.first = make([]orderedNode, n+1), make([]uint32, n+1)
	furthest := int64(nearby)
	seg := segment{}
	o.waited = make([]outlived, n)
	for s := range n {
		if s > 0 && o.loops != nil && (o.opens[s] != 0 || o.endsAt(s)) {
			seg = segment{first: s}
		}
		list = list[:0]
		preds := o.src.StaticPreds(idg.StaticID(s))
		for i := range preds {
			nd, reaches, err := o.need(&seg, s, &preds[i])
			if err != nil {
				return err
			}
			if reaches > 0 {
				furthest = max(furthest, reaches)
				list = append(list, nd)
			}
		}
		if len(list) == 0 {
			list = o.any(list, preds, s, seg.first)
		}
		o.addNode(s, list)
	}
	o.p.first[n] = uint32(len(o.p.more))
	o.addFlags()
	if furthest > o.mostRing {
		return tooFar(furthest, o.reach)
	}
	o.p.ring = 1 << bits.Len32(uint32(furthest-1))
	return nil
}

// addFlags sets the flags of instructions that follow from what waits for them, or
// from the whole program.
func (o *orderer) addFlags() {
	for s, set := range o.waited {
		node := &o.p.nodes[s]
		c := &o.classes[node.class]
		node.flags |= c.flags(set&outlivedDone != 0, set&outlivedPassed != 0)
		if o.p.traced {
			node.flags |= flagTraced
		}
		if c.queued || o.hw.ports.readingTicks > 0 || o.hw.isShared(c.charges[0].subsystem) || c.paired {
			node.flags |= flagApart
		}
		if int64(len(o.waited)-s) >= o.reach && node.flags&flagBarrier == 0 { // it has ended when the last one issues
			node.flags &^= flagFinal | flagOutlasts
		}
		if o.p.free && node.flags&flagBarrier != 0 {
			o.p.barriers = append(o.p.barriers, idg.Executed(o.number(uint32(s))))
		}
	}
}

// endsAt reports whether a repetition ends before a stored instruction.
func (o *orderer) endsAt(s uint32) bool {
	r := o.inner[s-1]
	return r != 0 && o.loops[r-1].end == s
}

// need translates a dependence of s, and returns how far it reaches back into
// the ring, or 0 if it needs no look.
func (o *orderer) need(seg *segment, s uint32, d *idg.Producer) (need, int64, error) {
	order, bit, end := false, int64(0), outlivedDone
	if d.Kind == idg.Order {
		order, bit, end = true, 1, outlivedPassed
	}
	if d.Base == 0 || o.innermost(s) == 0 {
		dist := d.Distance
		if d.Base != 0 {
			dist = o.firstDistance(s, *d)
		}
		class, waited := anyClass, false
		if dist <= int64(s-seg.first) {
			u := int64(s) - dist
			class = o.p.nodes[u].class
			waited = o.waited[u]&end != 0
			o.waited[u] |= end
		} else {
			waited = seg.waits(segmentKey{at: int64(s-seg.first) - dist, order: order})
		}
		if dist >= o.reach || waited {
			return need{}, 0, nil
		}
		if class > maxCause {
			class, o.p.traced = anyClass, true
		}
		if dist > maxRing {
			return need{}, dist, nil
		}
		return need{off: uint32(2*dist + bit), class: class, order: order}, dist, nil
	}
	loop := o.enclosing(s, d.Base)
	dist, err := o.beforeLoop(s, loop, *d)
	if err != nil {
		return need{}, 0, err
	}
	if dist >= o.reach {
		return need{}, 0, nil
	}
	k := heldKey{loop, 2*dist + bit}
	slot, ok := o.slots[k]
	if !ok {
		slot = uint32(o.p.held)
		o.p.held++
		o.slots[k] = slot
		l := &o.p.loops[loop-1]
		l.captures = append(l.captures, capture{uint32(2*dist + bit), slot})
	}
	if seg.waits(segmentKey{at: int64(slot), held: true}) {
		return need{}, 0, nil
	}
	o.p.traced = true
	return need{off: slot, class: anyClass, held: true, order: order}, dist, nil
}

// any is a near dependence that needs no look, where there is one: instructions
// that all look are faster than a branch.
func (o *orderer) any(list []need, preds []idg.Producer, s, from uint32) []need {
	for _, d := range preds {
		if d.Base == 0 && d.Distance < nearby && d.Distance <= int64(s-from) {
			off := 2 * d.Distance
			if d.Kind == idg.Order {
				off++
			}
			return append(list, need{off: uint32(off), class: o.p.nodes[int64(s)-d.Distance].class,
				order: d.Kind == idg.Order})
		}
	}
	return list
}

// nearby is the length of the shortest ring.
const nearby = 16

// addNode stores an instruction with what it needs: first what the node holds. The
// list is overwritten.
func (o *orderer) addNode(s uint32, list []need) {
	class := o.class(idg.StaticID(s))
	node := &o.p.nodes[s]
	node.class, node.subsystem = uint32(class), o.classes[class].route
	if o.words != nil {
		node.words = o.words[s]
	}
	o.p.first[s] = uint32(len(o.p.more))
	few, flags := 0, nodeFlags(0)
	for i := range list {
		d := &list[i]
		if !d.held && d.off <= maxNear && few < fewNeeds {
			node.needs[few] = uint16(d.off - 2)
			if d.class > maxCause {
				flags |= flagUnsure
			}
			list[few] = *d
			few++
			continue
		}
		if d.held {
			flags |= flagHeld
		} else {
			flags |= flagMore
		}
		o.p.more = append(o.p.more, *d)
	}
	if few == 0 {
		flags |= flagFree
	}
	for i := max(few, 1); i < fewNeeds; i++ {
		node.needs[i] = node.needs[0]
	}
	if flags&flagUnsure == 0 {
		o.setCauses(node, list[:few])
	}
	if o.p.free {
		flags |= flagMore // it may have to wait for a barrier
	}
	if o.loops != nil && (o.endsAt(s+1) || o.opens[s+1] != 0) {
		flags |= flagTurn
	}
	node.flags = flags
}

// setCauses finds, for each set of the needs that a node holds, which of these
// ended last if they ended at one time. The first one stands also for those that there
// are not, as in the node.
func (o *orderer) setCauses(node *orderedNode, few []need) {
	switch len(few) {
	case 1:
		a := uint16(few[0].class)
		node.causes = [...]uint16{0, a, a, a, a, a, a, a}
	case 2:
		a, b, ab := uint16(few[0].class), uint16(few[1].class), uint16(o.later(&few[0], &few[1]).class)
		node.causes = [...]uint16{0, a, b, ab, a, a, ab, ab}
	case 3:
		a, b, c := &few[0], &few[1], &few[2]
		ab, ac, bc := o.later(a, b), o.later(a, c), o.later(b, c)
		abc := o.later(ab, c)
		for set, d := range [...]*need{1: a, b, ab, c, ac, bc, abc} {
			if d != nil {
				node.causes[set] = uint16(d.class)
			}
		}
	}
}

// later is the one of two needs that ends later if they end at one time.
func (o *orderer) later(a, b *need) *need {
	x, y := o.events[a.class].of(a.order), o.events[b.class].of(b.order)
	if y > x || y == x && b.off/2 < a.off/2 {
		return b
	}
	return a
}
