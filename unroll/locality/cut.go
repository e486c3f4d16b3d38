package locality

import (
	"encoding/binary"
	"slices"

	"gpupipe/idg"
)

// What is cut off is taken to be as what was counted. All that a class touches is known
// without counting its reuse one by one, so its sectors are what they are; their distances are
//
//   - those of the class's sectors that were counted, if some were;
//   - or else those of what was counted of accesses of the same lanes that begin at the same place
//     of a sector, whatever the buffer: a second pass over a matrix finds as much in the sectors that the
//     iterations before have touched as the first did. What that touched for the first time was
//     touched before if the buffer was, at least as far back as all that was counted.
//
// Classes with neither have no record, as before.

// likeness is what accesses of different buffers have in common: the lanes' spans, and where in
// a sector they begin.
type likeness string

// uncounted is what a class touches in all.
type uncounted struct {
	sectors int64
	buffer  BufferID
	like    likeness
}

// extrapolate completes the counts of a group that was cut off.
func (g *group) extrapolate(shapes *Shapes, warps []Warp) {
	if !g.cut {
		return
	}
	all := g.all(shapes, warps)
	like, seen := map[likeness]*counts{}, map[BufferID]bool{}
	for _, id := range g.order {
		x := all[id]
		if seen[x.buffer] = true; like[x.like] == nil {
			like[x.like] = &counts{groups: map[toucher]int64{}}
		}
		like[x.like].include(g.counts[id])
	}
	far := classOf(max(1, g.distinct))
	for id, x := range all {
		switch c := g.counts[id]; {
		case c != nil:
			c.stretch(x.sectors)
		case like[x.like] != nil:
			d := counts{groups: map[toucher]int64{}}
			d.include(like[x.like])
			if seen[x.buffer] {
				d.again(far)
			}
			d.stretch(x.sectors)
			g.counts[id] = &d
			g.order = append(g.order, id)
		}
	}
	slices.Sort(g.order)
}

// all is what each class touches in all.
func (g *group) all(shapes *Shapes, warps []Warp) map[idg.InstrID]uncounted {
	out := map[idg.InstrID]uncounted{}
	add := func(t *Touch, times int64) {
		if shapes.unknown(t) {
			return
		}
		sh := shapes.at(t.Shape)
		x, ok := out[t.Instr]
		if !ok {
			x.buffer, x.like = sh.buffer, g.sector.likeness(sh, t.Start)
		}
		x.sectors += times * g.sector.count(sh, t.Start)
		out[t.Instr] = x
	}
	for i := range warps {
		w := &warps[i]
		for k := range w.Touches {
			add(&w.Touches[k], 1)
		}
		for k := range w.Repeats {
			r := &w.Repeats[k]
			for j := r.TouchesFrom; j < r.TouchesEnd; j++ {
				add(&w.Touches[j], r.Copies)
			}
		}
	}
	return out
}

// count is how many sectors an access touches.
func (z sectorSize) count(sh *shape, start int64) (n int64) {
	next := int64(minSector)
	for _, sp := range sh.spans {
		r := z.of(span{sp.lo + start, sp.hi + start})
		n += max(0, r.hi-max(r.lo, next))
		next = max(next, r.hi)
	}
	return n
}

func (z sectorSize) likeness(sh *shape, start int64) likeness {
	key := binary.AppendVarint(nil, start-floorDiv(start, int64(z))*int64(z))
	for _, sp := range sh.spans {
		key = binary.AppendVarint(binary.AppendVarint(key, sp.lo), sp.hi)
	}
	return likeness(key)
}

// include adds what another class counts, without what all groups share.
func (c *counts) include(d *counts) {
	c.total, c.cold = c.total+d.total, c.cold+d.cold
	for k := range c.warp {
		c.warp[k] += d.warp[k]
		c.group[k] += d.group[k]
	}
	for w := range c.first {
		c.first[w] += d.first[w]
	}
	c.warps |= d.warps
	for n, sectors := range d.groups {
		c.groups[n] += sectors
	}
}

// again takes first touches for touches of what the group has touched in a class of distances before.
func (c *counts) again(far int) {
	c.group[far] += c.cold
	for _, sectors := range c.groups {
		c.group[far] += sectors
	}
	c.cold, c.groups, c.first = 0, nil, [warpSlots]int64{}
}

// stretch scales what is counted to a total. What rounding down leaves over goes where most is.
func (c *counts) stretch(total int64) {
	if c.total == 0 || total <= c.total {
		return
	}
	by := float64(total) / float64(c.total)
	rest, most := total, &c.cold
	scale := func(n *int64) {
		if *n = int64(by * float64(*n)); *n > *most {
			most = n
		}
		rest -= *n
	}
	scale(&c.cold)
	for k := range c.warp {
		scale(&c.warp[k])
		scale(&c.group[k])
	}
	for n, sectors := range c.groups {
		sectors = int64(by * float64(sectors))
		c.groups[n] = sectors
		rest -= sectors
	}
	*most += rest
	c.total = total
	first := c.cold
	for _, sectors := range c.groups {
		first += sectors
	}
	c.shared = min(int64(by*float64(c.shared)), first)
	for w := range c.first {
		c.first[w] = int64(by * float64(c.first[w]))
	}
}
