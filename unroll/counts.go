package unroll

// counts is a copy of what has been decided, with what is only counted.
type counts struct {
	loops       []loopDecision
	branches    []branchDecision
	diagnostics int
	noted       int
	used        int
}

func (d *decisions) counts() counts {
	return counts{append([]loopDecision(nil), d.loops...), append([]branchDecision(nil), d.branches...),
		len(d.diagnostics), len(d.noted), len(d.used)}
}

// counters are the parts of a decision that are only counted.
func (l *loopDecision) counters() []*int64 { return []*int64{&l.iterations, &l.Executed} }

func (b *branchDecision) counters() []*int64 {
	return []*int64{&b.executed, &b.divergence.Executions, &b.divergence.Diverged, &b.divergence.Lanes}
}

// sameBut reports whether two states differ in counts only.
func (c *counts) sameBut(o *counts) bool {
	if c.diagnostics != o.diagnostics || c.noted != o.noted || c.used != o.used {
		return false
	}
	for i := range c.loops {
		x, y := c.loops[i], o.loops[i]
		for _, p := range append(x.counters(), y.counters()...) {
			*p = 0
		}
		x.plans, y.plans = min(x.plans, 2), min(y.plans, 2)
		if x != y {
			return false
		}
	}
	for i := range c.branches {
		x, y := c.branches[i], o.branches[i]
		for _, p := range append(x.counters(), y.counters()...) {
			*p = 0
		}
		if x != y {
			return false
		}
	}
	return true
}

// advance adds so many times what was counted between two states.
func (d *decisions) advance(from, to *counts, times int64) {
	add := func(now, x, y []*int64) {
		for k := range now {
			*now[k] += times * (*y[k] - *x[k])
		}
	}
	for i := range d.loops {
		add(d.loops[i].counters(), from.loops[i].counters(), to.loops[i].counters())
	}
	for i := range d.branches {
		add(d.branches[i].counters(), from.branches[i].counters(), to.branches[i].counters())
	}
}
