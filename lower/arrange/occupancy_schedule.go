package arrange

import (
	"math"

	"gpupipe/lower/machine"
)

// occupancySchedule orders a block as LLVM's GCNMaxOccupancySchedStrategy does (GCNSchedStrategy.cpp, on top of
// GenericScheduler, MachineScheduler.cpp): from both ends, in the order of the program but for what keeps waves
// resident, keeps loads of neighbouring addresses together, and is on the critical path.
type occupancySchedule struct {
	l            *linear
	b            *blockSchedule
	values       *values
	turned       []turn
	count        int
	wave         int32
	succs, preds [][]edgeTo
	// clusters are edges that keep loads together and order nothing.
	clusterSuccs, clusterPreds [][]int32
	number                     []int32 // by node: its place in the order of the program
	depth, height              []int32
	critical                   int32 // the longest path
	aggressive                 bool  // latency counts most: a loop that waits for its longest path
	remaining                  int32
	reads                      []int32 // by value: reads that the top has not come to
	below                      []bool  // by value: it lives at the end of the bottom zone
	done                       []bool
	limits                     occupancyLimits
	excess                     bool     // a limit was reached
	zones                      [2]*zone // from the top, from the bottom
	most                       int      // instructions that a choice is among
	long                       bool     // too many loads for each pair of them to be looked at
}

// readyLimit is among how many instructions LLVM chooses (ReadyListLimit); in blocks of more than a few thousand it is
// fewer here, so that the time is linear.
const readyLimit = 256

// effort is how many choices a block is worth.
const effort = 1 << 21

// edgeTo is an edge to a node, after so many cycles.
type edgeTo struct{ node, after int32 }

// occupancyLimits are numbers of registers: how many there are, and with how many one wave fewer is resident.
type occupancyLimits struct{ excess, critical pressure }

// reason is why an instruction is preferred, the strongest first.
type reason uint8

const (
	byExcess reason = iota + 1
	byCritical
	byStall
	byCluster
	byWeak
	byLatency
	byOrder
	byNone
)

// pick is an instruction that could come next.
type pick struct {
	node             int32
	top              bool
	reason           reason
	excess, critical change
}

// change is how far a file is over its limit; file 0: it is not.
type change struct {
	file machine.Class
	over int32
}

// less prefers the smaller number; it reports whether that decided.
func (p *pick) less(mine, other int32, best *pick, why reason) bool {
	switch {
	case mine < other:
		p.reason = why
		return true
	case mine > other:
		best.reason = min(best.reason, why)
		return true
	}
	return false
}

// pressed is tryPressure: the smaller change of one file, else that of the file which has more registers left.
func (p *pick) pressed(mine, other change, best *pick, why reason) bool {
	switch {
	case p.top != best.top:
		return false
	case mine.file == other.file:
		return p.less(mine.over, other.over, best, why)
	}
	rank := func(c change) int32 { // getRegPressureSetScore: the number of the file
		switch c.file {
		case 0:
			return math.MaxInt32
		case machine.Vector:
			return 1
		}
		return 0
	}
	return p.less(-rank(mine), -rank(other), best, why)
}

