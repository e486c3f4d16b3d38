package simulate

import (
	"fmt"
	"math"
	"math/bits"

	"gpupipe/idg"
	"gpupipe/internal/diag"
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

// code is a program as it is stored: an idg.Program, or one with its repetitions
// expanded.
type code interface {
	StaticLen() int
	StaticInstr(idg.StaticID) idg.InstrID
	StaticPreds(idg.StaticID) []idg.Producer
	Repeats() []idg.Repeat
}

// expanded is the code of an idg.Flat.
type expanded struct {
	flat *idg.Flat
	row  []idg.Producer
}

func (e *expanded) StaticLen() int                         { return e.flat.Len() }
func (e *expanded) StaticInstr(s idg.StaticID) idg.InstrID { return e.flat.Instr(idg.NodeID(s)) }
func (e *expanded) Repeats() []idg.Repeat                  { return nil }

func (e *expanded) StaticPreds(s idg.StaticID) []idg.Producer {
	e.row = e.row[:0]
	from, kind := e.flat.Preds(idg.NodeID(s))
	for i, u := range from {
		e.row = append(e.row, idg.Producer{Kind: kind[i], Distance: int64(s) - int64(u)})
	}
	return e.row
}

// orderer translates a program for in-order issue.
type orderer struct {
	*workload
	p     *orderedProgram
	src   code
	first classID
	reach int64 // dependences from here on are left out; math.MaxInt64 = none

	number []int64 // by stored instruction: when it is executed first
	length []int64 // by repetition: instructions of a body, inner repetitions expanded
	slots  map[heldKey]uint32
}

// heldKey is a dependence that is held over a loop.
type heldKey struct {
	loop uint32
	off  int64
}

// maxRing bounds the instructions that a warp remembers.
const maxRing = 1 << 22

// order translates a program for in-order issue. Repetitions are expanded only
// where barriers are free.
func (w *workload) order(p *program, hw *hardware) (*orderedProgram, error) {
	o := &orderer{workload: w, src: p.source, first: p.first, p: &orderedProgram{}, slots: map[heldKey]uint32{}}
	o.layOut()
	o.p.free = !o.gated()
	if o.p.free && len(o.p.loops) > 0 {
		flat, err := p.source.Expanded(idg.MaxExpanded)
		if err != nil {
			return nil, err
		}
		o.src, o.p.loops, o.p.inner, o.p.opens = &expanded{flat: flat}, nil, nil, nil
		o.layOut()
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

// layOut finds the repetitions and the executed numbers.
func (o *orderer) layOut() {
	n := o.src.StaticLen()
	repeats := o.src.Repeats()
	o.number, o.length = make([]int64, n+1), make([]int64, len(repeats))
	for _, r := range repeats {
		o.p.loops = append(o.p.loops, orderedLoop{first: uint32(r.First), end: uint32(r.End), count: r.Count, parent: uint32(r.Parent)})
	}
	if len(repeats) > 0 {
		o.p.inner, o.p.opens = make([]uint32, n+1), make([]uint32, n+1)
	}
	for i, r := range repeats { // inner repetitions come later
		for s := r.First; s < r.End; s++ {
			o.p.inner[s] = uint32(i + 1)
		}
		if o.p.opens[r.First] == 0 {
			o.p.opens[r.First] = uint32(i + 1)
		}
	}
	at := int64(0)
	for s := range n {
		o.number[s] = at
		at++
		if len(repeats) == 0 {
			continue
		}
		for r := o.p.inner[s]; r != 0 && int(o.p.loops[r-1].end) == s+1; r = o.p.loops[r-1].parent {
			l := &o.p.loops[r-1]
			o.length[r-1] = at - o.number[l.first]
			at += (l.count - 1) * o.length[r-1]
		}
	}
	o.number[n] = at
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
		for r := o.innermost(uint32(s)); r != 0 && int(o.p.loops[r-1].end) == s+1; r = o.p.loops[r-1].parent {
			if !waits(int(o.p.loops[r-1].first), true) {
				return false
			}
		}
	}
	return true
}

func (o *orderer) innermost(s uint32) uint32 {
	if o.p.inner == nil {
		return 0
	}
	return o.p.inner[s]
}

// enclosing is the k-th repetition around an instruction, 1 = innermost; k =
// idg.Absolute is the outermost.
func (o *orderer) enclosing(s uint32, k uint8) uint32 {
	r := o.innermost(s)
	for i := uint8(1); i < k && o.p.loops[r-1].parent != 0; i++ {
		r = o.p.loops[r-1].parent
	}
	return r
}

// firstDistance is how far back a producer lies when the instruction is executed
// first.
func (o *orderer) firstDistance(s uint32, d idg.Producer) int64 {
	switch d.Base {
	case 0:
		return d.Distance
	case idg.Absolute:
		return o.number[s] - d.Distance
	}
	return o.number[s] - o.number[o.p.loops[o.enclosing(s, d.Base)-1].first] + d.Distance
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
	o.p.nodes, o.p.causes = make([]orderedNode, n+1), make([][fewNeeds]uint32, n)
	furthest := int64(nearby)
	seg := segment{}
	done, passed := make([]bool, n), make([]bool, n) // someone of the segment waits for it
	for s := range n {
		if s > 0 && o.p.loops != nil && (o.p.opens[s] != 0 || o.endsAt(s)) {
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
	o.p.nodes[n].first = uint32(len(o.p.more))
	for s := range n {
		node := &o.p.nodes[s]
		node.flags |= o.classes[node.class].flags(done[s], passed[s])
		if o.classes[node.class].barrier && o.p.free {
			o.p.barriers = append(o.p.barriers, idg.Executed(o.number[s]))
		}
	}
	if furthest > maxRing {
		return diag.Errorf(diag.Pos{}, "TOO_LARGE", "a dependence reaches back over %d instructions, of which up to %d may be under way; at most %d can be remembered", furthest, o.reach, maxRing)
	}
	o.p.ring = 1 << bits.Len32(uint32(furthest-1))
	return nil
}

// endsAt reports whether a repetition ends before a stored instruction.
func (o *orderer) endsAt(s uint32) bool {
	r := o.p.inner[s-1]
	return r != 0 && o.p.loops[r-1].end == s
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
		if class == anyClass {
			o.p.traced = true
		}
		if dist > maxRing {
			return need{}, dist, nil
		}
		return need{off: uint32(2*dist - bit), class: class, order: order}, dist, nil
	}
	loop := o.enclosing(s, d.Base)
	l := &o.p.loops[loop-1]
	dist := d.Distance // back from the loop's start
	if d.Base == idg.Absolute {
		dist = o.number[l.first] - d.Distance
	}
	if dist < 1 {
		return need{}, 0, fmt.Errorf("simulate: internal error: a producer of instruction %d lies within the repetition that it should be before; please report this", s)
	}
	if dist >= o.reach {
		return need{}, 0, nil
	}
	k := heldKey{loop, 2*dist - bit}
	slot, ok := o.slots[k]
	if !ok {
		slot = uint32(o.p.held)
		o.p.held++
		o.slots[k] = slot
		l.captures = append(l.captures, capture{uint32(2*dist - bit), slot})
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
				off--
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
	node := orderedNode{class: uint32(class), subsystem: uint16(o.classes[class].subsystem), first: uint32(len(o.p.more))}
	few := 0
	for _, d := range list {
		if !d.held && few < fewNeeds {
			node.needs[few], o.p.causes[s][few] = d.off, d.class
			few++
			continue
		}
		if d.held {
			node.flags |= flagHeld
		} else {
			node.flags |= flagMore
		}
		o.p.more = append(o.p.more, d)
	}
	if few == 0 {
		node.flags |= flagFree
	}
	for i := max(few, 1); i < fewNeeds; i++ {
		node.needs[i], o.p.causes[s][i] = node.needs[0], o.p.causes[s][0]
	}
	if o.p.loops != nil && (o.endsAt(s+1) || o.p.opens[s+1] != 0) {
		node.flags |= flagTurn
	}
	o.p.nodes[s] = node
}
