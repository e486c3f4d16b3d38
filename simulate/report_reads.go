package simulate

import (
	"math/big"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// countWords is how many words the instructions of each class read from their registers,
// over all groups; nil if the ports of these are not limited.
func (s *setup) countWords(x *exact) []latencies.Cycles {
	if s.hw.ports.reading.IsZero() {
		return nil
	}
	count := make([]latencies.Cycles, len(s.work.classes))
	for i := range s.work.kinds {
		k := &s.work.kinds[i]
		for _, p := range k.programs {
			times := x.mul(x.count(p.warps), x.count(k.groups))
			for c, n := range p.countWords() {
				at := &count[int(p.first)+c]
				*at = x.add(*at, x.mul(x.count(n), times))
			}
		}
	}
	return count
}

// countWords is how many words a warp's instructions of each class of its graph read.
func (p *program) countWords() []int64 {
	count := make([]int64, len(p.tally))
	p.source.Stretches(func(first, end idg.StaticID, times int64) {
		for s := first; s < end; s++ {
			count[p.source.StaticInstr(s)-1] += int64(p.words[s]) * times
		}
	})
	return count
}

// readTime is for how long the ports of all sub-cores together read so many words.
func (s *setup) readTime(words []latencies.Cycles, x *exact) latencies.Cycles {
	var sum latencies.Cycles
	for _, n := range words {
		sum = x.add(sum, n)
	}
	return x.div(x.mul(sum, s.hw.ports.reading), x.count(int64(s.hw.partitions)))
}

// readsBound is what of that time must have passed at the last issue: all but what an
// instruction may leave to be read, and the last one's own words.
func (s *setup) readsBound(busy latencies.Cycles, x *exact) latencies.Cycles {
	rest := x.add(s.hw.ports.ahead, s.hw.ports.longest)
	if busy.Cmp(rest) <= 0 {
		return latencies.Cycles{}
	}
	return x.keep(busy.Sub(rest))
}

// addReads reports where words are read, and for which share of the run the ports were busy,
// without what lies beyond its end.
func (s *setup) addReads(r *Result, o *outcome, words []latencies.Cycles, x *exact) {
	sum := 0.0
	for _, n := range words {
		sum += n.Float()
	}
	for i, n := range words {
		if !n.IsZero() {
			r.line(s.work.classes[i].line()).ReadShare += n.Float() / sum
			r.Classes[i].Reads = s.readTime(words[i:i+1], x)
		}
	}
	busy := big.NewRat(r.RegisterReads.Num(), r.RegisterReads.Den())
	r.ReadUtilization = s.within(busy, o.beyondReads) / r.Cycles.Float()
}
