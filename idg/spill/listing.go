package spill

import (
	"cmp"
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/registers"
)

// spot is where an instruction stands in a listing.
type spot uint32

// listing is a program as compiled code lists it: of rolled loops, repetitions that execute a
// loop instruction of their own, the body once, as the second iteration executes it; all else as
// often as it is executed.
type listing struct {
	loops []rolls // outer ones before inner ones
	in    []int   // by place: the innermost loop, -1 = none

	class   []idg.InstrID // by place
	node    []idg.NodeID  // by place: the node of the condensed program that stands for it
	stretch []uint32      // by place: ascending; those of one stretch are ordered together
	order   []spot        // of the compiler, as far as the estimate of registers knows it

	slots []uint32 // by place, and behind the last: the first of its operands' slots
	reads []webID  // by slot: 0 = takes no register
	makes []webID  // by place: 0 = takes no register
	webs  []web    // webID id is element id-1

	around map[loopWeb]bool // webs of which an iteration of a loop takes a value from before it
}

// rolls is a rolled loop of a listing.
type rolls struct {
	first, end spot  // and of the order, since nothing crosses its ends
	parent     int   // -1 = none
	count      int64 // iterations
}

// webID names a web of a listing; the zero value means "none".
type webID uint32

// web is what one register (or several, of a wide value) holds: the results of instructions of
// which one may be what an operand reads, as a variable that a loop goes on with (F. Chow and
// J. Hennessy, The priority-based coloring approach to register allocation, 1990). Where two of its
// values live at once, both are in registers or neither is.
type web struct {
	size  int64    // words of a value
	words int64    // of the values that it holds at once
	uses  []uint32 // turns, ascending
	makes []uint32 // turns, ascending
	again bool     // it is computed again instead of being stored
}

// loopWeb is a pair of a loop and a web.
type loopWeb struct {
	loop int
	web  webID
}

// lister counts places while a program is walked.
type lister struct {
	rolled []bool
	begin  []spot // by repetition: the first spot of its body
	next   spot
}

func newLister(p *idg.Program, rolled []bool) lister {
	return lister{rolled: rolled, begin: make([]spot, len(p.Repeats()))}
}

func (l *lister) Enter(repeat int) { l.begin[repeat] = l.next }

// again says that another execution of a body begins.
func (l *lister) again(repeat int) {
	if l.rolled[repeat] {
		l.next = l.begin[repeat]
	}
}

// listingMaker makes a listing from the executions that stand for all in a condensed program.
type listingMaker struct {
	lister
	listing
	p       *idg.Program
	open    []openLoop
	loopAt  map[loopPlace]int
	place   []spot            // by node
	same    []spot            // by place: an earlier one of its web, or itself
	source  []spot            // by slot: that of a value that it reads, nowhere = of none
	crossed map[loopSpot]bool // by what makes the value
	sources []registers.Source
}

// openLoop is a rolled loop that is being walked.
type openLoop struct {
	loop  int
	done  int64 // executions of the body that have ended
	fresh bool  // the next instruction is the first of one
	begun idg.Executed
}

// loopSpot is a pair of a loop and a place.
type loopSpot struct {
	loop int
	spot spot
}

// loopPlace is what loops are known by.
type loopPlace struct {
	repeat int
	first  spot
}

// nowhere is a place that no listing has.
const nowhere = ^spot(0)

// newListing lists a program of which l is the condensed one, in the order of its nodes.
func newListing(p *idg.Program, l *registers.Live, order []idg.NodeID, rolled []bool) *listing {
	m := &listingMaker{lister: newLister(p, rolled), p: p, loopAt: map[loopPlace]int{}, crossed: map[loopSpot]bool{}}
	for w := p.Walk(m); w.More(); w.Next() {
		m.visit(w, l)
	}
	m.slots = append(m.slots, uint32(len(m.source)))
	m.arrange(l, order)
	m.weave(l, order)
	return &m.listing
}

func (m *listingMaker) Enter(repeat int) {
	m.lister.Enter(repeat)
	if !m.rolled[repeat] {
		return
	}
	at := loopPlace{repeat, m.next}
	if _, known := m.loopAt[at]; !known {
		m.loopAt[at] = len(m.loops)
		m.loops = append(m.loops, rolls{first: m.next, parent: m.innermost(), count: m.p.Repeats()[repeat].Count})
	}
	m.open = append(m.open, openLoop{loop: m.loopAt[at], fresh: true})
}

// innermost is the innermost open loop, -1 = none.
func (m *listingMaker) innermost() int {
	if n := len(m.open); n > 0 {
		return m.open[n-1].loop
	}
	return -1
}

func (m *listingMaker) Ended(repeat int, left int64) (out int64) {
	if !m.rolled[repeat] {
		return 0
	}
	o := &m.open[len(m.open)-1]
	o.done, o.fresh = o.done+1, true
	m.loops[o.loop].end = m.next
	if out = idg.LeftOut(o.done, left); left > out {
		m.again(repeat)
	}
	return out
}

func (m *listingMaker) Leave(repeat int) {
	if m.rolled[repeat] {
		m.open = m.open[:len(m.open)-1]
	}
}

