package locality

import (
	"cmp"
	"slices"
)

// candidate is an earlier group that may touch what the group touches.
type candidate struct {
	back     int64 // how many groups earlier
	shift    int64 // where its bytes are, relative to the group's own
	movement int
}

// nearest finds, for each sector that the group touches first, the nearest
// earlier group that touches it.
func (a *analysis) nearest(t *translation) {
	steps := 0
	left := map[BufferID]set{}
	p := a.pace(t)
	for _, b := range a.own.buffers {
		others := map[[3]int64][]placed{}
		open := a.own.firstSectors(b)
		list, complete := a.candidates(t, b, open)
		for _, c := range list {
			if len(open) == 0 {
				break
			}
			if steps > maxSpanSteps {
				complete = false
				break
			}
			touched := a.sector.within(t.movements[c.movement].all, c.shift, open)
			near := c.shift != 0 && max(c.shift, -c.shift) < int64(a.sector)
			if n := a.sharing(&t.movements[c.movement]); n > 1 && near {
				touched = nil // of the group's own sector
				if c.back == 1 {
					touched = thinned(a.sector.within(t.movements[c.movement].all, 0, open), n)
				}
			}
			steps += len(touched) + 1
			if len(touched) == 0 {
				continue
			}
			var in set
			in, open = split(open, touched)
			steps += len(open)
			step := t.movements[c.movement].step
			if others[step] == nil {
				others[step] = moving(p.own[b], step)
			}
			for m, in := range p.apartFrom(others[step], c.shift, b, in) {
				a.own.settle(b, in, toucher{c.back, m})
			}
		}
		if !complete {
			a.note("not all earlier groups that may touch the same memory were looked at")
		}
		left[b] = open
	}
	a.settleAll(left)
}

// sharing is how many groups in a row have their bytes in one sector, 1 where each has its own or their numbers differ.
// Of n groups one meets the sector first, and n - 1 find what the group before them has brought.
func (a *analysis) sharing(m *movement) int64 {
	step := max(m.step[0], -m.step[0])
	if !a.Stands || step == 0 || int64(a.sector)%step != 0 || a.Launch.Groups[0]%(int64(a.sector)/step) != 0 {
		return 1
	}
	return int64(a.sector) / step
}

// thinned leaves every nth sector out.
func thinned(s set, n int64) set {
	var out builder
	count := int64(0)
	for _, x := range s {
		for i := x.lo; i < x.hi; i++ {
			if count++; count%n != 0 {
				out.add(span{i, i + 1})
			}
		}
	}
	return out.set()
}

// within is the sectors of bytes moved by shift, as far as they may lie in open.
func (z sectorSize) within(s set, shift int64, open set) set {
	lo, hi := open[0].lo*int64(z)-shift, open[len(open)-1].hi*int64(z)-shift
	i, _ := slices.BinarySearchFunc(s, lo, func(x span, lo int64) int { return cmp.Compare(x.hi, lo+1) })
	j, _ := slices.BinarySearchFunc(s, hi, func(x span, hi int64) int { return cmp.Compare(x.lo, hi) })
	if i >= j {
		return nil
	}
	return z.sectors(s[i:j].shifted(shift))
}

// candidates lists the earlier groups whose bytes may lie between the first and
// the last of some sectors of a buffer, the nearest first, and reports whether
// these are all.
func (a *analysis) candidates(t *translation, b BufferID, open set) ([]candidate, bool) {
	if len(open) == 0 {
		return nil, true
	}
	var out []candidate
	complete := true
	for i := range t.movements {
		m := &t.movements[i]
		if m.buffer != b {
			continue
		}
		s := search{
			step: m.step, movement: i, groups: a.Launch.Groups,
			// moved by d, they meet if lo < d < hi
			lo: open[0].lo*int64(a.sector) - m.all[len(m.all)-1].hi,
			hi: open[len(open)-1].hi*int64(a.sector) - m.all[0].lo,
		}
		for d := range 3 {
			s.least[d], s.most[d] = -a.Group[d], a.Launch.Groups[d]-1-a.Group[d]
		}
		s.dimension(2, 0, 0, true)
		out = append(out, s.found...)
		complete = complete && !s.cut
	}
	slices.SortFunc(out, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.back, y.back), cmp.Compare(x.movement, y.movement))
	})
	return out, complete
}

// search enumerates the earlier groups of which one movement's bytes may meet
// others.
type search struct {
	step        [3]int64
	movement    int
	groups      [3]int64
	least, most [3]int64 // differences of ids that the launch has
	lo, hi      int64
	found       []candidate
	visits      int
	cut         bool // not all were looked at
}

// dimension chooses a difference in dimension d and those below, given what the
// dimensions above add to the shift and to how far back the group is. tight says that these
// are all 0, so that the rest must be less than 0.
func (s *search) dimension(d int, shift, back int64, tight bool) {
	most := s.most[d]
	if tight {
		most = 0
		if d == 0 {
			most = -1
		}
	}
	least := s.least[d]
	if least > most {
		return
	}
	// What the dimensions below can add.
	var below span
	for k := range d {
		x, y := s.step[k]*s.least[k], s.step[k]*s.most[k]
		below.lo, below.hi = below.lo+min(x, y), below.hi+max(x, y)
	}
	lo, hi := s.lo-shift-below.hi, s.hi-shift-below.lo // lo < step*difference < hi
	step := s.step[d]
	switch {
	case step == 0:
		if lo >= 0 || hi <= 0 {
			return
		}
		// All differences are alike: the nearest, and where the group's own allows
		// no more than a part of the dimensions below, the next.
		if !tight || d == 0 {
			least = most
		} else {
			least = max(least, most-1)
		}
	case step > 0:
		least, most = max(least, floorDiv(lo, step)+1), min(most, -floorDiv(-hi, step)-1)
	default:
		// step*x < hi means x > hi/step
		least, most = max(least, floorDiv(-hi, -step)+1), min(most, -floorDiv(lo, -step)-1)
	}
	stride := int64(1)
	for k := range d {
		stride *= s.groups[k]
	}
	for x := most; x >= least; x-- {
		if s.visits++; s.visits > maxCandidates {
			s.cut = true
			return
		}
		if d == 0 {
			s.found = append(s.found, candidate{back - x, shift + step*x, s.movement})
		} else {
			s.dimension(d-1, shift+step*x, back-x*stride, tight && x == 0)
		}
	}
}
