package simulate

import (
	"math"
	"math/bits"

	"gpupipe/idg"
)

// reach returns how far back an instruction must lie to have ended for certain
// when the one before the current one issues, in order: of n instructions in a row some
// subsystem takes n/S, one per λ, and valve and issue interval let n pass in n - 1
// times theirs.
func (w *workload) reach(hw *hardware, classes []classID) int64 {
	longest, hold := Tick(0), never
	uses := map[uint16]bool{}
	for _, id := range classes {
		c := &w.classes[id]
		longest = max(longest, c.latency+maxQueue*c.queueing, c.hold)
		hold = min(hold, c.hold)
		uses[uint16(c.subsystem)] = true
	}
	n := Tick(math.MaxInt64)
	if len(classes) > 0 && longest/hold < maxTime/Tick(len(uses)+1) {
		n = Tick(len(uses)) * (longest/hold + 2)
	}
	for _, t := range []Tick{hw.valveTicks, hw.intervalTicks} {
		if t > 0 {
			n = min(n, longest/t+2)
		}
	}
	return int64(n)
}

// orderer translates a program for in-order issue.
type orderer struct {
	*workload
	layout
	p     *orderedProgram
	src   code
	first classID
	ranks []eventRank // by classID
	few   []need      // of the node that is made
	reach int64       // dependences from here on are left out; math.MaxInt64 = none
	slots map[heldKey]uint32
}

// heldKey is a dependence that is held over a loop.
type heldKey struct {
	loop uint32
	off  int64
}

// order translates a program for in-order issue. Repetitions are expanded only
// where barriers are free.
func (w *workload) order(p *program, hw *hardware) (*orderedProgram, error) {
	o := &orderer{workload: w, layout: newLayout(p.source), src: p.source, first: p.first, ranks: w.eventRanks(), p: &orderedProgram{}, slots: map[heldKey]uint32{}}
	o.p.free = !o.gated()
	if o.p.free && len(o.loops) > 0 {
		flat, err := p.expanded(freeNote)
		if err != nil {
			return nil, err
		}
		o.src = &expanded{flat: flat}
		o.layout = newLayout(o.src)
	}
	o.p.inner, o.p.opens = o.inner, o.opens
	for _, r := range o.loops {
		o.p.loops = append(o.p.loops, orderedLoop{repetition: r})
	}
	o.reach = math.MaxInt64
	if !o.p.free {
		o.reach = w.reach(hw, o.classesUsed())
	}
	if err := o.addNodes(); err != nil {
		return nil, err
	}
	return o.p, nil
}

func (o *orderer) class(s idg.StaticID) classID { return o.first + classID(o.src.StaticInstr(s)-1) }

func (o *orderer) classesUsed() []classID {
	var used []classID
	seen := make([]bool, len(o.classes))
	for s := range idg.StaticID(o.src.StaticLen()) {
		if c := o.class(s); !seen[c] {
			seen[c] = true
			used = append(used, c)
		}
	}
	return used
}

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
	o.p.nodes, o.p.first = make([]orderedNode, n+1), make([]uint32, 0, n+1)
	furthest := int64(nearby)
	seg := segment{}
	done, passed := make([]bool, n), make([]bool, n) // someone of the segment waits for it
	for s := range n {
		if s > 0 && o.loops != nil && (o.opens[s] != 0 || o.endsAt(s)) {
			seg = segment{first: s}
		}
		list = list[:0]
		for _, d := range o.src.StaticPreds(idg.StaticID(s)) {
			nd, reaches, err := o.need(&seg, s, d, done, passed)
			if err != nil {
				return err
			}
			if reaches > 0 {
				furthest = max(furthest, reaches)
				list = append(list, nd)
			}
		}
		if len(list) == 0 {
			list = o.any(list, s, seg.first)
		}
		o.addNode(s, list)
	}
	o.p.first = append(o.p.first, uint32(len(o.p.more)))
	for s := range n {
		node := &o.p.nodes[s]
		node.flags |= o.classes[node.class].flags(done[s], passed[s])
		if o.p.traced {
			node.flags |= flagTraced
		}
		if o.classes[node.class].barrier && o.p.free {
			o.p.barriers = append(o.p.barriers, idg.Executed(o.number(s)))
		}
	}
	if furthest > maxRing {
		return tooFar(furthest, o.reach)
	}
	o.p.ring = 1 << bits.Len32(uint32(furthest-1))
	return nil
}

