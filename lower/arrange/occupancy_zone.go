package arrange

import "gpupipe/lower/machine"

// zone is one end of a block from which LLVM's scheduler works towards the other (SchedBoundary): the instructions
// that could come next, and how far it has come.
type zone struct {
	s         *occupancySchedule
	top       bool
	left      []int32 // by node: edges to others of this side that have not been scheduled
	weak      []int32 // of clusters
	ready     []int32 // by node: the cycle from which it can be issued
	available []int32
	pending   []int32 // that could come next as well, where too many could
	cycle     int32
	retired   int32
	expected  int32    // the longest latency of what has been scheduled
	dependent int32    // the longest latency of what depends on that
	now       pressure // of the registers that live where the zone ends
	living    []int32  // by register: how many of its values do
	next      [2]int32 // the neighbours in the cluster of what has been scheduled, -1: none
	reduce    bool     // latency counts
}

// pressure is how many 32-bit registers of each file live.
type pressure struct{ vector, scalar int32 }

func (p *pressure) add(class machine.Class, words, wave int32) {
	switch class {
	case machine.Vector:
		p.vector += words
	case machine.Uniform:
		p.scalar += words
	case machine.Predicate: // a bit for each lane
		p.scalar += words * wave / 32
	}
}

func newZone(s *occupancySchedule, top bool) *zone {
	z := &zone{s: s, top: top, left: make([]int32, len(s.succs)), weak: make([]int32, len(s.succs)),
		ready: make([]int32, len(s.succs)), next: [2]int32{-1, -1}}
	for i := range s.succs {
		before, near := s.preds[i], s.clusterPreds[i]
		if !top {
			before, near = s.succs[i], s.clusterSuccs[i]
		}
		z.left[i], z.weak[i] = int32(len(before)), int32(len(near))
	}
	z.now, z.living = s.entering(top)
	for i := range int32(len(s.succs)) {
		if top && len(s.preds[i]) == 0 || !top && len(s.succs[i]) == 0 {
			z.release(i)
		}
	}
	return z
}

// release makes a node one of those that could come next; one that only stands for others comes at once.
func (z *zone) release(i int32) {
	switch {
	case int(i) >= z.s.count:
		z.follow(i, z.ready[i])
	case len(z.available) >= z.s.most:
		z.pending = append(z.pending, i)
	default:
		z.available = append(z.available, i)
	}
}

// refill makes pending instructions available.
func (z *zone) refill() {
	for len(z.pending) > 0 && len(z.available) < z.s.most {
		if i := z.pending[0]; !z.s.done[i] {
			z.available = append(z.available, i)
		}
		z.pending = z.pending[1:]
	}
}

// follow tells the neighbours of a node that it has been issued.
func (z *zone) follow(i, at int32) {
	list := z.s.succs[i]
	if !z.top {
		list = z.s.preds[i]
	}
	for _, e := range list {
		z.ready[e.node] = max(z.ready[e.node], at+e.after)
		if z.left[e.node]--; z.left[e.node] == 0 && !(int(e.node) < z.s.count && z.s.done[e.node]) {
			z.release(e.node)
		}
	}
}

// remove takes a node out of those that could come next.
func (z *zone) remove(i int32) {
	for k, n := range z.available {
		if n == i {
			z.available[k] = z.available[len(z.available)-1]
			z.available = z.available[:len(z.available)-1]
			return
		}
	}
}

// issue puts a node next (SchedBoundary::bumpNode with an issue width of one and buffers of one instruction).
func (z *zone) issue(i int32) {
	s := z.s
	next := max(z.cycle, z.ready[i])
	z.retired++
	up, down := &z.expected, &z.dependent
	if !z.top {
		up, down = down, up
	}
	*up, *down = max(*up, s.depth[i]), max(*down, s.height[i])
	at := next
	z.dependent = max(0, z.dependent-(next+1-z.cycle)) // as time passes (bumpCycle)
	z.cycle = next + 1
	z.now = z.with(i)
	z.live(i)
	z.follow(i, at)
	near := s.clusterSuccs[i]
	if !z.top {
		near = s.clusterPreds[i]
	}
	for _, k := range near {
		z.weak[k]--
		z.next = [2]int32{k, -1}
	}
}

// turn is by how many more, or fewer, values of a register live.
type turn struct {
	reg   machine.Reg
	class machine.Class
	by    int32
}

// turns lists how registers change behind a node (in front of it, from below).
func (z *zone) turns(i int32) []turn {
	s := z.s
	v := s.values
	list := v.of[v.first[i]:v.first[i+1]]
	out := s.turned[:0]
	add := func(n, by int32) {
		r := s.l.owner[v.word[n]]
		for k := range out {
			if out[k].reg == r {
				out[k].by += by
				return
			}
		}
		out = append(out, turn{r, s.b.class[n], by})
	}
	for k, n := range list {
		if n < 0 {
			n = ^n
			switch {
			case !z.top && s.below[n]:
				add(n, -1)
			case z.top && (v.uses[n] > 0 || s.b.out[n]):
				add(n, 1)
			}
			continue
		}
		if times(list[:k], n) > 0 {
			continue
		}
		if !z.top && !s.below[n] {
			add(n, 1)
		}
		if z.top && !s.b.out[n] && s.reads[n] == times(list, n) {
			add(n, -1)
		}
	}
	s.turned = out
	return out
}

// with is the pressure behind a node: a register counts with all its words as long as one of them lives
// (increaseSetPressure and decreaseSetPressure, RegisterPressure.cpp).
func (z *zone) with(i int32) pressure {
	p := z.now
	for _, t := range z.turns(i) {
		was, is := z.living[t.reg], z.living[t.reg]+t.by
		if (was > 0) != (is > 0) {
			words := int32(z.s.l.code.Reg(t.reg).Words)
			if was > 0 {
				words = -words
			}
			p.add(t.class, words, z.s.wave)
		}
	}
	return p
}

func times(list []int32, n int32) int32 {
	c := int32(0)
	for _, k := range list {
		if k == n {
			c++
		}
	}
	return c
}

// live notes what a node reads and makes.
func (z *zone) live(i int32) {
	for _, t := range z.turns(i) {
		z.living[t.reg] += t.by
	}
	v := z.s.values
	for _, n := range v.of[v.first[i]:v.first[i+1]] {
		switch {
		case z.top && n >= 0:
			z.s.reads[n]--
		case !z.top && n < 0:
			z.s.below[^n] = false
		}
	}
	for _, n := range v.of[v.first[i]:v.first[i+1]] {
		if !z.top && n >= 0 {
			z.s.below[n] = true
		}
	}
}

// stall is how long an instruction would have to wait (getLatencyStallCycles): all resources hold one instruction.
func (z *zone) stall(i int32) int32 { return max(0, z.ready[i]-z.cycle) }

// latency is the longest way through what could come next (computeRemLatency).
func (z *zone) latency() int32 {
	far := z.s.height
	if !z.top {
		far = z.s.depth
	}
	n := z.dependent
	for _, i := range z.available {
		n = max(n, far[i])
	}
	return n
}

// policy says whether latency counts (GenericSchedulerBase::setPolicy): not where what is left to issue takes longer.
// Resources never do: an instruction takes each for a cycle, in which no other one is issued.
func (z *zone) policy(other *zone) bool {
	rest := z.latency()
	if z.s.remaining+other.retired-rest > 1 {
		return false
	}
	return z.cycle > z.s.critical || z.cycle > 0 && rest+z.cycle > z.s.critical
}
