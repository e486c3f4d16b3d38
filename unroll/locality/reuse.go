package locality

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
		distance = s.live - s.until(last) + 1
		s.add(last, -1)
	} else {
		s.live++
	}
	s.now++
	p.time[i] = s.now
	s.add(s.now, 1)
	return distance
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
	s.tree = make([]int32, max(firstTimes, 4*s.live))
	s.now = 0
	for _, t := range order {
		if t != nil {
			s.now++
			*t = s.now
		}
	}
	// The tree of ones at 1..now: each node counts its range.
	for t := uint32(1); int(t) < len(s.tree); t++ {
		if t <= s.now {
			s.tree[t]++
		}
		if up := t + t&-t; int(up) < len(s.tree) {
			s.tree[up] += s.tree[t]
		}
	}
}
