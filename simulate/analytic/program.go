package analytic

import (
	"math"

	"gpupipe/idg"
)

// classOf is the class of a node, from 0.
func classOf(p *idg.Flat, v idg.NodeID) int { return int(p.Instr(v)) - 1 }

// intervals splits a warp that is alone and issues in order into intervals: an
// instruction that cannot follow the one before it at once ends an interval
// with a stall.
func (b *inputBuilder) intervals(p *idg.Flat) []Interval {
	slot := b.in.slot()
	var all tally
	var current Interval
	issued := make([]float64, p.Len())
	next, end := 0.0, 0.0 // when the next instruction could issue, when all have completed
	for v := range idg.NodeID(p.Len()) {
		ready := 0.0
		from, kind := p.Preds(v)
		for i, u := range from {
			c := &b.classes[classOf(p, u)]
			wait := c.wait
			if kind[i] == idg.Order {
				wait = c.passed
			}
			ready = max(ready, issued[u]+wait)
		}
		if ready > next && current.Instructions > 0 {
			current.Stall = stall(ready - next)
			all.add(current)
			current = Interval{}
		}
		c := &b.classes[classOf(p, v)]
		issued[v] = max(ready, next)
		next = issued[v] + slot
		end = max(end, issued[v]+c.wait)
		current.Instructions++
		if c.memory && c.store {
			current.Stores += c.lines
		} else if c.memory {
			current.Loads += c.lines
		}
	}
	if current.Instructions > 0 {
		current.Stall = stall(max(0, end-next))
		all.add(current)
	}
	return all.list
}

// stall rounds a stall to 2^-20 cycle, so that the error of adding up times does
// not make equal intervals unequal.
func stall(cycles float64) float64 {
	const grain = 1 << 20
	return math.Round(cycles*grain) / grain
}