// visit takes notice of an instruction.
func (m *listingMaker) visit(w *idg.Walk, l *registers.Live) {
	at, v, row := m.next, idg.NodeID(len(m.place)), w.StaticPreds()
	m.next++
	m.place = append(m.place, at)
	if int(at) == len(m.node) {
		m.node, m.class, m.in = append(m.node, v), append(m.class, w.Program().StaticInstr(w.Static())),
			append(m.in, m.innermost())
		m.same, m.slots = append(m.same, at), append(m.slots, uint32(len(m.source)))
		for range row {
			m.source = append(m.source, nowhere)
		}
	}
	second := true
	for i := range m.open {
		o := &m.open[i]
		if second = second && o.done <= 1; o.fresh {
			o.fresh, o.begun = false, w.Number()
		}
	}
	if second {
		m.node[at] = v
	}
	m.sources = m.sources[:0]
	for i := range row {
		m.sources = append(m.sources, registers.Source{Class: l.Instr(w.Visited(w.Producer(&row[i]))),
			Kind: row[i].Kind})
	}
	for i, operand := range l.Registers(m.sources) {
		if operand >= 0 && operand != i {
			m.join(m.place[w.Visited(w.Producer(&row[i]))], m.place[w.Visited(w.Producer(&row[operand]))])
		}
	}
	for i := range row {
		u := w.Producer(&row[i])
		n := w.Visited(u)
		if row[i].Kind != idg.Data || l.Words(n) == 0 {
			continue
		}
		from := m.place[n]
		if s := m.slots[at] + uint32(i); m.source[s] == nowhere {
			m.source[s] = from
		} else {
			m.join(m.source[s], from)
		}
		for _, o := range m.open {
			if u < o.begun {
				m.crossed[loopSpot{o.loop, from}] = true
			}
		}
	}
}

// name is the place that a place's web is known by.
func (m *listingMaker) name(at spot) spot {
	for m.same[at] != at {
		m.same[at] = m.same[m.same[at]]
		at = m.same[at]
	}
	return at
}

// join makes the webs of two places one.
func (m *listingMaker) join(a, b spot) {
	a, b = m.name(a), m.name(b)
	m.same[max(a, b)] = min(a, b)
}

// arrange puts the places in the order of the nodes that stand for them, a stretch after the
// other.
func (m *listingMaker) arrange(l *registers.Live, order []idg.NodeID) {
	m.stretch = make([]uint32, len(m.node))
	for at := 1; at < len(m.node); at++ {
		m.stretch[at] = m.stretch[at-1]
		if m.in[at] != m.in[at-1] || l.Gated(m.node[at-1]) {
			m.stretch[at]++
		}
	}
	m.order = make([]spot, 0, len(m.node))
	for _, v := range order {
		if at := m.place[v]; m.node[at] == v {
			m.order = append(m.order, at)
		}
	}
	slices.SortStableFunc(m.order, func(a, b spot) int { return cmp.Compare(m.stretch[a], m.stretch[b]) })
}

// weave finds the webs.
func (m *listingMaker) weave(l *registers.Live, order []idg.NodeID) {
	named := make([]webID, len(m.node)) // by the place that a web is known by
	webOf := func(at spot) webID {
		at = m.name(at)
		if named[at] == 0 {
			m.webs = append(m.webs, web{})
			named[at] = webID(len(m.webs))
		}
		return named[at]
	}
	m.makes, m.reads = make([]webID, len(m.node)), make([]webID, len(m.source))
	for turn, at := range m.order {
		for s := m.slots[at]; s < m.slots[at+1]; s++ {
			if m.source[s] != nowhere {
				m.reads[s] = webOf(m.source[s])
				w := &m.webs[m.reads[s]-1]
				w.uses = append(w.uses, uint32(turn))
			}
		}
		if words := l.Words(m.node[at]); words > 0 {
			m.makes[at] = webOf(at)
			w := &m.webs[m.makes[at]-1]
			w.words, w.size = max(w.words, words), max(w.size, words)
			w.makes = append(w.makes, uint32(turn))
		}
	}
	m.widen(l, order, webOf)
	m.around = make(map[loopWeb]bool, len(m.crossed))
	for c := range m.crossed {
		m.around[loopWeb{c.loop, webOf(c.spot)}] = true
	}
}

// widen gives webs the words of all values that they hold at once: a loop may need what its last
// iteration has left behind the instruction that makes it anew.
func (m *listingMaker) widen(l *registers.Live, order []idg.NodeID, webOf func(spot) webID) {
	users, live := l.Users(), make([]int64, len(m.webs))
	for _, v := range order {
		from, kind := l.Preds(v)
		for i, u := range from {
			if n := l.Words(u); kind[i] == idg.Data && n > 0 {
				if users[u]--; users[u] == 0 {
					live[webOf(m.place[u])-1] -= n
				}
			}
		}
		if n := l.Words(v); n > 0 && users[v] > 0 {
			x := webOf(m.place[v]) - 1
			live[x] += n
			m.webs[x].words = max(m.webs[x].words, live[x])
		}
	}
}
