package simulate

import "math/bits"

// agenda holds at most one event per place. It is a timing wheel: bucket
// at>>shift mod agendaBuckets holds the events of 2^shift ticks. No event lies
// further ahead than the wheel reaches, so a bucket is never used for two turns.
type agenda struct {
	first    Tick // the time of the first event, or never
	shift    uint
	at       [maxFastPlaces]Tick
	link     [maxFastPlaces]uint8 // the next place of the bucket, plus 1; 0 = none
	bucket   [agendaBuckets]uint8 // its first place, plus 1; 0 = none
	occupied [agendaBuckets / 64]uint64
	summary  uint64 // words of occupied that are not 0
}

// agendaBuckets is so small that the wheel stays in the first-level cache.
const agendaBuckets = 2048

// newAgenda returns an agenda for events up to longest ahead.
func newAgenda(longest Tick) agenda {
	a := agenda{first: never}
	for longest>>a.shift >= agendaBuckets-1 {
		a.shift++
	}
	return a
}

// push adds an event for a place that has none.
func (a *agenda) push(place int, at Tick) {
	b := uint(at>>a.shift) % agendaBuckets
	a.at[place] = at
	a.link[place] = a.bucket[b]
	a.bucket[b] = uint8(place + 1)
	a.occupied[b>>6] |= 1 << (b & 63)
	a.summary |= 1 << (b >> 6)
	a.first = min(a.first, at)
}

// pop removes the events at the time a.first and returns their places.
func (a *agenda) pop() uint64 {
	due, now := uint64(0), a.first
	b := uint(now>>a.shift) % agendaBuckets
	keep := uint8(0)
	for p := a.bucket[b]; p != 0; {
		place := p - 1
		p = a.link[place]
		if a.at[place] == now {
			due |= 1 << place
		} else {
			a.link[place] = keep
			keep = place + 1
		}
	}
	a.bucket[b] = keep
	if keep == 0 {
		a.occupied[b>>6] &^= 1 << (b & 63)
		if a.occupied[b>>6] == 0 {
			a.summary &^= 1 << (b >> 6)
		}
	}
	a.first = a.firstFrom(b)
	return due
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
	first := never
	for p := a.bucket[word<<6|uint(bits.TrailingZeros64(x))]; p != 0; p = a.link[p-1] {
		first = min(first, a.at[p-1])
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
