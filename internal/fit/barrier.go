package fit

import "math"

// fitBarrier fits the barrier: a group of G warps takes Λ + (G-1)·λ for one, and all resident warps
// together at least W·λ.
//
// Where some warps go first, groups do not advance together: then launches of one group count alone.
func fitBarrier(m *Machine, d *data) Class {
	c := Class{Class: d.class, Counts: d.counts, apart: d.apart}
	all := d.all
	if m.Priority {
		all = nil
		for _, o := range d.all {
			if o.warps == o.groupWarps {
				all = append(all, o)
			}
		}
	}
	if len(all) == 0 {
		c.Refused = d.unused()
		return c
	}
	f := func(theta []float64, o *observation) float64 {
		cpi, latency := math.Exp(theta[0]), math.Exp(theta[1])
		return max(latency+float64(o.groupWarps-1)*cpi+o.start, float64(o.warps)*cpi)
	}
	list, noise := medians(all)
	s := solve(f, shape{}.start(list), all)
	c.take(f, s, noise, Hull{CPI: math.Exp(s.theta[0]), Latency: math.Exp(s.theta[1])}, len(list))
	return c
}
