package simulate

// pick returns the place that a sub-core's scheduler lets issue first among
// u.candidates, or -1 if there is none.
type pick func(u *unit, c *core) int

// pickers holds the schedulers.
var pickers = [...]pick{
	RoundRobin:       pickRoundRobin,
	GreedyThenOldest: pickGreedyThenOldest,
	Oldest:           pickOldest,
	GroupPrecedence:  pickGroupPrecedence,
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
	last := int(c.last)
	if c.age >= 0 && u.warps[last].group.age == c.age && u.candidates.has(last) {
		return last
	}
	return pickOldest(u, c)
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
