package simulate

import (
	"math/bits"
	"slices"
)

// ranks puts the places of warps in an order in which a scheduler finds its
// choice in a word of bits at once: by age of the group, then warp, if it prefers
// older warps; else by place. It also remembers what schedulers remember.
type ranks struct {
	scheduler Scheduler
	perSlot   int
	byAge     bool
	of        [maxFastPlaces]uint8 // by place
	at        [maxFastPlaces]uint8 // place by rank
	order     []int                // slots with a group, by age
	mayIssue  uint64               // ranks of warps that the issue interval allows to issue
	cores     int
	last      []uint8 // by slot × sub-cores + sub-core: the group's warp that issued last, for GroupPrecedence
}

func newRanks(s Scheduler, perSlot, slots, cores int) ranks {
	r := ranks{scheduler: s, perSlot: perSlot, byAge: s != RoundRobin, cores: cores, last: make([]uint8, slots*cores)}
	for i := range r.of {
		r.of[i], r.at[i] = uint8(i), uint8(i)
	}
	return r
}

// bit is the set with the rank of a place. (The masks say that both are below
// 64.)
func (r *ranks) bit(place int) uint64 {
	return 1 << (r.of[place&(maxFastPlaces-1)] & (maxFastPlaces - 1))
}

// greedy reports whether a warp goes on issuing for as long as it can.
func (r *ranks) greedy() bool {
	return r.scheduler == GreedyThenOldest || r.scheduler == GreedyThenYoungest
}

// add gives a new group in a slot the last ranks.
func (r *ranks) add(slot int) {
	r.order = append(r.order, slot)
	if r.byAge {
		for i := range r.perSlot {
			rank, place := (len(r.order)-1)*r.perSlot+i, slot*r.perSlot+i
			r.of[place], r.at[rank] = uint8(rank), uint8(place)
		}
	}
	for i := range r.cores {
		r.last[slot*r.cores+i] = uint8(r.perSlot - 1) // so that the first warp comes next
	}
}

// remove takes a group that has ended out of the order; younger ones move up,
// in all sets.
func (r *ranks) remove(slot int, cores []subCore) {
	k := slices.Index(r.order, slot)
	r.order = slices.Delete(r.order, k, k+1)
	if !r.byAge {
		return
	}
	from := k * r.perSlot
	for rank := from; rank < len(r.order)*r.perSlot; rank++ {
		place := r.at[rank+r.perSlot]
		r.at[rank], r.of[place] = place, uint8(rank)
	}
	without := func(x uint64) uint64 { return x&(1<<from-1) | x>>(from+r.perSlot)<<from }
	r.mayIssue = without(r.mayIssue)
	for i := range cores {
		c := &cores[i]
		for s := range c.ports {
			c.ports[s].ready = without(c.ports[s].ready)
		}
		if r.greedy() && c.last/r.perSlot == slot {
			c.last = -1
		}
	}
}

// pick returns the place, among those whose ranks are in x ≠ 0, that a sub-core lets
// issue first. The engines look for some schedulers' choice themselves.
func (r *ranks) pick(c *subCore, x uint64) int {
	switch r.scheduler {
	case GreedyThenYoungest:
		if c.last >= 0 && x>>r.of[c.last]&1 != 0 {
			return c.last
		}
		return int(r.at[(bits.Len64(x)-1)&(maxFastPlaces-1)])
	case GroupPrecedence:
		from := bits.TrailingZeros64(x) / r.perSlot * r.perSlot
		x = x >> from & (1<<r.perSlot - 1)
		slot := int(r.at[from]) / r.perSlot
		if after := x &^ (2<<r.last[slot*r.cores+c.index] - 1); after != 0 {
			x = after
		}
		return slot*r.perSlot + bits.TrailingZeros64(x)
	}
	return int(r.at[bits.TrailingZeros64(x)])
}

// greedyOrOldest is the rank that GreedyThenOldest picks among those in x ≠ 0. There is no
// branch where the last warp may issue again, which would often be mispredicted.
func (r *ranks) greedyOrOldest(c *subCore, x uint64) int {
	rank := bits.TrailingZeros64(x)
	if c.last >= 0 {
		last := int(r.of[c.last&(maxFastPlaces-1)])
		again := -(x >> (last & (maxFastPlaces - 1)) & 1)
		rank ^= (rank ^ last) & int(again)
	}
	return rank & (maxFastPlaces - 1)
}

// lastOf is what the search of a sub-core for the next warp starts from: for
// RoundRobin the rank behind that of the warp that issued last, else its own rank, and 1 if
// there is one, else 0.
func (r *ranks) lastOf(c *subCore) (rank int, known uint64) {
	switch {
	case r.scheduler == RoundRobin:
		return c.last + 1, 1
	case c.last < 0:
		return 0, 0
	}
	return int(r.of[c.last]), 1
}

// issued remembers that a sub-core let the warp at a place issue.
func (r *ranks) issued(c *subCore, place int) {
	c.last = place
	if r.scheduler == GroupPrecedence {
		slot := place / r.perSlot
		r.last[slot*r.cores+c.index] = uint8(place - slot*r.perSlot)
	}
}
