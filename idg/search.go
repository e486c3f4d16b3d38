package idg

import "bytes"

// search says whether recurrences of patterns are looked for while a program is built:
// not where hardly any recur. There, of the records of one place in sampledOf the last ones
// are compared with those that come; where most of these recur, a loop has begun.
type search struct {
	asked, fresh int // patterns that were looked for of late, and those of them that were new

	last              []sampled // by hash; nil until the first one is kept
	sampled, recurred int       // records of late, and those of them that had been kept
}

// sampled is a record that was kept.
type sampled struct{ at, end uint32 }

const (
	searchLeast  = 1 << 12 // patterns are looked for, before the search is given up
	searchLately = 1 << 16 // of those before so many, only the half counts
	sampledOf    = 16      // hashes of which one is sampled
	sampledMost  = 1 << 10 // records kept
	sampledTurn  = 1 << 8  // records until recurrences are counted anew
)

// over reports whether patterns hardly recur, so that it does not pay to look for
// them: more than half of many instructions have had one of their own.
func (s *search) over() bool { return s.asked >= searchLeast && 2*s.fresh > s.asked }

// found notes whether a pattern that was looked for was known.
func (s *search) found(known bool) {
	if s.asked++; !known {
		s.fresh++
	}
	if s.asked == searchLately {
		s.asked, s.fresh = s.asked/2, s.fresh/2
	}
}

func (s *search) clear() {
	clear(s.last)
	*s = search{last: s.last}
}

// sampleHash is a hash of an instruction that has a record.
func sampleHash(class InstrID, row []Producer) uint32 {
	h := uint64(class)<<8 + uint64(len(row))
	if len(row) > 0 {
		h += uint64(row[0].Distance) << 36
	}
	return uint32(h * goldenRatio >> 40)
}

// watch takes notice of the record that was added last, at a place, which is one of those
// that are sampled.
func (t *patterns) watch(at, hash uint32) {
	s := &t.search
	end := t.own.end()
	if s.last == nil {
		s.last = make([]sampled, sampledMost)
	}
	before := &s.last[hash%sampledMost]
	if bytes.Equal(t.own[before.at:before.end], t.own[at:end]) {
		s.recurred++
	}
	*before = sampled{at, end}
	if s.sampled++; s.sampled < sampledTurn {
		return
	}
	if 2*s.recurred > s.sampled {
		s.asked, s.fresh = 0, 0
	}
	s.sampled, s.recurred = 0, 0
}
