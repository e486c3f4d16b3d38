package machine

import (
	"cmp"
	"slices"
)

// leaveLoops spills what only lives through innermost loops that load from device memory and for which there are not
// enough registers otherwise, in the order that does not save any: a store in front of the loop and a load behind it
// cost less than loads that come one by one in each iteration. (ptxas 11.8: of 28 values that two loops with twelve
// sums and loads leave alone 24 are in memory with 40 registers, and nine loads are on their way in the loops.)
func (s *scheduler) leaveLoops(limit int, short map[Reg]bool) *scheduler {
	p := newSpiller(s.l, Vector, limit, short)
	for k := range s.l.loops {
		g := &s.l.loops[k]
		if k > 0 && g.from < g.to && s.l.loops[k-1].from >= g.from && s.l.loops[k-1].to <= g.to {
			continue // not an innermost one
		}
		words := s.wanting(g, limit)
		for _, r := range p.passing(g) {
			if words <= 0 {
				break
			}
			words -= s.l.code.Reg(r).Words
			p.spill(r)
			p.settle()
		}
	}
	if len(p.chosen) == 0 {
		return s
	}
	p.rewrite()
	return newScheduler(s.l.code)
}

// wanting is how many registers a loop has too few in the order that does not save any.
func (s *scheduler) wanting(g *loopSteps, limit int) int {
	n := 0
	for i, b := range s.blocks {
		if at := int32(s.l.blocks[i].start); at >= g.from && at < g.to {
			if b.waits() {
				n = max(n, b.unlimited(s.limits(limit)).peak[Vector]-limit)
			}
		}
	}
	return n
}

// waits reports whether a block loads from device memory.
func (b *blockSchedule) waits() bool {
	for i := range b.instrs {
		if b.loaded(int32(i)) > 0 && b.far(int32(i)) {
			return true
		}
	}
	return false
}

// passing are the registers that live through a loop which does not access them, those with the fewest accesses
// elsewhere first.
func (p *spiller) passing(g *loopSteps) (list []Reg) {
	accessed := map[Reg]bool{}
	for i := g.from; i < g.to; i++ {
		for _, a := range p.l.of(int(i)) {
			accessed[p.l.owner[a.word]] = true
		}
	}
	for i := range p.regs {
		r := Reg(i + 1)
		if p.l.code.Reg(r).Class == p.class && !p.regs[i].chosen && !accessed[r] && p.lives(r, g.from) {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b Reg) int { return cmp.Compare(p.regs[a-1].weight, p.regs[b-1].weight) })
	return list
}
