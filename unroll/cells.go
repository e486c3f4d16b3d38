package unroll

import (
	"maps"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
)

// cell is an element of a private array that lives in registers.
type cell struct {
	object lower.ObjectID
	offset int64
	typ    lower.Type
}

// cellChange is one change of an element of a private array: what it held
// before, nil for nothing.
type cellChange struct {
	cell cell
	old  *value
}

// setCell changes an element of a private array.
func (m *memory) setCell(c cell, v *value) {
	if m.watches > 0 {
		m.journal = append(m.journal, cellChange{c, m.cells[c]})
	}
	m.cells[c] = v
}

// watch starts to note the changes of cells and returns a mark for rewind.
// Copying all cells at every branch would take time that grows with the square
// of a kernel's size. Every watch needs an unwatch.
func (m *memory) watch() int {
	m.watches++
	return len(m.journal)
}

func (m *memory) unwatch() {
	if m.watches--; m.watches == 0 {
		m.journal = m.journal[:0]
	}
}

// rewind restores the cells as they were at a mark and returns those that had
// changed.
func (m *memory) rewind(mark int) (changed map[cell]*value) {
	changed = make(map[cell]*value, len(m.journal)-mark)
	for _, j := range m.journal[mark:] {
		changed[j.cell] = m.cells[j.cell]
	}
	for _, j := range slices.Backward(m.journal[mark:]) {
		if j.old == nil {
			delete(m.cells, j.cell)
		} else {
			m.cells[j.cell] = j.old
		}
	}
	m.journal = m.journal[:mark]
	return changed
}

// mergeCells joins what the two sides of an undecided branch left in cells: then
// holds those that the first side changed, els is the journal of the second.
func (r *resolver) mergeCells(then map[cell]*value, els []cellChange) {
	first := map[cell]*value{} // before the branch, of those that the second side changed
	for _, j := range slices.Backward(els) {
		first[j.cell] = j.old
	}
	touched := maps.Clone(then)
	maps.Copy(touched, first)
	for _, c := range slices.SortedFunc(maps.Keys(touched), compareCells) {
		a, ok := then[c]
		if !ok {
			if a = first[c]; a == nil {
				continue // the first side has not seen it
			}
		}
		if b := r.memory.cells[c]; b == nil {
			r.memory.setCell(c, r.opaque(a, r.level))
		} else {
			r.memory.setCell(c, r.either(a, b))
		}
	}
}

// inCells reports whether an access goes to a private array that is held in
// registers, and at which byte offset. A subscript that the compiler does not know moves
// the array to memory, for which the resolution starts again, and so does an access of which nothing tells the array,
// through a pointer that was chosen for example, all of them.
func (r *resolver) inCells(in *lower.Instr, p *value) (int64, bool) {
	if p.root == 0 {
		if in.Space == idg.SpacePrivate {
			r.leaveRegisters()
		}
		return 0, false
	}
	if r.homes[p.root] < 0 || r.k.Object(p.root).Space != idg.SpacePrivate {
		return 0, false
	}
	if p.form.isConst() {
		return p.form.c, true
	}
	r.homes[p.root] = inPTXMemory
	r.restart = true
	return 0, false
}

// leaveRegisters moves all private arrays to memory.
func (r *resolver) leaveRegisters() {
	for i := range r.k.Objects {
		id := lower.ObjectID(i + 1)
		if r.k.Objects[i].Space == idg.SpacePrivate && r.homes[id] >= 0 {
			r.homes[id] = inMemory
			r.restart = true
		}
	}
}

func (r *resolver) loadCells(in *lower.Instr, p *value, elem int64) bool {
	if r.picks(p) {
		r.loadPicked(in, p, elem)
		return true
	}
	off, ok := r.inCells(in, p)
	if r.restart {
		return true
	}
	if !ok {
		return false
	}
	for i, d := range in.Dsts {
		key := cell{p.root, off + int64(i)*elem, in.Type}
		v := r.memory.cells[key]
		if v == nil && r.memory.mixed(p.root, in.Type) {
			v = r.punned(key)
		}
		if v == nil {
			v = r.newValue(in.Type)
			v.form = symbol(v)
		}
		if r.memory.cells[key] == nil {
			r.memory.setCell(key, v)
		}
		r.set(d, v)
	}
	return true
}

func (r *resolver) storeCells(in *lower.Instr, p *value, vals []*value, elem int64) bool {
	if r.picks(p) {
		r.storePicked(in, p, vals, elem)
		return true
	}
	off, ok := r.inCells(in, p)
	if r.restart {
		return true
	}
	if !ok {
		return false
	}
	for i, v := range vals {
		key := cell{p.root, off + int64(i)*elem, in.Type}
		old := r.memory.cells[key]
		if old == nil && r.memory.mixed(p.root, in.Type) {
			old = r.punned(key)
		}
		if old != nil && r.objectLanes(p.root)&^r.mask != 0 {
			v = r.mergeLanes(old, v, r.mask)
		}
		r.memory.setCell(key, v)
		r.memory.writes = append(r.memory.writes, key)
		if r.memory.mixed(p.root, in.Type) {
			r.storePunned(key, v)
		}
	}
	return true
}
