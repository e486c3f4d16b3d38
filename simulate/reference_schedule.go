package simulate

import (
	"slices"

	"gpupipe/latencies"
)

// The schedulers.
const (
	RoundRobin         = latencies.RoundRobin
	GreedyThenOldest   = latencies.GreedyThenOldest
	GreedyThenYoungest = latencies.GreedyThenYoungest
	Oldest             = latencies.Oldest
	GroupPrecedence    = latencies.GroupPrecedence
)

// pick returns the place that a sub-core's scheduler lets issue first among
// u.candidates, or -1 if there is none.
type pick func(u *unit, c *core) int

// pickers holds the schedulers.
var pickers = [...]pick{
	RoundRobin:         pickRoundRobin,
	GreedyThenOldest:   pickGreedyThenOldest,
	GreedyThenYoungest: pickGreedyThenYoungest,
	Oldest:             pickOldest,
	GroupPrecedence:    pickGroupPrecedence,
}

// pickRoundRobin goes round the places.
func pickRoundRobin(u *unit, c *core) int {
	last := int(c.last)
	if c.age < 0 {
		last = -1
	}
	return u.candidates.firstAfter(last, 0, len(u.warps))
}

// pickGreedyThenOldest stays with a warp until it has nothing to issue.
func pickGreedyThenOldest(u *unit, c *core) int {
	if i := again(u, c); i >= 0 {
		return i
	}
	return pickOldest(u, c)
}

// pickGreedyThenYoungest does so too, and then prefers the youngest group, and in
// it the last warp.
func pickGreedyThenYoungest(u *unit, c *core) int {
	if i := again(u, c); i >= 0 {
		return i
	}
	for _, g := range slices.Backward(u.resident) {
		from := g.slot * u.perSlot
		if i := u.candidates.lastOf(from, from+u.perSlot); i >= 0 {
			return i
		}
	}
	return -1
}

// again returns the place of the warp that issued last if it is there and has
// something to issue, or -1.
func again(u *unit, c *core) int {
	last := int(c.last)
	if c.age >= 0 && u.warps[last].group.age == c.age && u.candidates.has(last) {
		return last
	}
	return -1
}

// pickOldest prefers the oldest group, and in it the first warp.
func pickOldest(u *unit, _ *core) int {
	for _, g := range u.resident {
		from := g.slot * u.perSlot
		if i := u.candidates.first(from, from+u.perSlot); i >= 0 {
			return i
		}
	}
	return -1
}

// pickGroupPrecedence prefers the oldest group, and goes round its warps.
func pickGroupPrecedence(u *unit, c *core) int {
	for _, g := range u.resident {
		from := g.slot * u.perSlot
		if i := u.candidates.firstAfter(int(g.last[c.index]), from, from+u.perSlot); i >= 0 {
			return i
		}
	}
	return -1
}
