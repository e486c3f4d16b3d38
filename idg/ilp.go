package idg

// ILP is a program's instruction-level parallelism when every instruction takes
// one step and waits for nothing but its dependences.
type ILP struct {
	// Levels holds the number of instructions whose longest chain of
	// predecessors has 0, 1, 2, ... instructions.
	Levels []int64
}

// ILPProfile computes the ILP profile of a program. Every kind of dependence
// separates levels.
func ILPProfile(p *Program) ILP {
	var levels []int64
	level := make([]uint32, p.Len())
	for v := range p.instr {
		from, _ := p.Preds(NodeID(v))
		for _, u := range from {
			level[v] = max(level[v], level[u]+1)
		}
		// A level's first instruction depends on one of the level before.
		if int(level[v]) == len(levels) {
			levels = append(levels, 0)
		}
		levels[level[v]]++
	}
	return ILP{levels}
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
	for _, in := range p.instr {
		if work += completion[in]; work < 0 {
			return 0, 0, errTooLong
		}
	}
	return work, path.Length, nil
}
