package locality

import (
	"math/bits"
	"slices"
)

// Two groups that run at the same time need not touch what they share at the same time: one may read a tile first,
// write much, and then read the tile of its neighbour, which L2 has lost by then. Taken to have begun
// together and to go through their programs in step, they touch a sector apart by what a group touches between the
// places at which one and the other do. A group that touches the sector from one place to another leaves it in reach
// for the time between, so the distance is that between the two intervals, 0 if they overlap.

// interval is from the first to the last place at which some warps touch something; empty if last < first.
type interval struct{ first, last int64 }

// placed is an access of a warp with all its repetitions.
type placed struct {
	shape     *shape
	step      [3]int64 // by which it moves from group to group, where that was asked for
	start, at int64    // of the first repetition
	drift     int64    // bytes to the next repetition, if there are any
	length    int64    // instructions to it
	copies    int64
	bytes     span // that it touches, and all between
}

// places lists the accesses of some warps by buffer; step says how the i-th of a warp moves from group to group.
func (s *Shapes) places(warps []Warp, step func(warp, i int) [3]int64) map[BufferID][]placed {
	out := map[BufferID][]placed{}
	for w := range warps {
		repeats := warps[w].Repeats
		for i := range warps[w].Touches {
			t := &warps[w].Touches[i]
			p := placed{shape: s.at(t.Shape), start: t.Start, at: t.At}
			if step != nil {
				p.step = step(w, i)
			}
			for len(repeats) > 0 && i >= repeats[0].TouchesEnd {
				repeats = repeats[1:]
			}
			if len(repeats) > 0 && i >= repeats[0].TouchesFrom {
				r := &repeats[0]
				p.drift, p.length, p.copies = r.Drifts[i-r.TouchesFrom], r.Length, r.Copies
			}
			p.bytes = span{p.shape.spans[0].lo + p.start, p.shape.spans[len(p.shape.spans)-1].hi + p.start}
			p.bytes.lo, p.bytes.hi = p.bytes.lo+min(0, p.copies*p.drift), p.bytes.hi+max(0, p.copies*p.drift)
			out[p.shape.buffer] = append(out[p.shape.buffer], p)
		}
	}
	return out
}

// touches widens an interval by the places at which the access touches some of a range of bytes.
func (p *placed) touches(x span, in *interval) {
	if p.bytes.hi <= x.lo || x.hi <= p.bytes.lo {
		return
	}
	for _, s := range p.shape.spans {
		from, to := int64(0), p.copies
		// x.lo < s.hi + start + k*drift and s.lo + start + k*drift < x.hi
		lo, hi := x.lo-s.hi-p.start, x.hi-s.lo-p.start
		switch {
		case p.drift > 0:
			from, to = max(from, floorDiv(lo, p.drift)+1), min(to, -floorDiv(-hi, p.drift)-1)
		case p.drift < 0:
			from, to = max(from, floorDiv(-hi, -p.drift)+1), min(to, -floorDiv(lo, -p.drift)-1)
		case lo >= 0 || hi <= 0:
			continue
		}
		if from <= to {
			in.first, in.last = min(in.first, p.at+from*p.length), max(in.last, p.at+to*p.length)
		}
	}
}

// between adds the bytes that the access touches between two places.
func (p *placed) between(x interval, to *builder) {
	from, end := int64(0), p.copies
	if p.length > 0 {
		from, end = max(0, floorDiv(x.first-p.at, p.length)+1), min(end, -floorDiv(p.at-x.last, p.length)-1)
	} else if p.at <= x.first || p.at >= x.last {
		return
	}
	if from > end {
		return
	}
	s := p.shape.spans.shifted(p.start + from*p.drift)
	if p.drift != 0 && end > from {
		s, _ = repeated(s, p.drift, end-from+1, maxSpans)
	}
	for _, b := range s {
		to.add(b)
	}
}

// pace finds how far apart groups touch what they share.
type pace struct {
	sector  sectorSize
	own     map[BufferID][]placed // of the group
	all     []placed              // with stores at unknown addresses
	between map[interval]int64    // what the group touches between two places, bytes
	looks   int64                 // accesses that were looked at
}