// endsAt reports whether a repetition ends before a stored instruction.
func (o *orderer) endsAt(s uint32) bool {
	r := o.inner[s-1]
	return r != 0 && o.loops[r-1].end == s
}

// need translates a dependence of s, and returns how far it reaches back into
// the ring, or 0 if it needs no look.
func (o *orderer) need(seg *segment, s uint32, d idg.Producer, done, passed []bool) (need, int64, error) {
	order := d.Kind == idg.Order
	bit := int64(0)
	if order {
		bit = 1
	}
	if d.Base == 0 || o.innermost(s) == 0 {
		dist := o.firstDistance(s, d)
		class, waited := anyClass, false
		if dist <= int64(s-seg.first) {
			u := int64(s) - dist
			class = uint32(o.class(idg.StaticID(u)))
			of := done
			if order {
				of = passed
			}
			waited, of[u] = of[u], true
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
	dist, err := o.beforeLoop(s, loop, d)
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
func (o *orderer) any(list []need, s, from uint32) []need {
	for _, d := range o.src.StaticPreds(idg.StaticID(s)) {
		if d.Base == 0 && d.Distance < nearby && d.Distance <= int64(s-from) {
			off := 2 * d.Distance
			if d.Kind == idg.Order {
				off++
			}
			return append(list, need{off: uint32(off), class: uint32(o.class(idg.StaticID(int64(s) - d.Distance))), order: d.Kind == idg.Order})
		}
	}
	return list
}

// nearby is the length of the shortest ring.
const nearby = 16

// addNode stores an instruction with what it needs: first what the node holds.
func (o *orderer) addNode(s uint32, list []need) {
	class := o.class(idg.StaticID(s))
	node := orderedNode{class: uint32(class), subsystem: o.classes[class].port}
	o.p.first = append(o.p.first, uint32(len(o.p.more)))
	few := o.few[:0]
	for _, d := range list {
		if !d.held && d.off <= maxNear && len(few) < fewNeeds {
			node.needs[len(few)] = uint16(d.off - 2)
			if d.class > maxCause {
				node.flags |= flagUnsure
			}
			few = append(few, d)
			continue
		}
		if d.held {
			node.flags |= flagHeld
		} else {
			node.flags |= flagMore
		}
		o.p.more = append(o.p.more, d)
	}
	if len(few) == 0 {
		node.flags |= flagFree
	}
	for i := max(len(few), 1); i < fewNeeds; i++ {
		node.needs[i] = node.needs[0]
	}
	if node.flags&flagUnsure == 0 {
		o.setCauses(&node, few)
	}
	if o.p.free {
		node.flags |= flagMore // it may have to wait for a barrier
	}
	if o.loops != nil && (o.endsAt(s+1) || o.opens[s+1] != 0) {
		node.flags |= flagTurn
	}
	o.p.nodes[s] = node
}

// setCauses finds, for each set of the needs that a node holds, which of these
// ended last if they ended at one time.
func (o *orderer) setCauses(node *orderedNode, few []need) {
	for set := range node.causes {
		if set&(set-1) == 0 || len(few) == 1 {
			if i := bits.TrailingZeros(uint(set)); i < len(few) {
				node.causes[set] = uint16(few[i].class)
			}
			continue
		}
		var last lastNeed
		for i, d := range few {
			if set>>i&1 != 0 {
				last.look(o.ranks[d.class], d.order, d.class, d.off/2)
			}
		}
		node.causes[set] = uint16(last.class)
	}
}
