package latencies

import "gpupipe/idg"

// servePrivate decides which levels serve accesses of private memory. Each resident work item
// has a frame of its own, so that M·d bytes lie between two touches in L1 and M·P·d in what all
// compute units share, whatever the launch touches of buffers. Of spilled values the graph
// tells d; an array that is subscripted by what the compiler does not know may be touched
// anywhere, so that all private arrays lie between two touches.
//
// Reads go through L1 where all reads do, and find what was written there, as nothing else writes
// it. Writes go through to L2 (GCN whitepaper; on an RTX 2080 Ti L2's counter of written sectors is that
// of the sectors that stores to private memory request, whether L1 holds the frames or not:
// HiPerCoRe/KTT, coulomb_2080_full_search_space.json).
func (h *hierarchy) servePrivate(g *idg.Graph) {
	items := int64(g.Launch.WarpSize) * g.Launch.WarpsPerGroup()
	if arrays := mulCapped(g.Resources.PrivateBytes, items); arrays > 0 {
		all := idg.Reuse{Distance: arrays, Sectors: 1}
		var read, written Served
		h.spread(&read, all, float64(arrays), false)
		h.spread(&written, all, float64(arrays), true)
		for i := range g.Instrs() {
			if a := g.Access(g.Instrs()[i].Access); a != nil && a.Space == idg.SpacePrivate &&
				a.Buffer != idg.SpillBuffer {
				h.byInstr[idg.InstrID(i+1)] = read
				if a.Store {
					h.byInstr[idg.InstrID(i+1)] = written
				}
			}
		}
	}
	frames := float64(mulCapped(g.Resources.SpilledBytes, items))
	for _, t := range h.all {
		if !t.private() {
			continue
		}
		s := Served{}
		for _, r := range t.Warp {
			h.spread(&s, r, frames, t.a.Store)
		}
		h.byInstr[t.Instr] = s
	}
}

// spread gives sectors of private memory, read or written, to the levels. Their distances are rounded up to a
// power of two, but no more than the bytes of a group's frames: they are taken to be evenly spread
// between half of it and that.
func (h *hierarchy) spread(s *Served, r idg.Reuse, frames float64, written bool) {
	low, high := float64(r.Distance)/2, min(float64(r.Distance), max(frames, 1))
	low = min(low, high)
	rest := 1.0
	found := func(bytes, sharers int64) float64 { // what a cache holds of them and those before do not
		held := float64(bytes) / float64(max(sharers, 1))
		missed := min(rest, max(0, (high-held)/max(high-low, 1)))
		n := rest - missed
		rest = missed
		return n * float64(r.Sectors)
	}
	if h.cachedBy == AllLoads && !written {
		s.L1 += found(h.l1, h.perUnit)
	}
	if !h.l2Timing.CPI.IsZero() {
		s.L2 += found(h.l2All, h.resident)
	}
	if !h.l3Timing.CPI.IsZero() {
		s.L3 += found(h.l3, h.resident)
	}
	s.Memory += rest * float64(r.Sectors)
}