// meeting says how two groups come for what they share: how many bytes one touches between their touches, whether the
// later one touches it at the earlier place of its program, and whether they touch it for the first time at the same.
type meeting struct {
	apart         int64
	ahead, inStep bool
}

// apartFrom divides sectors of a buffer into those for which the group and another one, whose accesses lie by shift
// farther on, meet alike. It is found for samples of them; beyond the limit of what is looked at, the
// groups touch the sectors at the same time.
func (p *pace) apartFrom(other []placed, shift int64, b BufferID, sectors set) map[meeting]set {
	out := map[meeting]set{}
	size := sectors.size()
	samples := min(size, maxPaceSamples)
	for i := range samples {
		part := sectors.part(i*size/samples, (i+1)*size/samples)
		at := part.part(part.size()/2, part.size()/2+1)[0].lo
		x := span{at * int64(p.sector), (at + 1) * int64(p.sector)}
		one, two := p.when(p.own[b], x), p.when(other, span{x.lo - shift, x.hi - shift})
		m := meeting{apart: p.apart(one, two)}
		m.ahead = m.apart != 0 && one.last < two.first
		m.inStep = m.apart == 0 && one.last >= 0 && one.first == two.first
		out[m] = union(out[m], part)
	}
	return out
}

// maxPaceSamples bounds the sectors of which the distance between two groups is found, of all that one of them brings
// for the other, and maxLooks the accesses that are compared with these in all.
const (
	maxPaceSamples = 8
	maxLooks       = 1 << 25
)

func (p *pace) when(list []placed, x span) interval {
	in := interval{never, -1}
	if p.looks += int64(len(list)); p.looks > maxLooks {
		return in
	}
	for i := range list {
		list[i].touches(x, &in)
	}
	return in
}

// apart is how many bytes the group touches between two intervals, rounded up to a power of two.
func (p *pace) apart(a, b interval) int64 {
	if a.last < 0 || b.last < 0 {
		return 0
	}
	if a.last > b.last {
		a, b = b, a
	}
	x := interval{a.last, b.first}
	if x.last-x.first < 2 {
		return 0
	}
	if n, ok := p.between[x]; ok {
		return n
	}
	if p.looks += int64(len(p.all)); p.looks > maxLooks {
		return 0
	}
	by := map[BufferID]*builder{}
	for i := range p.all {
		b := p.all[i].shape.buffer
		if by[b] == nil {
			by[b] = &builder{}
		}
		p.all[i].between(x, by[b])
	}
	n := int64(0)
	for _, b := range by {
		n += p.sector.sectors(b.set()).size()
	}
	if n > 0 {
		n = int64(p.sector) << bits.Len64(uint64(n-1))
	}
	p.between[x] = n
	return n
}

// pace lists the accesses of the group. steps says how they move from group to group, nil = nobody asks.
func (a *analysis) pace(t *translation) *pace {
	p := &pace{sector: a.sector, between: map[interval]int64{}}
	var step func(warp, i int) [3]int64
	if t != nil {
		step = func(warp, i int) [3]int64 { return t.steps[programOf(t.programs, warp)][i] }
	}
	p.own = a.Shapes.places(a.plain, step)
	for _, list := range a.Shapes.places(a.counted, nil) {
		p.all = append(p.all, list...)
	}
	return p
}

// moving is the accesses that move by a step from group to group.
func moving(list []placed, step [3]int64) []placed {
	return slices.DeleteFunc(slices.Clone(list), func(p placed) bool { return p.step != step })
}

// part is the elements of a set from one to another, in ascending order.
func (s set) part(from, to int64) set {
	var out set
	for _, x := range s {
		n := x.hi - x.lo
		if lo, hi := max(0, from), min(n, to); lo < hi {
			out = append(out, span{x.lo + lo, x.lo + hi})
		}
		from, to = from-n, to-n
	}
	return out
}
