// Package memory holds the passes that ask what memory holds: objects that become values, loads and values that
// are there already, what leaves a loop, stores that nobody reads, accesses that become one. alias.go says which may
// be to the same place, memory.go what is still there.
package memory

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// memory says whether what was read or written at a place is still there, while a walk goes over the kernel in the
// order of the text: time counts events, and what is known of a place holds while nothing wrote to it since. At the
// end of a block the walk goes back to the state before it (LLVM's MemorySSA answers the same by a graph).
type memory struct {
	*aliases
	size     int  // instructions
	shuffles bool // operations among lanes may write memory
	now      int32
	classes  []contents // by class
	touched  [][]int    // other classes that a write to one may change
	marks    int        // states that the walk goes back to
	undo     []func()
	effects  []effect                   // writes since the first of them
	written  map[*ir.Instr]map[int]bool // the classes that something inside a control operation writes
}

// contents is when a class was written.
type contents struct {
	all    int32 // perhaps all of it
	last   [2]stamp
	places map[place]int32
}

// stamp is the last write by one address.
type stamp struct {
	at   address
	time int32
}

// granule is how many bytes places have.
const granule = 4

// place is a granule of memory behind an address.
type place struct {
	at     address
	number int64
}

// effect is a write.
type effect struct {
	class        int
	whole        bool // of the class: to a place that is not known
	at           address
	offset, size int64
}

func newMemory(f *ir.Func, p *profile.Profile) *memory {
	m := &memory{aliases: aliasesOf(f), shuffles: p.ShuffleWrites, now: 1, written: map[*ir.Instr]map[int]bool{}}
	f.Body.Walk(func(in *ir.Instr) { // all classes, before their number is used
		m.size++
		for _, p := range accessed(in) {
			m.classOf(p, in.Space)
		}
	})
	m.classes = make([]contents, len(m.aliases.classes))
	m.touched = make([][]int, len(m.classes))
	var all, others []int // which may be many, and those that are no objects
	for c, k := range m.aliases.classes {
		if all = append(all, c); k.kind != object {
			others = append(others, c)
		}
	}
	for w, k := range m.aliases.classes {
		with := all
		if k.kind == object { // no other object is touched
			with = others
		}
		for _, r := range with {
			if w != r && m.touches(w, r) {
				m.touched[w] = append(m.touched[w], r)
			}
		}
	}
	summarise(f.Body, m.writes, m.written)
	return m
}

// accessed are the addresses at which an instruction reads or writes memory by itself.
func accessed(in *ir.Instr) []*ir.Value {
	switch in.Op {
	case lower.Load, lower.Store, lower.Atomic, lower.MatrixRow, lower.ImageLoad, lower.ImageStore:
		return in.Args[:1]
	case lower.Copy:
		return in.Args[:2]
	}
	return nil
}

// isBarrier reports whether an instruction may write all memory that others share.
func (m *memory) isBarrier(in *ir.Instr) bool {
	switch in.Op {
	case lower.SubGroup:
		return m.shuffles
	case lower.Barrier, lower.Fence, lower.CopyGroup, lower.BulkCopy, lower.GroupMatMul, lower.OpOpaque:
		return true
	}
	return false
}

// writes calls f for each effect of an instruction.
func (m *memory) writes(in *ir.Instr, f func(effect)) {
	switch {
	case m.isBarrier(in):
		for c := range m.classes {
			if m.shared(c) {
				f(effect{class: c, whole: true})
			}
		}
	case in.Op == lower.Store:
		at, offset := decompose(in.Args[0])
		f(effect{class: m.classOf(in.Args[0], in.Space), at: at, offset: offset,
			size: in.Type.Size() * int64(len(in.Args)-1)})
	case in.Op == lower.Atomic:
		at, offset := decompose(in.Args[0])
		f(effect{class: m.classOf(in.Args[0], in.Space), at: at, offset: offset, size: in.Type.Size()})
	case in.Op == lower.Copy, in.Op == lower.ImageStore:
		f(effect{class: m.classOf(in.Args[0], in.Space), whole: true})
	}
}

