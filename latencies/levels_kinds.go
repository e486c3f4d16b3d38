package latencies

import "gpupipe/idg"

// likeOthers takes classes that only groups at the edges of the launch execute to be
// served like those at the same place of the source that the graph's own group
// executes: a graph tells the locality of that group alone.
func (h *hierarchy) likeOthers(g *idg.Graph) {
	if len(g.Kinds()) == 0 {
		return
	}
	type place struct {
		pos idg.Pos
		op  string
	}
	at := map[place]Served{}
	for i := range g.Locality {
		in := g.Instr(g.Locality[i].Instr)
		s, sum := h.byInstr[g.Locality[i].Instr], at[place{in.Pos, in.Op}]
		at[place{in.Pos, in.Op}] = Served{sum.L1 + s.L1, sum.L2 + s.L2, sum.L3 + s.L3, sum.Memory + s.Memory, sum.WrittenBack + s.WrittenBack}
	}
	for i := range g.Instrs() {
		in, id := &g.Instrs()[i], idg.InstrID(i+1)
		if _, told := h.byInstr[id]; told || in.Access == 0 || !g.Access(in.Access).Known() {
			continue
		}
		if s, ok := at[place{in.Pos, in.Op}]; ok {
			h.byInstr[id] = s
		}
	}
}
