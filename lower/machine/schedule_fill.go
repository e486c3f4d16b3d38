package machine

import "slices"

// fill lets instructions of an order that saves registers come earlier where the next one waits for its operands,
// the first one first, as far as the registers allow: what an order owes to registers it owes to them only where they
// are scarce (J. Goodman, W.-C. Hsu, Code Scheduling and Register Allocation in Large Basic Blocks, ICS 1988: by
// latency as long as registers are left). ptxas puts 3 to 7 instructions of the next body between MUFU.RSQ and what
// reads it in a loop that is unrolled under a limit of registers.
func (b *blockSchedule) fill(a *attempt, limits pressures) *attempt {
	order, live := slices.Clone(a.order), b.pressure(a.order, limits)
	s := b.begin(limits)
	for k := range order {
		b.pass(s)
		if s.ready[order[k]] > s.cycle {
			if at := b.filler(s, order, live, k, limits[Vector]); at > k {
				grown, i := s.change(order[at])[Vector], order[at]
				copy(order[k+1:at+1], order[k:at])
				copy(live[k+1:at+1], live[k:at])
				order[k], live[k] = i, grown+s.now[Vector]
				for p := k + 1; p <= at; p++ {
					live[p] += grown
				}
			}
		}
		s.cycle = max(s.cycle, s.ready[order[k]])
		s.emit(order[k])
	}
	return s
}

// fillWindow bounds how many instructions one passes that comes earlier.
const fillWindow = 32

// filler is the place of the first instruction of an order behind a place that can be issued in this cycle
// with the registers that are left up to there, the place itself if there is none.
func (b *blockSchedule) filler(s *attempt, order []int32, live []int, k, limit int) int {
	most := s.now[Vector]
	for at := k + 1; at < min(len(order), k+fillWindow); at++ {
		most = max(most, live[at-1])
		i := order[at]
		if s.left[i] > 0 || s.ready[i] > s.cycle {
			continue
		}
		if most+max(0, s.change(i)[Vector]) <= limit {
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
