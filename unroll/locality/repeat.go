package locality

import (
	"cmp"
	"slices"

	"gpupipe/idg"
)

// What repeats itself is not gone through to its end. In a unit of a stretch,
// some of its periods, everything moves by whole sectors. Where the sectors
// of a buffer move alike, or never meet, one that is touched was touched before
//
//   - a fixed number of units earlier in the stretch, or
//   - not in the stretch, and not before it either if nothing that was touched
//     before lies where the sectors come to.
//
// So, as soon as the units that are gone through reach back as far as sectors are
// touched again, what is counted for a unit is what is counted for every one that
// follows, and many of these are passed over: all counts are added so many
// times, sectors that are not touched again stand in the stack as strides, and
// the units behind are gone through without being counted until the stack has what
// later ones reach back to.

const (
	fewestUnits  = 8       // that are worth looking at
	maxPositions = 1 << 14 // sectors touched in a unit
	maxStrides   = 64      // kept at once
	shareOfLimit = 4       // of what may be gone through one by one, to find out about one stretch
	maxWalks     = 1 << 28 // sectors of the table that are looked at
)

// repeat goes through a stretch, or a part of it.
func (c *counter) repeat(s *stretch) {
	units := s.units()
	if units < fewestUnits {
		return
	}
	s.until(c.visit)
	var touched []position
	c.recorded = &touched
	s.play(1, c.visit)
	c.recorded = nil
	if s.stopped || len(touched) > maxPositions {
		return
	}
	work := int64(len(touched))
	flows, after := flowsOf(touched, c.sector, s.unit, units)
	if flows == nil && work > 0 || 2*after+fewestUnits > units || 4*(after+1)*work > (c.limit-c.work)/shareOfLimit {
		return
	}
	if m := c.inStep(flows); m > 1 {
		s.unit *= m
		c.repeat(s)
		return
	}
	share := c.work + (c.limit-c.work)/shareOfLimit
	old := int64(1) // units that are gone through unseen if one touches what the table has
	alike := int64(0)
	for s.units() > after && c.work < share && !s.stopped {
		before := c.snapshot()
		c.hits = nil
		s.play(1, c.visit)
		p := &passage{flows: flows, hits: c.hits, last: units - s.units() - 1, after: after}
		if !c.news(before, p) {
			s.play(min(old, s.units()), c.visit)
			old += 1 + old/4
			alike = 0
			continue
		}
		if alike++; alike <= after+1 {
			continue
		}
		// The last unit is always gone through: repeats end there.
		cut := p.length(c.free(p, units-2))
		if p.n < 1 || len(c.stack.strides) == maxStrides {
			return
		}
		c.pass(s, before, p)
		if cut {
			c.cut, s.stopped = true, true
		}
		alike, old = 0, 1
	}
}

// inStep makes strides that flows may hit move as these do, if it can. It returns how
// many times longer units must be for that.
func (c *counter) inStep(flows []flow) int64 {
	for i := range flows {
		f := &flows[i]
		for _, s := range c.stack.strides {
			for j := range s.flows {
				o := &s.flows[j]
				switch {
				case f.step == 0 || o.buffer != f.buffer || o.sign != f.sign || o.step == f.step:
				case o.step%f.step == 0:
					return o.step / f.step
				case f.step%o.step == 0 && int64(s.pieces())*(f.step/o.step) < maxPositions:
					s.coarsen(f.step / o.step)
				}
			}
		}
	}
	return 1
}

// counted is what has been counted up to some unit.
type counted struct {
	counts map[idg.InstrID]counts
	firsts map[BufferID]int
}

func (c *counter) snapshot() counted {
	out := counted{map[idg.InstrID]counts{}, map[BufferID]int{}}
	for id, n := range c.counts {
		out.counts[id] = *n
	}
	for b, list := range c.firsts {
		out.firsts[b] = len(list)
	}
	return out
}

// news finds what the last unit, since a snapshot, has touched for the first time. It reports
// false if some sector that it touches for the first time in the stretch had been
// touched before, and was in the table.
func (c *counter) news(before counted, p *passage) bool {
	chains := 0
	for i := range p.flows {
		f := &p.flows[i]
		if f.step == 0 {
			continue
		}
		chains += len(f.chains)
		list := c.firsts[f.buffer]
		for _, x := range list[min(len(list), before.firsts[f.buffer]):] {
			if f.comes(x.sector) == p.last {
				step := f.step * f.sign
				p.news = append(p.news, firstRow{f.buffer, first{x.sector + step, x.instr}, step, 0})
			}
		}
		for _, h := range p.hits {
			if o := &h.stride.flows[h.flow]; o.buffer == f.buffer && o.motion == f.motion &&
				f.comes(h.sector) == p.last {
				chains--
			}
		}
	}
	return len(p.news) == chains
}

// free is the last unit, at most end, up to which nothing that the units behind the
// last one touch for the first time in the stretch is in the table, or in strides but where
// the last one has hit them.
func (c *counter) free(p *passage, end int64) int64 {
	flows, last := p.flows, p.last
	if c.walks += int64(len(c.table.pages)) * pageSectors; c.walks > maxWalks {
		return last
	}
	for _, page := range c.table.pages {
		for i := range flows {
			f := &flows[i]
			if f.buffer != page.key.buffer {
				continue
			}
			for k, t := range page.time {
				if t == 0 {
					continue
				}
				if n := f.comes(page.key.number*pageSectors + int64(k)); n > last {
					end = min(end, n-1)
				}
			}
		}
	}
	for _, s := range c.stack.strides {
		for i := range s.flows {
			for j := range flows {
				if flows[j].buffer == s.flows[i].buffer && flows[j].step > 0 {
					end = flows[j].freeOf(&s.flows[i], p.rowsHit(s, i), last, end)
				}
			}
		}
	}
	return end
}