func b2n(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// candidate is a node with what it does to the pressure (initCandidate).
func (s *occupancySchedule) candidate(z *zone, i int32) pick {
	p := pick{node: i, top: z.top, reason: byNone}
	const margin = 16 // MaxVGPRPressureInc
	after := z.with(i)
	l := &s.limits
	vectors := z.now.vector+margin >= l.excess.vector
	scalars := !vectors && z.now.scalar >= l.excess.scalar
	if vectors && after.vector >= l.excess.vector {
		p.excess = change{machine.Vector, after.vector - l.excess.vector}
	}
	if scalars && after.scalar >= l.excess.scalar {
		p.excess = change{machine.Uniform, after.scalar - l.excess.scalar}
	}
	v, u := after.vector-l.critical.vector, after.scalar-l.critical.scalar
	switch {
	case v < 0 && u < 0:
	case u > v:
		p.critical = change{machine.Uniform, u}
	default:
		p.critical = change{machine.Vector, v}
	}
	s.excess = s.excess || p.excess.file != 0 || p.critical.file != 0
	return p
}

// better reports in p.reason whether an instruction is better than the best one so far (tryCandidate); z is their
// zone, nil where they are of different ones.
func (s *occupancySchedule) better(p, best *pick, z *zone) {
	if best.reason == 0 {
		p.reason = byOrder
		return
	}
	if p.pressed(p.excess, best.excess, best, byExcess) || p.pressed(p.critical, best.critical, best, byCritical) {
		return
	}
	if z != nil && s.aggressive && s.faster(p, best, z) {
		return
	}
	if z != nil && p.less(z.stall(p.node), z.stall(best.node), best, byStall) {
		return
	}
	if p.less(b2n(!s.near(p)), b2n(!s.near(best)), best, byCluster) || z == nil {
		return
	}
	if p.less(z.weak[p.node], z.weak[best.node], best, byWeak) {
		return
	}
	if z.reduce && !s.aggressive && s.faster(p, best, z) {
		return
	}
	if z.top == (s.number[p.node] < s.number[best.node]) {
		p.reason = byOrder
	}
}

// near reports whether a node is the next one of a cluster.
func (s *occupancySchedule) near(p *pick) bool {
	z := s.zones[1]
	if p.top {
		z = s.zones[0]
	}
	return z.next[0] == p.node
}

// faster is tryLatency.
func (s *occupancySchedule) faster(p, best *pick, z *zone) bool {
	behind, ahead := s.depth, s.height
	if !z.top {
		behind, ahead = ahead, behind
	}
	if max(behind[p.node], behind[best.node]) > max(z.expected, z.cycle) &&
		p.less(behind[p.node], behind[best.node], best, byLatency) {
		return true
	}
	return p.less(-ahead[p.node], -ahead[best.node], best, byLatency)
}

// choose finds the best of a zone.
func (s *occupancySchedule) choose(z *zone) pick {
	best := pick{top: z.top}
	for _, i := range z.available {
		p := s.candidate(z, i)
		if s.better(&p, &best, z); p.reason != byNone {
			best = p
		}
	}
	return best
}

// order orders the block (pickNodeBidirectional): of two that nothing distinguishes, the one from the bottom.
func (s *occupancySchedule) order(limits occupancyLimits) []int32 {
	s.begin(limits)
	top, bottom := s.zones[0], s.zones[1]
	var first, last []int32
	var up, down pick
	for len(first)+len(last) < s.count {
		var p pick
		top.refill()
		bottom.refill()
		switch {
		case len(bottom.available) == 1:
			p = pick{node: bottom.available[0]}
		case len(top.available) == 1:
			p = pick{node: top.available[0], top: true}
		default:
			if reduce := bottom.policy(top); up.reason == 0 || s.done[up.node] || reduce != bottom.reduce {
				bottom.reduce = reduce
				up = s.choose(bottom)
			}
			if reduce := top.policy(bottom); down.reason == 0 || s.done[down.node] || reduce != top.reduce {
				top.reduce = reduce
				down = s.choose(top)
			}
			p = up
			down.reason = byNone
			if s.better(&down, &p, nil); down.reason != byNone {
				p = down
			}
			if down.reason == byNone {
				down.reason = byOrder
			}
		}
		if p.top {
			first = append(first, p.node)
		} else {
			last = append(last, p.node)
		}
		s.take(p)
	}
	for k := len(last) - 1; k >= 0; k-- {
		first = append(first, last[k])
	}
	return first
}

// take schedules an instruction.
func (s *occupancySchedule) take(p pick) {
	s.done[p.node] = true
	s.remaining--
	for _, z := range s.zones {
		z.remove(p.node)
	}
	if p.top {
		s.zones[0].issue(p.node)
	} else {
		s.zones[1].issue(p.node)
	}
}

// begin forgets an order.
func (s *occupancySchedule) begin(limits occupancyLimits) {
	s.limits, s.excess, s.remaining = limits, false, int32(s.count)
	s.reads = append(s.reads[:0], s.values.uses...)
	s.below = append(s.below[:0], s.b.out...)
	s.done = make([]bool, s.count)
	s.zones = [2]*zone{newZone(s, true), newZone(s, false)}
}

// entering is the pressure at an end of the block, of registers that the block reads or writes, and how many values
// of each register live.
func (s *occupancySchedule) entering(top bool) (p pressure, living []int32) {
	living = make([]int32, len(s.l.code.Regs)+1)
	for n, word := range s.values.word {
		if top && s.b.alive[n] || !top && s.b.out[n] {
			r := s.l.owner[word]
			if living[r]++; living[r] == 1 {
				p.add(s.b.class[n], int32(s.l.code.Reg(r).Words), s.wave)
			}
		}
	}
	return p, living
}

// peak is the highest pressure of an order, of all words that live (GCNDownwardRPTracker).
func (s *occupancySchedule) peak(order []int32) pressure {
	s.reads = append(s.reads[:0], s.values.uses...)
	var now pressure
	for class, n := range s.b.entry {
		now.add(machine.Class(class), int32(n), s.wave)
	}
	most := now
	v := s.values
	for _, i := range order {
		list := v.of[v.first[i]:v.first[i+1]]
		for _, n := range list {
			switch {
			case n < 0 && (v.uses[^n] > 0 || s.b.out[^n]):
				now.add(s.b.class[^n], v.words[^n], s.wave)
			case n >= 0:
				if s.reads[n]--; s.reads[n] == 0 && !s.b.out[n] {
					now.add(s.b.class[n], -v.words[n], s.wave)
				}
			}
		}
		most.vector, most.scalar = max(most.vector, now.vector), max(most.scalar, now.scalar)
	}
	return most
}
