package unroll

import (
	"maps"
	"slices"
)

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
