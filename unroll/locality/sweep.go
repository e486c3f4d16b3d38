package locality

// sweep collects what is touched in repeats, of all warps, and adds what their copies
// touch: those of one warp may fill the gaps of another's.
type sweep struct {
	sector sectorSize
	keys   []sweepKey // in the order in which they came
	of     map[sweepKey]*builder
}

// sweepKey is what is collected together: accesses that move alike.
type sweepKey struct {
	to            *bytes
	reads, writes bool
	drift, copies int64
	sectors       bool // sectors are wanted, not bytes
}

// add adds what an access touches before it is repeated.
func (s *sweep) add(to *bytes, sh *shape, start, drift, copies int64, sectors bool) {
	k := sweepKey{to, sh.reads, sh.writes, drift, copies, sectors}
	b := s.of[k]
	if b == nil {
		if s.of == nil {
			s.of = map[sweepKey]*builder{}
		}
		b = &builder{}
		s.of[k], s.keys = b, append(s.keys, k)
	}
	for _, sp := range sh.spans {
		b.add(span{sp.lo + start, sp.hi + start})
	}
}

// copies adds what the copies touch. It reports false if that is too many pieces of
// memory to have all.
func (s *sweep) copies() bool {
	whole := true
	for _, k := range s.keys {
		if k.drift == 0 {
			continue // where the original is
		}
		n, from := k.copies, s.of[k].set()
		move := func(c int64) set {
			if k.sectors {
				return s.sector.allWhole(from.shifted(c * k.drift))
			}
			return from.shifted(c * k.drift)
		}
		// After so many copies everything has moved by sectors, if these are wanted.
		unit := int64(1)
		for k.sectors && !s.sector.moves(k.drift*unit) {
			unit *= 2
		}
		unit = min(unit, n)
		var first set
		for c := range unit {
			first = union(first, move(c+1))
		}
		all, have := repeated(first, k.drift*unit, n/unit, maxSpans)
		whole = whole && have == n/unit
		k.add(all)
		for c := range n % unit {
			k.add(move(n - c))
		}
	}
	return whole
}

func (k *sweepKey) add(s set) {
	for _, x := range s {
		k.to.add(k.reads, k.writes, x)
	}
}