// summarise finds the classes that something inside of each control operation has an effect on.
func summarise(b *ir.Block, effects func(*ir.Instr, func(effect)), within map[*ir.Instr]map[int]bool) map[int]bool {
	all := map[int]bool{}
	note := func(e effect) { all[e.class] = true }
	for _, in := range b.Instrs {
		if ir.Pure(in) {
			continue
		}
		effects(in, note)
		if !in.Nests() {
			continue
		}
		inner := map[int]bool{}
		for _, b := range in.Blocks {
			for c := range summarise(b, effects, within) {
				inner[c], all[c] = true, true
			}
		}
		within[in] = inner
	}
	return all
}

// execute notes the effects of an instruction that is no control operation.
func (m *memory) execute(in *ir.Instr) { m.writes(in, m.write) }

// write notes a write.
func (m *memory) write(e effect) {
	if m.marks > 0 {
		m.effects = append(m.effects, e)
	}
	m.now++
	for _, c := range m.touched[e.class] {
		m.overwrite(c)
	}
	if e.whole {
		m.overwrite(e.class)
		return
	}
	c := &m.classes[e.class]
	if old := c.last; m.marks > 0 {
		m.undo = append(m.undo, func() { c.last = old })
	}
	if c.last[0].at != e.at {
		c.last[1] = c.last[0]
	}
	c.last[0] = stamp{e.at, m.now}
	if c.places == nil {
		c.places = map[place]int32{}
	}
	for i := floorDiv(e.offset, granule); i <= floorDiv(e.offset+e.size-1, granule); i++ {
		k := place{e.at, i}
		if m.marks > 0 {
			old := c.places[k]
			m.undo = append(m.undo, func() { c.places[k] = old })
		}
		c.places[k] = m.now
	}
}

// overwrite notes that all of a class may have been written.
func (m *memory) overwrite(class int) {
	c := &m.classes[class]
	if old := c.all; m.marks > 0 {
		m.undo = append(m.undo, func() { c.all = old })
	}
	c.all = m.now
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// unchanged reports whether nothing may have written bytes of a class since a time.
func (m *memory) unchanged(class int, at address, offset, size int64, since int32) bool {
	c := &m.classes[class]
	other := c.last[0]
	if other.at == at {
		other = c.last[1]
	}
	if c.all > since || other.time > since {
		return false
	}
	for i := floorDiv(offset, granule); i <= floorDiv(offset+size-1, granule); i++ {
		if c.places[place{at, i}] > since {
			return false
		}
	}
	return true
}

// mark is a state of memory to go back to.
type mark struct{ undo, effects int }

func (m *memory) mark() mark {
	m.marks++
	return mark{len(m.undo), len(m.effects)}
}

// back goes back to a state, and gives the effects since.
func (m *memory) back(to mark) []effect {
	m.marks--
	for i := len(m.undo) - 1; i >= to.undo; i-- {
		m.undo[i]()
	}
	clear(m.undo[to.undo:])
	m.undo = m.undo[:to.undo]
	since := append([]effect(nil), m.effects[to.effects:]...)
	m.effects = m.effects[:to.effects]
	return since
}

// maxEffects is how many writes behind a branch are told apart.
const maxEffects = 64

// join notes the effects of the blocks of a branch behind it.
func (m *memory) join(list []effect) {
	if len(list) <= maxEffects {
		for _, e := range list {
			m.write(e)
		}
		return
	}
	seen := map[int]bool{}
	for _, e := range list {
		if !seen[e.class] {
			seen[e.class] = true
			m.write(effect{class: e.class, whole: true})
		}
	}
}

// joinAll notes that all may have been written that a control operation writes.
func (m *memory) joinAll(in *ir.Instr) {
	inner := m.written[in]
	for c := range m.classes {
		if inner[c] {
			m.write(effect{class: c, whole: true})
		}
	}
}
