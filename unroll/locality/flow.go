package locality

import (
	"cmp"
	"slices"
)

// position is a sector that is touched, by an access that moves by drift bytes from
// period to period.
type position struct {
	buffer BufferID
	drift  int64
	sector int64
}

// flow is the sectors of a buffer that a unit of a stretch touches and that move
// alike from unit to unit: whole sectors.
type flow struct {
	buffer BufferID
	motion
	chains []chain // by residue and place; of a flow that does not move: one for each sector
	lo, hi int64   // the sectors from the first unit of the stretch to its last: lo to hi-1
}

// chain is the places that one and the same sector has in successive units: from
// first to last, one step or more apart. The last one is where it is touched first.
type chain struct{ residue, first, last int64 }

// flowsOf sorts what the first unit of a stretch of so many units touches. It returns
// nil if sectors of one buffer move in several ways and may meet. after says after how many
// more units no sector is touched again.
func flowsOf(touched []position, sector sectorSize, unit, units int64) (flows []flow, after int64) {
	slices.SortFunc(touched, func(a, b position) int {
		return cmp.Or(cmp.Compare(a.buffer, b.buffer), cmp.Compare(a.drift, b.drift), cmp.Compare(a.sector, b.sector))
	})
	touched = slices.Compact(touched)
	for len(touched) > 0 {
		n := 1
		for n < len(touched) && touched[n].buffer == touched[0].buffer && touched[n].drift == touched[0].drift {
			n++
		}
		f, far := flowOf(touched[:n], sector, unit, units)
		flows, after = append(flows, f), max(after, far)
		touched = touched[n:]
	}
	for i := range flows {
		for j := range flows[:i] {
			if flows[i].meets(&flows[j], units) {
				return nil, 0
			}
		}
	}
	return flows, after
}

func flowOf(touched []position, sector sectorSize, unit, units int64) (f flow, after int64) {
	step := touched[0].drift * unit / int64(sector)
	f = flow{buffer: touched[0].buffer, motion: motion{step, 1}, lo: touched[0].sector,
		hi: touched[len(touched)-1].sector + 1}
	switch {
	case step == 0:
		for _, x := range touched {
			f.chains = append(f.chains, chain{0, x.sector, x.sector})
		}
		return f, 1
	case step < 0:
		f.motion = motion{-step, -1}
		f.lo += step * (units - 1)
	default:
		f.hi += step * (units - 1)
	}
	for _, x := range touched {
		place := f.place(x.sector)
		f.chains = append(f.chains, chain{f.residue(place), place, place})
	}
	slices.SortFunc(f.chains, func(a, b chain) int {
		return cmp.Or(cmp.Compare(a.residue, b.residue), cmp.Compare(a.first, b.first))
	})
	out := f.chains[:1]
	for _, x := range f.chains[1:] {
		if c := &out[len(out)-1]; x.residue == c.residue && (x.first-c.last)/f.step < units {
			c.last = x.first
			after = max(after, (c.last-c.first)/f.step)
		} else {
			out = append(out, x)
		}
	}
	f.chains = slices.Clip(out)
	return f, after
}

// meets reports whether two flows may touch the same sectors in a stretch.
func (f *flow) meets(g *flow, units int64) bool {
	if f.buffer != g.buffer || f.hi <= g.lo || g.hi <= f.lo {
		return false
	}
	if f.step == 0 {
		f, g = g, f
	}
	if g.step != 0 {
		return true
	}
	for _, x := range g.chains {
		if c := f.find(f.place(x.first)); c != nil && f.place(x.first) <= c.last+(units-1)*f.step {
			return true
		}
	}
	return false
}

// find returns the chain of which sectors may come to a place: the last one of its
// residue that begins before it.
func (f *flow) find(place int64) *chain {
	residue := f.residue(place)
	i, found := slices.BinarySearchFunc(f.chains, place, func(c chain, place int64) int {
		return cmp.Or(cmp.Compare(c.residue, residue), cmp.Compare(c.first, place))
	})
	if !found {
		i--
	}
	if i < 0 || f.chains[i].residue != residue {
		return nil
	}
	return &f.chains[i]
}

// comes is the unit, from 0, in which a sector is touched for the first time, if it is
// known not to have been before unit 0; never if it is not.
func (f *flow) comes(sector int64) int64 {
	if f.step == 0 {
		return never
	}
	place := f.place(sector)
	c := f.find(place)
	if c == nil || place < c.last {
		return never
	}
	return (place - c.last) / f.step
}
