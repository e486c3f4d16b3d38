package analytic

import (
	"math"

	"gpupipe/idg"
)

// classOf is the class of a node, from 0.
func classOf(p *idg.Flat, v idg.NodeID) int { return int(p.Instr(v)) - 1 }

// intervals splits a warp that is alone and issues in order into intervals: an
// instruction that cannot follow the one before it at once ends an interval
// with a stall. All latencies stall, or only that of an access whose result is
// used; then the last interval has none.
func (b *inputBuilder) intervals(p *idg.Flat, all bool) []Interval {
	slot := b.in.slot()
	var found tally[Interval]
	var current Interval
	issued := make([]float64, p.Len())
	next, end := 0.0, 0.0 // when the next instruction could issue, when all have completed
	for v := range idg.NodeID(p.Len()) {
		ready := 0.0
		from, kind := p.Preds(v)
		for i, u := range from {
			c := &b.classes[classOf(p, u)]
			if !all && (!c.memory || kind[i] == idg.Order) {
				continue
			}
			wait := c.wait
			if kind[i] == idg.Order {
				wait = c.passed
			}
			ready = max(ready, issued[u]+wait)
		}
		if ready > next && current.Instructions > 0 {
			current.Stall = rounded(ready - next)
			found.add(current, 1)
			current = Interval{}
		}
		c := &b.classes[classOf(p, v)]
		issued[v] = max(ready, next)
		next = issued[v] + slot
		if all {
			end = max(end, issued[v]+c.wait)
		}
		current.Instructions++
		current.Uncoalesced = current.Uncoalesced || c.memory && c.uncoalesced
		if c.memory && c.store {
			current.Stores += c.lines
		} else if c.memory {
			current.Loads += c.lines
		}
	}
	if current.Instructions > 0 {
		current.Stall = rounded(max(0, end-next))
		found.add(current, 1)
	}
	for i := range found.list {
		found.list[i].Count = found.count[i]
	}
	return found.list
}

// rounded is a time to 2^-20 cycle, so that the error of adding up times does not
// make equal intervals or blocks unequal.
func rounded(cycles float64) float64 {
	const grain = 1 << 20
	return math.Round(cycles*grain) / grain
}
