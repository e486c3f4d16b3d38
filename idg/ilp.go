package idg

// ILP is a program's instruction-level parallelism when every instruction takes
// one step and waits for nothing but its dependences.
type ILP struct {
	// Levels holds the number of instructions whose longest chain of
	// predecessors has 0, 1, 2, ... instructions.
	Levels []int64
}

// ILPProfile computes the ILP profile of a program. Every kind of dependence
// separates levels. More than MaxExpanded instructions are an error.
func ILPProfile(p *Program) (ILP, error) {
	if p.length > MaxExpanded {
		return ILP{}, tooLarge(p.length, "instructions", MaxExpanded)
	}
	var levels []int64
	level := make([]uint32, p.length)
	for w := p.walk(); w.more(); w.next() {
		own := uint32(0)
		row := w.preds()
		for i := range row {
			own = max(own, level[w.producer(&row[i])]+1)
		}
		level[w.number] = own
		// A level's first instruction depends on one of the level before.
		if int(own) == len(levels) {
			levels = append(levels, 0)
		}
		levels[own]++
	}
	return ILP{levels}, nil
}

// Depth is the number of levels: the length of the critical path in
// instructions.
func (i ILP) Depth() int { return len(i.Levels) }

// Instructions is the number of instructions of all levels.
func (i ILP) Instructions() int64 {
	var n int64
	for _, l := range i.Levels {
		n += l
	}
	return n
}

// Average is the mean number of instructions per level, 0 for an empty program.
func (i ILP) Average() float64 {
	if len(i.Levels) == 0 {
		return 0
	}
	return float64(i.Instructions()) / float64(i.Depth())
}

// Max is the number of instructions of the largest level.
func (i ILP) Max() int64 {
	var m int64
	for _, l := range i.Levels {
		m = max(m, l)
	}
	return m
}

// Parallelism is the ILP in time rather than in instructions: work, the sum of
// all completion times, and span, the length of the critical path, in ticks.
// Their quotient is how many instructions of one warp are in flight on average
// when only dependences hold them back. It is the ILP by which the models of
// A and V16 divide a latency: a subsystem is kept busy by Λ/(λ·ILP) warps.
func Parallelism(p *Program, c Costs) (work, span int64, err error) {
	path, err := CriticalPath(p, c)
	if err != nil {
		return 0, 0, err
	}
	completion, err := costTable(p, c.Completion)
	if err != nil {
		return 0, 0, err
	}
	if work, err = p.sum(completion); err != nil {
		return 0, 0, err
	}
	return work, path.Length, nil
}