// freeOf is free for what is in a stride.
func (f *flow) freeOf(s *strideFlow, hit map[int64]int64, last, end int64) int64 {
	for i := range s.rows {
		x := &s.rows[i]
		if k, ok := hit[x.base]; ok && x.lo == k+1 {
			continue
		}
		lo, hi := x.base+x.lo*s.step, x.base+(x.hi-1)*s.step
		if f.motion != s.motion {
			if a, b := min(lo*s.sign, hi*s.sign), max(lo*s.sign, hi*s.sign); a < f.hi && b >= f.lo {
				return last
			}
			continue
		}
		c := f.find(hi)
		switch {
		case c == nil:
		case lo > c.last+last*f.step:
			end = min(end, (lo-c.last)/f.step-1)
		case hi > c.last+last*f.step:
			return last
		case lo < c.first: // where an earlier chain may come to
			if c = f.find(lo); c != nil && lo <= c.last+end*f.step {
				return last
			}
		}
	}
	return end
}

// length sets how many units are passed over: up to a last one, and so that what they
// touch for the first time is in a limited number of pieces. It says whether it
// is fewer for that.
func (p *passage) length(last int64) (cut bool) {
	p.n = min(last-p.last, p.steadyHits()) - p.after
	most := p.n
	for i := range p.news {
		f := &p.news[i]
		if slices.ContainsFunc(p.news[:i], f.alike) {
			continue
		}
		var list []span
		for j := range p.news {
			if f.alike(p.news[j]) {
				list = append(list, span{p.news[j].sector, p.news[j].sector + 1})
			}
		}
		s := normalised(list)
		if len(union(s, s.shifted(f.step))) > len(s) {
			most = min(most, int64(maxSpans/len(s))-p.after)
		}
	}
	cut = most < p.n
	p.n = most
	return cut
}

func (f *firstRow) alike(g firstRow) bool { return f.buffer == g.buffer && f.step == g.step }

// passage is units of a stretch that are passed over.
type passage struct {
	flows []flow
	news  []firstRow
	last  int64 // the last unit before
	hits  []hit // of that one
	n     int64 // how many there are
	after int64 // how many behind are gone through without being counted
}

// pass passes over units, given what was counted before the last one.
func (c *counter) pass(s *stretch, before counted, p *passage) {
	times := p.n + p.after
	again := p.expected(before, times)
	for id, now := range c.counts {
		was := before.counts[id]
		c.touched += times * (now.total - was.total)
		now.total += times * (now.total - was.total)
		for k := range now.warp {
			now.warp[k] += times * (now.warp[k] - was.warp[k])
			now.group[k] += times * (now.group[k] - was.group[k])
		}
		for w := range now.first {
			now.first[w] += times * (now.first[w] - was.first[w])
		}
	}
	for id, n := range again {
		c.counts[id].add(&n)
	}
	p.consume()
	for _, f := range p.news {
		f.n = times
		c.rows = append(c.rows, f)
	}
	x := c.strideOf(p)
	for i := range x.flows {
		f := &x.flows[i]
		for j := range f.rows {
			// What would have been touched again is part of the stride.
			r, chain := &f.rows[j], f.chains[j]
			for k := int64(1); k <= min(p.n, (chain.last-chain.first)/f.step); k++ {
				if page, at := c.table.find(f.buffer, f.sector(r.base+k*f.step)); page != nil && page.time[at] != 0 {
					c.stack.remove(page, at)
					clear(c.table.warps(page, at))
				}
			}
		}
	}
	if x.live > 0 {
		c.stack.push(x)
	}
	s.jump(p.n)
	c.unknown = true
	s.play(p.after, c.visit)
	c.unknown = false
	for i := range x.flows {
		f := &x.flows[i]
		for j := range f.rows {
			// The warps that touched it in what was passed over are those of the others.
			for k := int64(1); k <= p.after; k++ {
				page, at := c.table.at(f.buffer, f.sector(f.rows[j].base+(p.n+k)*f.step))
				for w, bits := range f.rows[j].seen {
					c.table.warps(page, at)[w] |= bits
				}
			}
		}
		f.chains = nil
	}
}

// strideOf collects what the units that are passed over are the last to touch.
func (c *counter) strideOf(p *passage) *stride {
	x := &stride{}
	type place struct {
		time uint32
		row  *row
	}
	var order []place
	for i := range p.flows {
		f := &p.flows[i]
		if f.step == 0 {
			continue
		}
		sf := strideFlow{buffer: f.buffer, motion: f.motion, chains: f.chains, rows: make([]row, len(f.chains))}
		for j, chain := range f.chains {
			base := chain.first + p.last*f.step
			page, at := c.table.at(f.buffer, f.sector(base))
			sf.rows[j] = row{base: base, residue: chain.residue, lo: 1, hi: p.n + 1,
				seen: slices.Clone(c.table.warps(page, at))}
			order = append(order, place{page.time[at], &sf.rows[j]})
			x.live += int(p.n)
		}
		x.flows = append(x.flows, sf)
	}
	slices.SortFunc(order, func(a, b place) int { return cmp.Compare(a.time, b.time) })
	for i := range order {
		order[i].row.order = i
	}
	return x
}
