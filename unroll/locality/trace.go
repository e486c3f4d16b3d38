package locality

import "gpupipe/idg"

// Touch is one executed memory instruction of a warp whose addresses are known.
type Touch struct {
	At    uint32      // its place among the warp's instructions, from 0
	Instr idg.InstrID // its class; 0 in warps of other groups
	Shape ShapeID
	Start int64 // offset of the first active lane in the buffer, bytes
}

// Warp is what one warp of a group touches, in program order.
type Warp struct {
	Number   uint32 // within the group
	Touches  []Touch
	Barriers []uint32 // places of the work-group barriers among the instructions
	// Cut says that the warp touches more than was recorded.
	Cut bool
}

// turns calls visit for the memory instructions of a group's warps in the order
// in which they are taken to be executed: the warps take turns, an instruction
// each, and nobody passes a barrier before all have come to it. It ends when
// visit returns false.
func turns(warps []Warp, visit func(warp int, t *Touch) bool) {
	next := make([]int, len(warps)) // index of each warp's next touch
	for phase := 0; ; phase++ {
		more := false
		from, end := make([]uint32, len(warps)), make([]uint32, len(warps))
		for w := range warps {
			from[w], end[w] = warps[w].phase(phase)
			more = more || next[w] < len(warps[w].Touches)
		}
		if !more {
			return
		}
		for turn := uint32(0); ; {
			// Everybody's instruction of this turn, and the next turn at which
			// somebody has one that touches memory.
			later := ^uint32(0)
			for w := range warps {
				list := warps[w].Touches
				if next[w] == len(list) || list[next[w]].At >= end[w] {
					continue
				}
				if list[next[w]].At-from[w] == turn {
					if !visit(w, &list[next[w]]) {
						return
					}
					if next[w]++; next[w] == len(list) || list[next[w]].At >= end[w] {
						continue
					}
				}
				later = min(later, list[next[w]].At-from[w])
			}
			if later == ^uint32(0) {
				break
			}
			turn = later
		}
	}
}

// phase returns the first instruction of a warp behind its barrier number n (0:
// none) and the one that its next barrier is.
func (w *Warp) phase(n int) (from, end uint32) {
	if n > 0 && n <= len(w.Barriers) {
		from = w.Barriers[n-1]
	}
	if n < len(w.Barriers) {
		return from, w.Barriers[n]
	}
	return from, ^uint32(0)
}
