package locality

import (
	"cmp"
	"math/bits"
	"slices"

	"gpupipe/idg"
)

// first is a sector that the group touches for the first time.
type first struct {
	sector int64
	instr  idg.InstrID
}

// group is what one group touches.
type group struct {
	counts map[idg.InstrID]*counts
	order  []idg.InstrID // of counts, ascending
	// firsts are, by buffer, the group's first touches in ascending order.
	firsts  map[BufferID][]first
	buffers []BufferID // of firsts, ascending
	touched int64      // sectors, over all instructions
	cut     bool       // not all touches are counted
}

// counts are the sectors of one class by distance: element k counts distances of
// 2^k sectors.
type counts struct {
	total       int64
	warp, group [64]int64
	cold        int64
	groups      map[int64]int64
}

// analyse counts the reuse within a group, up to a limit of sector touches.
func analyse(shapes *Shapes, warps []Warp, limit int64) *group {
	g := &group{counts: map[idg.InstrID]*counts{}, firsts: map[BufferID][]first{}}
	for i := range warps {
		g.cut = g.cut || warps[i].Cut
	}
	t := newTable(len(warps))
	s := newStack(t)
	turns(warps, func(w int, x *Touch) bool {
		if g.touched >= limit {
			g.cut = true
			return false
		}
		c := g.counts[x.Instr]
		if c == nil {
			c = &counts{}
			g.counts[x.Instr] = c
		}
		sh := shapes.at(x.Shape)
		next := int64(minSector)
		for _, sp := range sh.spans {
			r := sectorsOf(span{sp.lo + x.Start, sp.hi + x.Start})
			for sector := max(r.lo, next); sector < r.hi; sector++ {
				p, i := t.at(sh.buffer, sector)
				same := t.mark(p, i, w)
				g.touched++
				c.total++
				switch d := s.touch(p, i); {
				case d == 0:
					g.firsts[sh.buffer] = append(g.firsts[sh.buffer], first{sector, x.Instr})
				case same:
					c.warp[bits.Len(uint(d-1))]++
				default:
					c.group[bits.Len(uint(d-1))]++
				}
			}
			next = r.hi
		}
		return true
	})
	for b, list := range g.firsts {
		g.buffers = append(g.buffers, b)
		slices.SortFunc(list, func(a, b first) int { return cmp.Compare(a.sector, b.sector) })
	}
	slices.Sort(g.buffers)
	for id := range g.counts {
		g.order = append(g.order, id)
	}
	slices.Sort(g.order)
	return g
}

// minSector is below every sector.
const minSector = -1 << 62

// locality returns the records of the group's classes.
func (g *group) locality() []idg.Locality {
	out := make([]idg.Locality, 0, len(g.order))
	for _, id := range g.order {
		c := g.counts[id]
		l := idg.Locality{Instr: id, Sectors: c.total, Warp: reuses(&c.warp), Group: reuses(&c.group), Cold: c.cold}
		for n, sectors := range c.groups {
			l.Groups = append(l.Groups, idg.GroupReuse{Groups: n, Sectors: sectors})
		}
		slices.SortFunc(l.Groups, func(a, b idg.GroupReuse) int { return cmp.Compare(a.Groups, b.Groups) })
		out = append(out, l)
	}
	return out
}

func reuses(by *[64]int64) []idg.Reuse {
	var out []idg.Reuse
	for k, n := range by {
		if n > 0 {
			out = append(out, idg.Reuse{Distance: sectorBytes << k, Sectors: n})
		}
	}
	return out
}

// settle says of the first touches of a buffer's sectors in a set how many
// groups back their nearest earlier toucher is; 0 = there is none.
func (g *group) settle(b BufferID, sectors set, back int64) {
	list := g.firsts[b]
	for _, s := range sectors {
		i, _ := slices.BinarySearchFunc(list, s.lo, func(f first, lo int64) int { return cmp.Compare(f.sector, lo) })
		for ; i < len(list) && list[i].sector < s.hi; i++ {
			c := g.counts[list[i].instr]
			if back == 0 {
				c.cold++
				continue
			}
			if c.groups == nil {
				c.groups = map[int64]int64{}
			}
			c.groups[back]++
		}
	}
}

// firstSectors is the set of a buffer's sectors that the group touches.
func (g *group) firstSectors(b BufferID) set {
	var out builder
	for _, f := range g.firsts[b] {
		out.add(span{f.sector, f.sector + 1})
	}
	return out.set()
}
