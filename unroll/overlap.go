package unroll

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// A private array or union that lives in registers may be written as one type
// and read as another: what a register holds is then reinterpreted, which costs
// no instruction where the sizes are equal. A part of a register, or several
// together, depend on all that they overlap; the shifts and masks that take
// them apart are not counted.

// mixed notes the type of an access to a private array and reports whether
// there have been others.
func (m *memory) mixed(o lower.ObjectID, t lower.Type) bool {
	seen := m.types[o]
	if !slices.Contains(seen, t) {
		if m.types == nil {
			m.types = map[lower.ObjectID][]lower.Type{}
		}
		seen = append(seen, t)
		m.types[o] = seen
	}
	return len(seen) > 1
}

// overlapping lists the other cells that share bytes with one.
func (m *memory) overlapping(key cell) []cell {
	var list []cell
	for _, t := range m.types[key.object] {
		for off := key.offset - t.Size() + 1; off < key.offset+key.typ.Size(); off++ {
			c := cell{key.object, off, t}
			if c != key && m.cells[c] != nil {
				list = append(list, c)
			}
		}
	}
	return list
}

// punned returns what a cell that was never written as its own type holds, nil
// if none that overlaps it was written either.
func (r *resolver) punned(key cell) *value {
	var parts []*value
	for _, c := range r.memory.overlapping(key) {
		v := r.memory.cells[c]
		if c.offset == key.offset && c.typ.Size() == key.typ.Size() {
			return r.reinterpreted(v, key.typ)
		}
		parts = append(parts, v)
	}
	if parts == nil {
		return nil
	}
	return r.mixture(parts, key.typ)
}

// storePunned brings the cells that overlap a stored one up to date. What is overwritten as a
// whole, also part by part, no longer depends on what was there.
func (r *resolver) storePunned(key cell, v *value) {
	for _, c := range r.memory.overlapping(key) {
		switch parts := r.memory.partsOf(c, key.typ); {
		case c.offset == key.offset && c.typ.Size() == key.typ.Size():
			r.memory.setCell(c, r.reinterpreted(v, c.typ))
		case c.offset >= key.offset && c.offset+c.typ.Size() <= key.offset+key.typ.Size():
			r.memory.setCell(c, r.mixture([]*value{v}, c.typ))
		case parts != nil:
			r.memory.setCell(c, r.mixture(parts, c.typ))
		default:
			r.memory.setCell(c, r.mixture([]*value{r.memory.cells[c], v}, c.typ))
		}
		r.memory.writes = append(r.memory.writes, c)
	}
}

// partsOf are the cells of a type that a cell is made of, nil where one of them is not known.
func (m *memory) partsOf(c cell, t lower.Type) (parts []*value) {
	for off := c.offset; off < c.offset+c.typ.Size(); off += t.Size() {
		v := m.cells[cell{c.object, off, t}]
		if v == nil || c.typ.Size()%t.Size() != 0 {
			return nil
		}
		parts = append(parts, v)
	}
	return parts
}

// reinterpreted is a value read as another type of its size.
func (r *resolver) reinterpreted(v *value, t lower.Type) *value {
	bits := v.typ != lower.F16 && t != lower.F16 && v.typ != lower.Ptr && t != lower.Ptr
	if v.konst && bits {
		return r.konst(t, arithmetic.Canon(t, v.u))
	}
	out := r.mixture([]*value{v}, t)
	if !bits {
		return out
	}
	r.disturbed(out, v)
	out.known, out.u = v.known, arithmetic.Canon(t, v.u)
	for _, u := range v.lanes {
		out.lanes = append(out.lanes, arithmetic.Canon(t, u))
	}
	return out
}

// mixture is a value of which only the producers are known.
func (r *resolver) mixture(parts []*value, t lower.Type) *value {
	out := r.newValue(t)
	for _, v := range parts {
		out.from |= v.from
		out.level = max(out.level, v.level)
	}
	out.deps = r.depsOfAll(parts)
	out.form = symbol(out)
	return out
}
