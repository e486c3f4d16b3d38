package simulate

import "math/bits"

// agenda holds at most one event per place. It is a timing wheel: bucket
// at>>shift mod agendaBuckets holds the places of the events of 2^shift ticks, as
// a set. No event lies further ahead than the wheel reaches, so a bucket is never
// used for two turns.
type agenda struct {
	first    Tick // the time of the first event, or never
	shift    uint
	at       [maxFastPlaces]Tick // by place: the time of its event, or of what needs none
	bucket   [agendaBuckets]uint64
	occupied [agendaWords]uint64
	summary  uint64 // words of occupied that are not 0
}

// agendaBuckets is so small that the wheel, of 8 KiB, stays in the first-level cache.
const (
	agendaBuckets = 1024
	agendaWords   = agendaBuckets / 64
)

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
	a.at[place&(maxFastPlaces-1)] = at
	a.add(place)
}

// add adds the event of a place that has none, at the time that a.at holds.
func (a *agenda) add(place int) {
	place &= maxFastPlaces - 1
	at := a.at[place]
	b := uint64(at) >> (a.shift & 63) % agendaBuckets
	a.bucket[b] |= 1 << place
	a.occupied[b>>6] |= 1 << (b & 63)
	a.summary |= 1 << (b >> 6)
	a.first = min(a.first, at)
}

// pop removes the events at the time a.first and returns their places.
func (a *agenda) pop() uint64 {
	now := a.first
	b := uint64(now) >> (a.shift & 63) % agendaBuckets
	due, later, word := a.bucket[b], uint64(0), b>>6
	if a.shift > 0 {
		due, later = a.split(due)
	}
	a.bucket[b] = later
	occupied := a.occupied[word]
	if later == 0 {
		occupied &^= 1 << (b & 63)
		a.occupied[word] = occupied
	}
	// The next one lies in this word, behind the bucket, or in the first word after
	// this one, in cyclic order; at last in this one again.
	ahead := uint64(0) // buckets
	if behind := occupied >> (b & 63); behind != 0 {
		ahead = uint64(lowest(behind))
	} else {
		if occupied == 0 {
			a.summary &^= 1 << word
			if a.summary == 0 {
				a.first = never
				return due
			}
		}
		word = uint64(bits.TrailingZeros64(a.summary>>(word+1)<<(word+1)|a.summary<<agendaWords)) % agendaWords
		ahead = (word<<6 | uint64(lowest(a.occupied[word]))) - b
	}
	if a.shift == 0 { // a bucket is a tick
		a.first = now + Tick(ahead%agendaBuckets)
	} else {
		a.first = a.firstIn(a.bucket[(b+ahead)%agendaBuckets])
	}
	return due
}

// split divides the places of a bucket into those whose events are at the time a.first
// and the others.
func (a *agenda) split(in uint64) (due, later uint64) {
	for x := in; x != 0; x &= x - 1 {
		if a.at[bits.TrailingZeros64(x)&(maxFastPlaces-1)] != a.first {
			later |= x & -x
		}
	}
	return in &^ later, later
}

// firstIn is the time of the first event of a bucket.
func (a *agenda) firstIn(bucket uint64) Tick {
	first := never
	for x := bucket; x != 0; x &= x - 1 {
		first = min(first, a.at[bits.TrailingZeros64(x)&(maxFastPlaces-1)])
	}
	return first
}

// shiftBy moves all events by t, and all other times in a.at.
func (a *agenda) shiftBy(t Tick) {
	all := uint64(0)
	for a.first != never {
		all |= a.pop()
	}
	for place := range a.at {
		a.at[place] += t
		if all>>place&1 != 0 {
			a.add(place)
		}
	}
}

// lowest is the lowest bit of x ≠ 0. That a bit is set spares the case of 0, for which
// the machine's instruction has no result.
func lowest(x uint64) int { return bits.TrailingZeros64(x|1<<63) & 63 }
