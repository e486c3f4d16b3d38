package timeline

import (
	"cmp"
	"slices"

	"gpupipe/simulate"
)

// Spread is the distribution of a number of times, in cycles.
type Spread struct {
	Count          int
	Min, Max, Mean float64
	// The least values that so many percent do not exceed, those of V16 T.6.6 among them.
	P5, P25, Median, P75, P90, P95 float64

	sorted []float64
}

// newSpread sorts values, which it takes over.
func newSpread(values []float64) Spread {
	s := Spread{Count: len(values), sorted: values}
	if len(values) == 0 {
		return s
	}
	slices.Sort(values)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	at := func(share float64) float64 { return values[int(share*float64(len(values)-1)+0.5)] }
	s.Min, s.Mean, s.Max = values[0], sum/float64(len(values)), values[len(values)-1]
	s.P5, s.P25, s.Median, s.P75, s.P90, s.P95 = at(0.05), at(0.25), at(0.5), at(0.75), at(0.9), at(0.95)
	return s
}

// Bin is a part of a distribution: how many values lie in [From, To), in the
// last one including To.
type Bin struct {
	From, To float64
	Count    int
}

// Bins divides the range of the values into n parts of equal width; one part if
// all are equal.
func (s Spread) Bins(n int) []Bin {
	if s.Count == 0 || n < 1 {
		return nil
	}
	if s.Min == s.Max {
		return []Bin{{s.Min, s.Max, s.Count}}
	}
	bins := make([]Bin, n)
	width := (s.Max - s.Min) / float64(n)
	for i := range bins {
		bins[i].From, bins[i].To = s.Min+float64(i)*width, s.Min+float64(i+1)*width
	}
	bins[n-1].To = s.Max
	for _, v := range s.sorted {
		bins[min(int((v-s.Min)/width), n-1)].Count++
	}
	return bins
}

// Lives is the distribution of the warps' lifetimes.
func (t *Timeline) Lives() Spread {
	var values []float64
	for _, l := range t.Lifetimes {
		values = append(values, l.Cycles())
	}
	return newSpread(values)
}

// OpLatency is how long the instructions of one op were in flight, from issue
// until complete.
type OpLatency struct {
	Op string
	Spread
}

// Latencies are the distributions of the ops that keep accepts, by op. Without
// contention all instructions of a class take the same time, barriers apart.
func Latencies(p *simulate.Profile, keep func(op string) bool) []OpLatency {
	values := map[string][]float64{}
	for i := range p.Issues {
		is := &p.Issues[i]
		if op := p.Classes[is.Instr-1].Op; keep(op) {
			values[op] = append(values[op], cycles(p, is.Complete)-cycles(p, is.Issued))
		}
	}
	var list []OpLatency
	for op, v := range values {
		list = append(list, OpLatency{op, newSpread(v)})
	}
	slices.SortFunc(list, func(a, b OpLatency) int { return cmp.Compare(a.Op, b.Op) })
	return list
}
