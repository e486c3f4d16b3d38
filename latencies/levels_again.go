package latencies

import "gpupipe/idg"

// touchedAgain says which levels serve the sectors of a class that the group has touched before.
func (h *hierarchy) touchedAgain(l *idg.Locality, throughL1 bool) (s Served) {
	for _, list := range [][]idg.Reuse{l.Warp, l.Group} {
		for _, r := range list {
			h.again(&s, r, throughL1)
		}
	}
	return s
}

// again adds sectors that the group has touched before to the level that holds them.
func (h *hierarchy) again(s *Served, r idg.Reuse, throughL1 bool) {
	if throughL1 && h.between(r.Distance, h.perUnit) <= h.l1 {
		s.L1 += float64(r.Sectors)
		return
	}
	h.ownAgain(s, min(h.between(r.Distance, h.resident), h.inFlight), float64(r.Sectors))
}

// sharedAgain are those of a class's sectors that are read again after L2 has lost them, in a launch of which all
// groups are resident at once. Such groups begin together, and what several of them read for the first time at the same
// time they read again at the same time: groups that work through tiles, of which some share a row and others a
// column, the next row with the same column. So one of them brings the sector again for all, and of what a group reads
// again it brings the part that it brought of what it read first (meetAgain). Groups that begin when
// others end are at different places; of classes that only read what others have read first nothing is known.
func (h *hierarchy) sharedAgain(k kindOfAccess, l *idg.Locality, again Served) Served {
	if k != reading || h.resident < max(2, h.atWork.Groups) || firstTouches(l)+l.Cold == 0 || h.l2Timing.CPI.IsZero() {
		return Served{}
	}
	return Served{L3: again.L3, Memory: again.Memory}
}

// meetAgain adds sectors that are beyond L2 when they are read again to those that a class reads for the first time:
// the part that is beyond L2 of these is fetched, the rest meets it on its way. It returns how many sectors these are.
func (h *hierarchy) meetAgain(s Served, l *idg.Locality, beyond Served) (Served, float64) {
	if beyond == (Served{}) {
		return s, 0
	}
	brought := min(1, (s.Memory+s.L3)/float64(firstTouches(l)+l.Cold))
	met := (1 - brought) * (beyond.L3 + beyond.Memory)
	return s.plus(Served{L2: met, L3: brought * beyond.L3, Memory: brought * beyond.Memory}), met
}
