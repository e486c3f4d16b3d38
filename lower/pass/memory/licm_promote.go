package memory

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// promote keeps in a value what a loop reads and writes at one place in memory: it is loaded in front of the loop and
// stored behind it (LLVM's promoteLoopAccessesToScalars). All accesses that may touch the place have to be to exactly
// it, and a store to it executed whenever the loop is, or the memory be the work item's own.
func (l *hoister) promote(loop *ir.Instr) (before, after []*ir.Instr) {
	if l.escapes[loop] || len(l.memory.written[loop]) == 0 {
		return nil, nil
	}
	s := &sites{l: l, loop: loop, bad: map[int]bool{}, places: map[int]*site{}}
	s.walk(loop.Blocks[0], true)
	cells, access, list := s.cells()
	if len(list) == 0 {
		return nil, nil
	}
	r := newRenamer(l.f, cells, access, &l.repl)
	r.collectOf(loop)
	for i, p := range list {
		load := &ir.Instr{Op: lower.Load, Type: p.first.Type, Args: []*ir.Value{p.first.Args[0]}, Space: p.first.Space,
			Align: p.first.Align, Whole: p.first.Whole, Offset: p.first.Offset, Pos: p.first.Pos}
		before = append(before, load)
		r.set(i, l.f.AddResult(load, load.Type, ""))
	}
	r.instr(nil, loop)
	for i, p := range list {
		store := &ir.Instr{Op: lower.Store, Type: p.first.Type, Args: []*ir.Value{p.first.Args[0], r.value(i)},
			Space: p.first.Space, Align: p.first.Align, Whole: p.first.Whole, Offset: p.first.Offset, Pos: p.first.Pos}
		after = append(after, store)
	}
	return before, after
}

// sites finds the places that a loop accesses, by class.
type sites struct {
	l      *hoister
	loop   *ir.Instr
	bad    map[int]bool // classes of which something else is accessed, too
	places map[int]*site
	order  []int
}

// site is the address that all accesses to a class have but for constants.
type site struct {
	at    address
	spots []*spot
}

// spot is a scalar there.
type spot struct {
	offset int64
	first  *ir.Instr
	all    []*ir.Instr
	stored bool // by a store that is always executed, or to memory of its own
}

func (s *sites) walk(b *ir.Block, always bool) {
	for _, in := range b.Instrs {
		s.visit(in, always)
		for _, side := range in.Blocks {
			s.walk(side, always && in.Op == lower.OpRegion)
		}
		always = always && !s.l.escapes[in]
	}
}

// visit notes what an instruction accesses.
func (s *sites) visit(in *ir.Instr, always bool) {
	m := s.l.memory
	plain := !in.Volatile && (in.Op == lower.Load && len(in.Results) == 1 || in.Op == lower.Store && len(in.Args) == 2)
	if !plain {
		m.writes(in, func(e effect) { s.spoil(e.class) })
		for _, p := range accessed(in) {
			s.spoil(m.classOf(p, in.Space))
		}
		return
	}
	c := m.classOf(in.Args[0], in.Space)
	at, offset := decompose(in.Args[0])
	p := s.places[c]
	if p == nil {
		p = &site{at: at}
		s.places[c] = p
		s.order = append(s.order, c)
	}
	if p.at != at || !p.add(in, offset, always || m.aliases.classes[c].space == privateSpace) {
		s.spoil(c)
	}
}

// spoil notes that a class is accessed in another way.
func (s *sites) spoil(c int) { s.bad[c] = true }

// maxSpots is how many scalars a loop may keep of one class.
const maxSpots = 16

// add notes an access, and reports whether it is to the same scalars as the others.
func (p *site) add(in *ir.Instr, offset int64, safe bool) bool {
	size := in.Type.Size()
	for _, q := range p.spots {
		switch other := q.first.Type.Size(); {
		case q.offset == offset && q.first.Type == in.Type:
			q.all = append(q.all, in)
			q.stored = q.stored || safe && in.Op == lower.Store
			return true
		case offset < q.offset+other && q.offset < offset+size:
			return false
		}
	}
	p.spots = append(p.spots, &spot{offset: offset, first: in, all: []*ir.Instr{in}, stored: safe &&
		in.Op == lower.Store})
	return len(p.spots) <= maxSpots
}

// cells are the scalars that become values.
func (s *sites) cells() (cells []cell, access map[*ir.Instr][]part, list []*spot) {
	access = map[*ir.Instr][]part{}
	for _, c := range s.order {
		p := s.places[c]
		if s.bad[c] || s.touched(c) || s.moves(p.at) {
			continue
		}
		for _, q := range p.spots {
			if !q.stored || ir.Inside(q.first.Args[0], s.loop) {
				continue
			}
			for _, in := range q.all {
				access[in] = append(access[in], part{cell: len(cells)})
			}
			cells = append(cells, cell{typ: q.first.Type})
			list = append(list, q)
		}
	}
	return cells, access, list
}

// touched reports whether the loop accesses another class in which the places of c may lie.
func (s *sites) touched(c int) bool {
	for _, o := range s.order {
		if o != c && s.l.memory.touches(o, c) {
			return true
		}
	}
	for o := range s.bad {
		if o != c && s.l.memory.touches(o, c) {
			return true
		}
	}
	return false
}

// moves reports whether the loop changes an address.
func (s *sites) moves(a address) bool {
	list := []*ir.Value{a.base}
	for _, t := range a.terms {
		if t.value != nil {
			list = append(list, t.value)
		}
	}
	return slices.ContainsFunc(list, func(v *ir.Value) bool { return ir.Inside(v, s.loop) })
}
