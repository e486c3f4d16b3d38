package arrange

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower/machine"
)

// hoist moves loads of an order up as far as what they read and the registers allow, the first ones first, so that as
// many are on their way as there are registers for: ptxas fills the registers of a budget with loads of an unrolled
// body before it computes with the first of them. (It is what list scheduling under a limit does where order and
// pressure do not conflict; where they do, the order that saves registers comes first.)
func (b *blockSchedule) hoist(a *attempt, limits pressures, moves func(i int32) bool) *attempt {
	order, live, at := slices.Clone(a.order), slices.Clone(a.live), positions(a.order)
	limit := limits[machine.Vector]
	feeds, last := b.feeding(order, moves), 0
	moved, settled := false, make([]bool, b.graph.nodes)
	carrying, before := int32(-1), int32(-1) // the last one with a carry, and the one in front of it
	for k := range order {
		i := order[k]
		if b.carries(i) {
			carrying, before = i, carrying
		}
		words, earliest := b.loaded(i), 0
		switch {
		case words != 0 && moves(i):
		case feeds[i]:
			words, earliest = b.defined(i), last
		default:
			continue
		}
		earliest = max(earliest, b.behind(i, at, k-hoistWindow, settled))
		if carrying == i && before >= 0 {
			earliest = max(earliest, int(at[before])+1)
		}
		q, most := k, int32(limit-words)
		for q > earliest && k-q < hoistWindow && live[q-1] <= most && (q < 2 || live[q-2] <= most) {
			q--
		}
		if !feeds[i] {
			last = q + 1
		}
		if q == k {
			continue
		}
		moved = true
		grown := int32(words)
		if k > 0 {
			grown = live[k] - live[k-1]
		}
		for p := k; p > q; p-- {
			order[p] = order[p-1]
			at[order[p]] = int32(p)
			live[p] = live[p-1] + max(grown, 0)
		}
		order[q], at[i] = i, int32(q)
		live[q] = max(grown, 0)
		if q > 0 {
			live[q] += live[q-1]
		} else {
			live[q] += int32(b.entry[machine.Vector])
		}
	}
	if !moved {
		return a
	}
	return b.inOrder(order, limits)
}

// feeding are the instructions from which loads' addresses are computed in the block: they move along, each up to the
// load in front of it.
func (b *blockSchedule) feeding(order []int32, moves func(i int32) bool) []bool {
	feeds := make([]bool, b.graph.nodes)
	for k := len(order) - 1; k >= 0; k-- {
		i := order[k]
		if !feeds[i] && (b.loaded(i) == 0 || !moves(i)) {
			continue
		}
		for _, e := range b.graph.from[b.graph.before[i]:b.graph.before[i+1]] {
			if int(e) < b.graph.count && b.instrs[e].Mem == nil && b.instrs[e].Guard.Reg == 0 && b.defined(e) > 0 {
				feeds[e] = true
			}
		}
	}
	return feeds
}

// carries reports whether an instruction makes or reads a carry: these keep their order, so that no two carries live at
// once that did not.
func (b *blockSchedule) carries(i int32) bool { return b.inTurns && b.pair[i] >= 0 }

// far reports whether an instruction loads from device memory, which takes longer than any latency that a compiler
// schedules for.
func (b *blockSchedule) far(i int32) bool { return b.instrs[i].Mem.Space == idg.SpaceGlobal }

// any takes every load.
func (b *blockSchedule) any(int32) bool { return true }

// hoistWindow bounds how many instructions a load passes.
const hoistWindow = 1 << 11

// loaded is how many words of vector registers a load fills, 0: it is none that may move.
func (b *blockSchedule) loaded(i int32) int {
	in := b.instrs[i]
	if in.Mem == nil || in.Mem.Store || in.Mem.Atomic || in.Mem.Volatile || in.Guard.Reg != 0 || len(in.Defs) == 0 {
		return 0
	}
	return b.defined(i)
}

// defined is how many words of vector registers an instruction fills.
func (b *blockSchedule) defined(i int32) int {
	v, n := &b.graph.values, 0
	for _, k := range v.of[v.first[i]:v.first[i+1]] {
		if k < 0 && b.class[^k] == machine.Vector {
			n += int(v.words[^k])
		}
	}
	return n
}

// behind is the first place where what an instruction waits for is done, if that is behind a place that nothing more is
// moved in front of. What stands for several accesses is settled once they all are in front of that.
func (b *blockSchedule) behind(i int32, at []int32, fixed int, settled []bool) int {
	g := b.graph
	first := 0
	for _, from := range g.from[g.before[i]:g.before[i+1]] {
		switch {
		case int(from) < g.count:
			first = max(first, int(at[from])+1)
		case !settled[from]:
			n := b.behind(from, at, fixed, settled)
			settled[from] = n <= fixed
			first = max(first, n)
		}
	}
	return first
}

// inOrder is an order with its cycles.
func (b *blockSchedule) inOrder(order []int32, limits pressures) *attempt {
	a := b.begin(limits)
	for _, i := range order {
		b.pass(a)
		a.cycle = max(a.cycle, a.ready[i])
		a.emit(i)
	}
	return a.end()
}

// written is the order of the program.
func (b *blockSchedule) written() []int32 {
	order := make([]int32, b.graph.count)
	for i := range order {
		order[i] = int32(i)
	}
	return order
}

// fill lets instructions of an order that saves registers come earlier where the next one waits for its operands,
// the first one first, as far as the registers allow: what an order owes to registers it owes to them only where they
// are scarce (J. Goodman, W.-C. Hsu, Code Scheduling and Register Allocation in Large Basic Blocks, ICS 1988: by
// latency as long as registers are left). ptxas puts 3 to 7 instructions of the next body between MUFU.RSQ and what
// reads it in a loop that is unrolled under a limit of registers.
func (b *blockSchedule) fill(a *attempt, limits pressures) *attempt {
	order, live := slices.Clone(a.order), slices.Clone(a.live)
	s := b.begin(limits)
	for k := range order {
		b.pass(s)
		if s.ready[order[k]] > s.cycle {
			if at := b.filler(s, order, live, k, limits[machine.Vector]); at > k {
				grown, i := s.delta(order[at])[machine.Vector], order[at]
				copy(order[k+1:at+1], order[k:at])
				copy(live[k+1:at+1], live[k:at])
				order[k], live[k] = i, int32(grown+s.now[machine.Vector])
				for p := k + 1; p <= at; p++ {
					live[p] += int32(grown)
				}
			}
		}
		s.cycle = max(s.cycle, s.ready[order[k]])
		s.emit(order[k])
	}
	return s.end()
}

// fillWindow bounds how many instructions one passes that comes earlier.
const fillWindow = 32

// filler is the place of the first instruction of an order behind a place that can be issued in this cycle
// with the registers that are left up to there, the place itself if there is none.
func (b *blockSchedule) filler(s *attempt, order, live []int32, k, limit int) int {
	most, carry := s.now[machine.Vector], b.carries(order[k])
	for at := k + 1; at < min(len(order), k+fillWindow); at++ {
		most = max(most, int(live[at-1]))
		i, passed := order[at], carry
		carry = carry || b.carries(i)
		if s.left[i] > 0 || s.ready[i] > s.cycle || passed && b.carries(i) {
			continue
		}
		if most+max(0, s.delta(i)[machine.Vector]) <= limit {
			return at
		}
	}
	return k
}

// pass lets what stands for several instructions go by.
func (b *blockSchedule) pass(a *attempt) {
	for len(a.waiting) > 0 {
		if k := a.waiting.pop(); int(k) >= b.graph.count {
			a.leave(k, a.ready[k])
		}
	}
}
