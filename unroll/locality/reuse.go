package locality

import "slices"

// stack counts reuse distances: how many distinct sectors were touched from the
// last touch of a sector on. Each sector stands at the time of its last touch, and
// a Fenwick tree over the times counts the sectors in a range of them
// (B. T. Bennett, V. J. Kruskal: LRU Stack Processing, IBM J. R&D 1975;
// F. Olken, LBL-12370, 1981). Times are given anew when they run out, so that
// memory grows with the distinct sectors and not with the touches.
type stack struct {
	table *table
	tree  []int32 // Fenwick tree over times 1..len-1
	now   uint32  // the last time given
	live  int     // sectors that stand in the tree
	// Sectors that stand beside the tree, in ascending order of times.
	strides []*stride
}

const firstTimes = 1 << 12

func newStack(t *table) *stack { return &stack{table: t, tree: make([]int32, firstTimes)} }

// touch moves a sector to the top and returns its distance in sectors, itself
// included; 0 if it has never been touched.
func (s *stack) touch(p *page, i int) int {
	if int(s.now)+1 == len(s.tree) {
		s.renumber()
	}
	last := p.time[i]
	if last == s.now && last != 0 {
		return 1
	}
	distance := 0
	if last != 0 {
		distance = s.above(last) + 1
		s.add(last, -1)
	} else {
		s.live++
	}
	s.now++
	p.time[i] = s.now
	s.add(s.now, 1)
	return distance
}

// above counts the sectors whose last touch was after a time.
func (s *stack) above(t uint32) int {
	n := s.live - s.until(t)
	for i := len(s.strides) - 1; i >= 0 && s.strides[i].time > t; i-- {
		n += s.strides[i].live
	}
	return n
}

// take removes a sector from the strides and returns the distance at which it is touched, 0
// if it is in none, and where it was.
func (s *stack) take(buffer BufferID, sector int64) (distance int, at found) {
	for i, x := range s.strides {
		above, at, ok := x.take(buffer, sector)
		if !ok {
			continue
		}
		distance = s.above(x.time) + above + 1
		if x.live == 0 {
			s.strides = slices.Delete(s.strides, i, i+1)
		}
		return distance, at
	}
	return 0, found{}
}

// push puts a stride on top.
func (s *stack) push(x *stride) {
	if int(s.now)+1 == len(s.tree) {
		s.renumber()
	}
	s.now++
	x.time = s.now
	s.strides = append(s.strides, x)
}

// remove takes a sector out.
func (s *stack) remove(p *page, i int) {
	s.add(p.time[i], -1)
	s.live--
	p.time[i] = 0
}

// until counts the sectors whose last touch was at a time up to t.
func (s *stack) until(t uint32) int {
	var n int32
	for ; t > 0; t &= t - 1 {
		n += s.tree[t]
	}
	return int(n)
}

func (s *stack) add(t uint32, n int32) {
	for ; int(t) < len(s.tree); t += t & -t {
		s.tree[t] += n
	}
}

// renumber gives the sectors consecutive times from 1 and makes room for as many
// more.
func (s *stack) renumber() {
	order := make([]*uint32, s.now+1) // by time; nil = a sector that stood there was touched again
	for _, p := range s.table.pages {
		for i := range p.time {
			if t := p.time[i]; t != 0 {
				order[t] = &p.time[i]
			}
		}
	}
	for _, x := range s.strides {
		order[x.time] = &x.time
	}
	s.tree = make([]int32, max(firstTimes, 4*s.live))
	s.now = 0
	strides := s.strides
	for _, t := range order {
		if t == nil {
			continue
		}
		s.now++
		*t = s.now
		if len(strides) > 0 && t == &strides[0].time {
			strides = strides[1:]
		} else {
			s.tree[s.now] = 1
		}
	}
	// Each node counts its range.
	for t := uint32(1); int(t) < len(s.tree); t++ {
		if up := t + t&-t; int(up) < len(s.tree) {
			s.tree[up] += s.tree[t]
		}
	}
}
