package simulate

import "math/bits"

// agenda holds at most one event per place. It is a timing wheel: bucket
// at>>shift mod agendaBuckets holds the places of the events of 2^shift ticks, as
// a set. No event lies further ahead than the wheel reaches, so a bucket is never
// used for two turns.
type agenda struct {
	first    Tick // the time of the first event, or never
	shift    uint
	at       [maxFastPlaces]Tick
	bucket   [agendaBuckets]uint64
	occupied [agendaBuckets / 64]uint64
	summary  uint64 // words of occupied that are not 0
}

// agendaBuckets is so small that the wheel, of 8 KiB, stays in the first-level cache.
const agendaBuckets = 1024

// newAgenda returns an agenda for events up to longest ahead.
func newAgenda(longest Tick) agenda {
	a := agenda{first: never}
	for longest>>a.shift >= agendaBuckets-1 {
		a.shift++
	}
	return a
}

// push adds an event for a place that has none.
func (a *agenda) push(place int, at Tick) { a.pushIf(place, at, 1) }

// pushIf does so if one is 1, and nothing if it is 0, without a branch.
func (a *agenda) pushIf(place int, at Tick, one uint64) {
	b := uint(at>>(a.shift&63)) % agendaBuckets
	place &= maxFastPlaces - 1
	a.at[place] = at
	a.bucket[b] |= one << place
	a.occupied[b>>6] |= one << (b & 63)
	a.summary |= one << (b >> 6)
	a.first = min(a.first, at|Tick((one-1)>>1)) // or never
}

// pop removes the events at the time a.first and returns their places.
func (a *agenda) pop() uint64 {
	now := a.first
	b := uint(now>>(a.shift&63)) % agendaBuckets
	due, later := a.bucket[b], uint64(0)
	if a.shift > 0 {
		for x := due; x != 0; x &= x - 1 {
			if a.at[bits.TrailingZeros64(x)&(maxFastPlaces-1)] != now {
				later |= x & -x
			}
		}
	}
	a.bucket[b] = later
	if later == 0 {
		a.occupied[b>>6] &^= 1 << (b & 63)
		if a.occupied[b>>6] == 0 {
			a.summary &^= 1 << (b >> 6)
		}
	}
	a.first = a.firstFrom(b)
	return due &^ later
}

// firstFrom is the time of the first event when it is in bucket b or later.
func (a *agenda) firstFrom(b uint) Tick {
	if a.summary == 0 {
		return never
	}
	word := b >> 6
	x := a.occupied[word] >> (b & 63) << (b & 63)
	if x == 0 {
		const words = agendaBuckets / 64
		// The first word after this one, in cyclic order; at last this one again.
		s := a.summary>>(word+1)<<(word+1) | a.summary<<words
		word = uint(bits.TrailingZeros64(s)) % words
		x = a.occupied[word]
	}
	in := a.bucket[word<<6|uint(bits.TrailingZeros64(x))]
	first := a.at[bits.TrailingZeros64(in)&(maxFastPlaces-1)]
	if a.shift > 0 {
		for in &= in - 1; in != 0; in &= in - 1 {
			first = min(first, a.at[bits.TrailingZeros64(in)&(maxFastPlaces-1)])
		}
	}
	return first
}

// shiftBy moves all events by t.
func (a *agenda) shiftBy(t Tick) {
	all := uint64(0)
	for a.first != never {
		all |= a.pop()
	}
	for ; all != 0; all &= all - 1 {
		place := bits.TrailingZeros64(all)
		a.push(place, a.at[place]+t)
	}
}
