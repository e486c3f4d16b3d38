package latencies

import "gpupipe/idg"

// L2 writes back what was stored, with a mask of bytes (write-back, write-allocate, fetched only when it is
// read: Khairy et al., arXiv:1810.07269), in whole sectors. So a sector that no store completes costs as much as
// one that is written whole; and where device memory has a checksum over each, it is first completed by reading
// the rest (US 9,110,809 B2, "Reducing memory traffic in DRAM ECC mode").

// stored is what is written to one buffer for a group, on the average over the launch.
type stored struct {
	bytes   float64 // by stores and atomics; those that are written twice count twice
	sectors float64 // that L2 writes back
	// of these, those of stores that leave bytes of their sectors out, as far as nobody has read them before
	partial  float64
	least    float64 // bytes of such a store in a sector that it leaves out, at least
	complete bool    // atomics read their sectors, and stores at unknown addresses may complete others
}

// storedBy collects what is stored to each buffer, by the levels that serve each class.
func (h *hierarchy) storedBy(g *idg.Graph, c *compulsory) map[string]*stored {
	out := map[string]*stored{}
	of := func(a *idg.Access) *stored {
		if out[a.Buffer] == nil {
			out[a.Buffer] = &stored{}
		}
		return out[a.Buffer]
	}
	for i := range g.Instrs() {
		if a := g.Access(g.Instrs()[i].Access); a != nil && a.Store && a.Space == idg.SpaceGlobal && !a.Known() {
			of(a).complete = true
		}
	}
	for _, t := range h.buffers {
		if t.kind == reading {
			continue
		}
		b, s := of(t.a), h.byInstr[t.Instr]
		bytes, sectors := Transactions(t.a, 1), Transactions(t.a, int(h.sector))
		b.bytes += t.share * float64(t.Sectors) * float64(bytes) / float64(max(1, sectors))
		if t.kind == updating {
			b.sectors += t.share * s.WrittenBack
			b.complete = true
			continue
		}
		b.sectors += t.share * s.Memory
		if bytes < sectors*int(h.sector) {
			b.partial += t.share * h.firstStored(t.Locality, c)
			b.least = max(1, float64(t.a.Width))
		}
	}
	return out
}

// firstStored is how many of the sectors of a storing class that are written back nobody has read before.
func (h *hierarchy) firstStored(l *idg.Locality, c *compulsory) float64 {
	d := &c.writes
	brought := 1.0
	if c.known && d.cold > d.all {
		brought = d.all / d.cold
	}
	return min(h.byInstr[l.Instr].Memory, brought*float64(l.Cold)+float64(firstTouches(l)))
}

// unwritten are the bytes of the sectors written back that nobody has stored.
func (b *stored) unwritten(sector int64) float64 {
	return max(0, b.sectors*float64(sector)-b.bytes)
}

// fillPartial completes sectors that leave L2 written in part, where device memory needs them whole; and finds how many
// bytes of the launch's written sectors nobody stores.
func (h *hierarchy) fillPartial(g *idg.Graph, c *compulsory, cost Cycles) {
	by := h.storedBy(g, c)
	for _, b := range by {
		h.unwritten += b.unwritten(h.sector)
		h.evicted += b.sectors
	}
	// What is written back twice does not lack bytes for that.
	h.unwritten = max(0, h.unwritten-max(0, h.evicted-c.writes.all)*float64(h.sector))
	if cost.Cmp(WholeCycles(1)) <= 0 {
		return
	}
	for _, t := range h.buffers {
		if t.kind != writing || Transactions(t.a, 1) == Transactions(t.a, int(h.sector))*int(h.sector) {
			continue
		}
		b := by[t.a.Buffer]
		if b.complete || b.partial == 0 {
			continue
		}
		// Each lacks what one store could write at least.
		part := min(1, b.unwritten(h.sector)/b.least/b.partial)
		s := h.byInstr[t.Instr]
		s.Filled = (cost.Float() - 1) * part * h.firstStored(t.Locality, c)
		h.byInstr[t.Instr] = s
	}
}

// writeWhole has no sector be completed.
func (h *hierarchy) writeWhole() {
	for _, t := range h.all {
		if t.kind == writing {
			s := h.byInstr[t.Instr]
			s.Filled = 0
			h.byInstr[t.Instr] = s
		}
	}
}

// keepLines takes from L2 what it keeps free for sectors that the launch does not touch: it has a tag for a line.
func (h *hierarchy) keepLines(g *idg.Graph, m *Memory) {
	f := g.Footprint
	h.pairs = 1
	if f == nil || m.L2 == nil {
		return
	}
	lines := int64(0)
	switch m.L2.LineBytes {
	case idg.LineBytes:
		lines = f.LineBytes
	case idg.PairBytes:
		lines = f.PairBytes + f.LaunchWrittenBytes
	}
	if touched := f.LaunchReadBytes + f.LaunchWrittenBytes; lines > touched && touched > 0 {
		used := float64(touched) / float64(lines)
		if f.LaunchReadBytes > 0 && f.ReadBytes > 0 { // of what groups touch, which may read the same again and again
			read, written := float64(f.ReadBytes), float64(f.WrittenBytes)
			used = (read + written) / (read*float64(lines-f.LaunchWrittenBytes)/float64(f.LaunchReadBytes) + written)
		}
		h.l2, h.l2All = int64(float64(h.l2)*used), int64(float64(h.l2All)*used)
		h.residency = h.residency.times(used)
		h.lines = 1 / used
	}
	if m.FetchBytes == idg.PairBytes && f.PairBytes > f.LaunchReadBytes && f.LaunchReadBytes > 0 {
		h.pairs = float64(f.PairBytes) / float64(f.LaunchReadBytes)
	}
}

// fetchPairs has device memory fetch the sectors beside those that reads miss, where nobody reads these.
func (h *hierarchy) fetchPairs() {
	for _, t := range h.buffers {
		if s := h.byInstr[t.Instr]; t.kind == reading && !h.random[t.Instr] && h.pairs > 1 {
			s.Filled = (h.pairs - 1) * s.Memory
			h.byInstr[t.Instr] = s
		}
	}
}

// mergeStores finds the stores that go on to L2 with those that their warp did just before to the same sectors: where
// these wait while fewer than so many sectors come, two of them leave as one. Three stores of 24 sectors each, one
// after the other, are 279 M sectors in L2 with those that cross its halves, not 453 M; of eight of 32 sectors each
// arrives (one H100: rows of three doubles, a register tile of a matrix product).
func (h *hierarchy) mergeStores(g *idg.Graph, within int64) {
	h.merged = map[idg.InstrID]float64{}
	waits := map[string]bool{}
	for _, t := range h.buffers {
		if t.kind != writing {
			continue
		}
		// Distances are of warps that take turns, and rounded up.
		var again int64
		stored := int64(Transactions(t.a, int(h.sector)))
		turn := stored * h.sector * g.Launch.WarpsPerGroup()
		for _, r := range t.Warp {
			if r.Distance < 2*turn {
				again += r.Sectors
			}
		}
		near := again > 0 && stored < within
		if near && waits[t.a.Buffer] {
			h.merged[t.Instr] = float64(again) / float64(max(again, t.Sectors))
		}
		waits[t.a.Buffer] = !near || !waits[t.a.Buffer]
	}
}

// unmerged is the part of a class's sectors that go to L2 by themselves: hardly any at least, as λ may not be 0.
func (h *hierarchy) unmerged(id idg.InstrID) float64 { return max(0.001, 1-h.merged[id]) }
