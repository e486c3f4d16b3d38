package idg

import "slices"

// Rewrite returns the graph with other programs: those of its warps and then those of each kind of
// groups go to rewrite, which makes another of them in a Builder (Begin, then Add), or leaves
// the Builder as it is, and with that the program. The Builder knows the graph's classes and
// access patterns by their ids; new ones are added. All else is shared with g. An error is that of
// rewrite, or of what it did with the Builder.
func (g *Graph) Rewrite(rewrite func(p *Program, b *Builder) error) (*Graph, error) {
	b := NewBuilder()
	for _, a := range g.accesses {
		b.Access(a)
	}
	for _, in := range g.instrs {
		b.Instr(in)
	}
	h := *g
	var err error
	if h.programs, err = b.rewritten(g.programs, rewrite); err != nil {
		return nil, err
	}
	h.kinds = slices.Clone(g.kinds)
	for i := range h.kinds {
		if h.kinds[i].programs, err = b.rewritten(h.kinds[i].programs, rewrite); err != nil {
			return nil, err
		}
	}
	h.accesses, h.instrs = b.accesses, b.instrs
	return &h, nil
}

// rewritten makes other programs of those of a group.
func (b *Builder) rewritten(all []*Program, rewrite func(*Program, *Builder) error) ([]*Program, error) {
	out := slices.Clone(all)
	for i, p := range all {
		b.programs = b.programs[:0]
		if err := rewrite(p, b); err != nil {
			return nil, err
		}
		for len(b.loops) > 0 {
			b.EndLoop()
		}
		if b.err != nil {
			return nil, b.err
		}
		if len(b.programs) > 0 {
			out[i] = b.programs[0]
			out[i].seal()
		}
	}
	return out, nil
}

// Next is the number that the next instruction of the current program is to have.
func (b *Builder) Next() Executed { return b.number }
