package idg

import (
	"math/bits"
	"slices"
)

const (
	// foldTries is how many recurrences of an element are tried as the
	// beginning of the next repetition.
	foldTries = 8
	// foldWork bounds the items that a pass compares, times the items that there
	// are. Loops need 2 or 3; it keeps odd sequences from taking quadratic time.
	foldWork = 32
)

// run is how far a period holds, from a place i on. The zero value is no
// knowledge about any place.
type run struct {
	until uint32 // items i to until-1 stand again one period later
	last  uint32 // the last place i of which that was found, plus 1
	wait  bool   // more repetitions begin behind the last place
}

// pass joins immediate repetitions of blocks of more than settled and at most
// longest items of s, from left to right, the shortest block that saves lines
// first. It overwrites s.
func (f *folding) pass(s []item, settled, longest int) []item {
	longest = min(longest, len(s)/2)
	if settled == 0 { // else s is as it was in the last pass
		f.recurrences(s)
	}
	f.runs = append(f.runs[:0], make([]run, longest+1)...)
	work := foldWork * len(s)
	out := s[:0]
	for i := 0; i < len(s); {
		period, count := 0, 0
		for try, j := 0, int(f.next[i]); try < foldTries && j < len(s) && j-i <= longest && work > 0; try, j = try+1,
			int(f.next[j]) {
			n := j - i
			if n <= settled {
				continue
			}
			r := &f.runs[n]
			if i >= int(r.last) {
				*r = f.measure(s, i, n, &work)
			}
			copies := 1 + (int(r.until)-i)/n
			if copies < 2 || r.wait {
				continue
			}
			if f.saves(s[i:j], int64(copies)) {
				period, count = n, copies
				break
			}
		}
		if count == 0 {
			out = append(out, s[i])
			i++
			continue
		}
		block := s[i : i+period]
		f.moves = f.moved(f.moves[:0], block, s[i+period:i+2*period])
		out = append(out, f.repetition(int64(count), block, f.moves))
		i += period * count
	}
	return out
}

// measure finds out how far a period of n items holds from i on.
func (f *folding) measure(s []item, i, n int, work *int) run {
	stop, turns := f.extent(s, i, n)
	*work -= stop - i + 1
	if !turns {
		return run{until: uint32(stop), last: uint32(max(stop, i+1))}
	}
	// From the item one period before on, a producer that stayed moves or the
	// other way round, as where a loop's first iteration differs: what comes
	// behind it may be the loop proper.
	behind := stop - n + 1
	stop2, _ := f.extent(s, behind, n)
	*work -= stop2 - behind + 1
	return run{until: uint32(stop), last: uint32(behind), wait: (stop2-behind)/n > (stop-i)/n}
}

// extent returns the first place from i on of which the item does not stand
// again n items later. It reports whether that item would repeat the one n items
// later, but not together with the one n items before.
func (f *folding) extent(s []item, i, n int) (stop int, turns bool) {
	stop = i
	for stop < i+n && stop+n < len(s) {
		if !f.repeats(s[stop], s[stop+n], s[i].start) {
			return stop, false
		}
		stop++
	}
	for stop+n < len(s) {
		if !f.continues(s[stop-n], s[stop], s[stop+n]) {
			return stop, f.repeats(s[stop], s[stop+n], s[i].start)
		}
		stop++
	}
	return stop, false
}

// repeats reports whether b is a again: an equal element, of which each producer
// has moved along with it, or is the same and stands before first, where the
// repetitions begin.
func (f *folding) repeats(a, b item, first Executed) bool {
	if a.id != b.id {
		return false
	}
	there := f.of(b)
	for k, u := range f.of(a) {
		if there[k] == u && u < first {
			continue
		}
		if there[k]-u != b.start-a.start {
			return false
		}
	}
	return true
}

// continues reports whether c repeats b as b repeats a: the same producers have
// moved. The three stand at equal distances.
func (f *folding) continues(a, b, c item) bool {
	if b.id != c.id {
		return false
	}
	x, y, z := f.of(a), f.of(b), f.of(c)
	for k, u := range y {
		if z[k]-u != u-x[k] {
			return false
		}
	}
	return true
}

// recurrences sets next: for each place in s, where its element stands next
// and is followed by the same one, or by anything if that is the next place;
// len(s) if it does not. Wrong places among them, where hashes are equal by
// chance, do no harm.
func (f *folding) recurrences(s []item) {
	size := 1 << bits.Len(uint(len(s)))
	f.next = append(f.next[:0], make([]uint32, len(s))...)
	f.last = slices.Grow(f.last[:0], size)[:size]
	for i := range f.last {
		f.last[i] = uint32(len(s))
	}
	follower := elementID(0)
	for i := len(s) - 1; i >= 0; i-- {
		pair := uint64(s[i].id)<<32 | uint64(follower)
		last := &f.last[pair*goldenRatio>>(64-bits.Len(uint(size-1)))]
		f.next[i] = *last
		if i+1 < len(s) && follower == s[i].id {
			f.next[i] = uint32(i + 1)
		}
		*last = uint32(i)
		follower = s[i].id
	}
}
