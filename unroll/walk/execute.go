package walk

import (
	"gpupipe/lower/machine"
	"gpupipe/unroll"
)

// Counts is how often each instruction of a code is executed.
type Counts struct {
	Instrs []*machine.Instr
	Times  []int64 // by all warps of the launch
	// Assumed is what decided that was not known.
	Assumed []string
}

// Count executes the warps of the group in the middle, which stands for all.
func Count(c *machine.Code, o unroll.Options) (*Counts, error) {
	s := newStatic(c)
	r := &Counts{Instrs: s.instrs, Times: make([]int64, len(s.instrs))}
	group := [3]int64{o.Groups[0] / 2, o.Groups[1] / 2, o.Groups[2] / 2}
	items := o.Local[0] * o.Local[1] * o.Local[2]
	groups := o.Groups[0] * o.Groups[1] * o.Groups[2]
	for n := range (items + int64(o.WarpSize) - 1) / int64(o.WarpSize) {
		w := newWarp(s, o, group, int(n))
		w.block(c.Body)
		if w.err != nil {
			return nil, w.err
		}
		for i, k := range w.counts {
			r.Times[i] += k * groups
		}
		if n == 0 {
			for a := range w.assumed {
				r.Assumed = append(r.Assumed, a)
			}
		}
	}
	return r, nil
}
