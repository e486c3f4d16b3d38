package latencies

import "gpupipe/idg"

// accesses are those of a graph's instruction classes, nil for none: as they are, or with
// consecutive addresses where that is asked for and takes fewer transactions.
func (m *Memory) accesses(g *idg.Graph, consecutive func(idg.InstrID) bool) []*idg.Access {
	out := make([]*idg.Access, len(g.Instrs()))
	for i := range out {
		in := &g.Instrs()[i]
		out[i] = g.Access(in.Access)
		if consecutive != nil && consecutive(idg.InstrID(i+1)) && m.isSpread(in, out[i]) {
			out[i] = asConsecutive(out[i])
		}
	}
	return out
}

// isSpread reports whether an access at known addresses takes more transactions, or passes over the
// banks, than consecutive addresses would.
func (m *Memory) isSpread(in *idg.Instr, a *idg.Access) bool {
	if a == nil || !a.Known() {
		return false
	}
	n := 0
	switch a.Space {
	case idg.SpaceLocal:
		n = BankPasses(a, m.Banks())
	case idg.SpaceConstant:
		n = distinctAddresses(a.Offsets)
	case idg.SpaceGlobal, idg.SpaceImage:
		n = TransactionsBy(a, m.SegmentBytes, m.SegmentLanes)
	}
	return n > m.leastTransactions(in, a)
}

// asConsecutive is an access of which each lane is beside the one before, or of constant memory of which all read one
// word.
func asConsecutive(a *idg.Access) *idg.Access {
	if a.Space == idg.SpaceConstant {
		return Same.example(a, len(a.Offsets))
	}
	return Coalesced.example(a, len(a.Offsets))
}

// makeConsecutive makes fewer sectors of those that accesses request. Device memory serves as many of a
// buffer as before, or all of them if they are fewer: neighbouring lanes request no sector twice, and what
// one warp brought another one found.
func (h *hierarchy) makeConsecutive(g *idg.Graph, m *Memory, consecutive func(idg.InstrID) bool) {
	if consecutive == nil {
		return
	}
	type buffer struct {
		name  string
		store bool
	}
	before, after := map[buffer]Served{}, map[buffer]float64{}
	requested := map[idg.InstrID]float64{}
	for _, t := range h.all {
		if !consecutive(t.Instr) || !m.isSpread(t.in, t.a) {
			continue
		}
		s, k := h.byInstr[t.Instr], buffer{t.a.Buffer, t.a.Store}
		n := s.Total() * float64(m.leastTransactions(t.in, t.a)) / float64(TransactionsBy(t.a, m.SegmentBytes,
			m.SegmentLanes))
		requested[t.Instr] = n
		before[k], after[k] = before[k].plus(s), after[k]+n
	}
	for id, n := range requested {
		a := g.Access(g.Instr(id).Access)
		all, total := before[buffer{a.Buffer, a.Store}], after[buffer{a.Buffer, a.Store}]
		memory := min(1, all.Memory/total)
		cached := (1 - memory) / max(all.Total()-all.Memory, 1e-9)
		h.byInstr[id] = Served{
			L1: n * cached * all.L1, L2: n * cached * all.L2, L3: n * cached * all.L3, Memory: n * memory,
			WrittenBack: n * min(1, all.WrittenBack/total),
		}
		delete(h.waited, id)
	}
}
