package idg

import "slices"

// The order in which instructions read, as far as a compiler changes it. It interleaves what does not depend on
// each other: a chain of sums written out after another is executed beside it. So the instructions of a
// basic block, at most OrderedTogether, are taken level by level, those of a level in the order of
// the program: an instruction is in the level behind the last one of its operands.
//
// A level that is too short leaves cycles to other warps before the next one begins, and what has been
// read is not kept (fewLevel). Loads are taken to have been issued long before.

// fewLevel is the number of instructions of a level after which the next one waits for more than one cycle:
// the latency of arithmetic is four cycles (H25 5.3), and ptxas keeps operands for instructions that begin
// up to two cycles later (docs/evidence/fidelity.md, Register reads).
const fewLevel = 2

// OrderedTogether is how many instructions NVIDIA's compiler orders together: a
// longer stretch is cut there, unless it is connected, and what lives across the cut
// stays in registers (ptxas 11.8 for compute capability 6.0 to 8.9, found by
// compiling kernels of growing length; docs/evidence/fidelity.md, Registers).
const OrderedTogether = 4096

// findOrder orders the instructions.
func (r *reader) findOrder() {
	r.order, r.waits = make([]StaticID, len(r.p.code)), make([]bool, len(r.p.code))
	r.p.within(func(first, end StaticID, _ RepeatID) {
		for s := first; s < end; s++ {
			if r.ends[r.p.StaticInstr(s)-1] || s-first+1 == OrderedTogether || s+1 == end {
				r.arrange(first, s+1)
				first = s + 1
			}
		}
	})
}

// arrange orders instructions of a basic block. What ends it, the last one, stays there.
func (r *reader) arrange(first, end StaticID) {
	levels := r.levels[:0]
	var in, fixed []int // each level: instructions, and those of fixed latency
	for s := first; s < end; s++ {
		level := uint32(0)
		for _, o := range r.operands(s) {
			if o.from >= first && o.from < s && o.by >= r.q.number[first] {
				level = max(level, levels[o.from-first]+1)
			}
		}
		if s+1 == end && r.ends[r.p.StaticInstr(s)-1] {
			level = uint32(len(in))
		}
		levels = append(levels, level)
		if int(level) == len(in) {
			in, fixed = append(in, 0), append(fixed, 0)
		}
		if in[level]++; r.fixed[r.p.StaticInstr(s)-1] {
			fixed[level]++
		}
	}
	r.levels = levels
	order := r.order[first:end]
	for i := range order {
		order[i] = first + StaticID(i)
	}
	slices.SortStableFunc(order, func(a, b StaticID) int { return int(levels[a-first]) - int(levels[b-first]) })
	for i, at := 0, 0; i+1 < len(in); i++ {
		at += in[i]
		r.waits[int(first)+at] = in[i] <= fewLevel && fixed[i] > 0
	}
}
