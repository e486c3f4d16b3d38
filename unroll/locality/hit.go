package locality

import (
	"slices"

	"gpupipe/idg"
)

// hit is a sector that was touched and stood in a stride.
type hit struct {
	found
	instr    idg.InstrID
	sector   int64
	distance int
	same     bool // the warp had touched it before
}

// growth is by how much the distance of what is in a stride differs from unit to
// unit: each touches as many sectors as there are chains, and no longer above is one of
// each row of the stride that goes on, and what is taken from strides above.
func (p *passage) growth(s *stride) int {
	n := 0
	for i := range p.flows {
		if p.flows[i].step > 0 {
			n += len(p.flows[i].chains)
		}
	}
	least, _ := p.reach(s)
	for i := range s.flows {
		for j := range s.flows[i].rows {
			if s.flows[i].rows[j].hi > least {
				n--
			}
		}
	}
	for _, h := range p.hits {
		if h.time > s.time {
			n--
		}
	}
	return n
}

// reach is the least and the greatest repetition of a stride that the last unit has
// hit.
func (p *passage) reach(s *stride) (least, most int64) {
	least = never
	for _, h := range p.hits {
		if h.stride == s {
			least, most = min(least, h.k), max(most, h.k)
		}
	}
	return least, most
}

// rowsHit is which repetition of which row of a flow of a stride the last unit has
// hit.
func (p *passage) rowsHit(s *stride, flow int) map[int64]int64 {
	var out map[int64]int64
	for _, h := range p.hits {
		if h.stride == s && h.flow == flow {
			if out == nil {
				out = map[int64]int64{}
			}
			out[h.base] = h.k
		}
	}
	return out
}

// steadyHits is for how many units the hits go on as they are: as long as all rows
// of the strides go on that are above what is hit, or are hit themselves.
func (p *passage) steadyHits() int64 {
	n := int64(never)
	var seen []*stride
	for _, h := range p.hits {
		if slices.Contains(seen, h.stride) {
			continue
		}
		seen = append(seen, h.stride)
		least, most := p.reach(h.stride)
		for i := range h.stride.flows {
			rows := p.rowsHit(h.stride, i)
			for _, x := range h.stride.flows[i].rows {
				k, ok := rows[x.base]
				switch {
				case ok && x.lo == k+1:
					n = min(n, x.hi-2-most)
				case x.hi <= least:
				case x.lo <= least:
					n = min(n, x.hi-2-most)
				default:
					return 0
				}
			}
		}
	}
	return n
}

// expected is what hits add to the counts in so many units, without what is added
// for them as for everything else.
func (p *passage) expected(before counted, times int64) map[idg.InstrID]counts {
	out := map[idg.InstrID]counts{}
	for _, h := range p.hits {
		n := out[h.instr]
		by := &n.group
		if h.same {
			by = &n.warp
		}
		by[classOf(int64(h.distance))] -= times
		spread(by, int64(h.distance), int64(p.growth(h.stride)), times)
		out[h.instr] = n
	}
	return out
}

// spread counts the distances d + k*growth for k from 1 to n.
func spread(by *distances, d, growth, n int64) {
	for n > 0 {
		b := classOf(d + growth)
		k := n // how many are in the same class as the next one
		switch {
		case growth > 0:
			k = (mostOf(b) - d) / growth
		case growth < 0:
			if k = n; b > 0 {
				k = (d - mostOf(b-1) - 1) / -growth
			}
		}
		k = min(n, k)
		by[b] += k
		d, n = d+k*growth, n-k
	}
}

func (c *counts) add(d *counts) {
	for k := range d.warp {
		c.warp[k] += d.warp[k]
		c.group[k] += d.group[k]
	}
}

// consume takes what the units that are passed over hit out of the strides.
func (p *passage) consume() {
	for _, h := range p.hits {
		f := &h.stride.flows[h.flow]
		i, _, _ := f.find(h.base + (h.k+1)*f.step)
		f.rows[i].lo += p.n
		h.stride.live -= int(p.n)
	}
}
