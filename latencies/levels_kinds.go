package latencies

import "gpupipe/idg"

// sourcePlace is an operation of the source.
type sourcePlace struct {
	pos idg.Pos
	op  string
}

// shares says what the launch's groups request at the place of each class of the graph's own
// group, in sectors and on the average, as a part of what that group requests there: groups of
// which the others have nothing to do move no more than their share. Nil: 1 of all.
func shares(g *idg.Graph) map[idg.InstrID]float64 {
	if len(g.Kinds()) == 0 {
		return nil
	}
	own, mean := map[sourcePlace]float64{}, map[sourcePlace]float64{}
	for i, k := range g.GroupKinds() {
		part := float64(k.Groups) / float64(g.Launch.TotalGroups())
		for class, n := range k.Graph.GroupTally() {
			in := &g.Instrs()[class]
			if in.Access == 0 {
				continue
			}
			at, sectors := sourcePlace{in.Pos, in.Op}, float64(n)*float64(in.Lanes)
			if a := g.Access(in.Access); a.Known() {
				sectors = float64(n) * float64(Transactions(a, int(g.SectorBytes())))
			}
			mean[at] += part * sectors
			if i == 0 {
				own[at] += sectors
			}
		}
	}
	out := map[idg.InstrID]float64{}
	for i := range g.Locality {
		in := g.Instr(g.Locality[i].Instr)
		at := sourcePlace{in.Pos, in.Op}
		out[g.Locality[i].Instr] = mean[at] / max(own[at], 1)
	}
	return out
}

// likeOthers takes classes that only groups at the edges of the launch execute to be
// served like those at the same place of the source that the graph's own group
// executes: a graph tells the locality of that group alone.
func (h *hierarchy) likeOthers(g *idg.Graph) {
	if len(g.Kinds()) == 0 {
		return
	}
	at, waited := map[sourcePlace]Served{}, map[sourcePlace]Served{}
	for i := range g.Locality {
		id := g.Locality[i].Instr
		place := sourcePlace{g.Instr(id).Pos, g.Instr(id).Op}
		at[place] = at[place].plus(h.byInstr[id])
		waited[place] = waited[place].plus(h.waitedFor(id))
	}
	for i := range g.Instrs() {
		in, id := &g.Instrs()[i], idg.InstrID(i+1)
		if _, told := h.byInstr[id]; told || in.Access == 0 || !g.Access(in.Access).Known() {
			continue
		}
		if s, ok := at[sourcePlace{in.Pos, in.Op}]; ok {
			h.byInstr[id], h.waited[id] = s, waited[sourcePlace{in.Pos, in.Op}]
		}
	}
}

// plus is the sectors of two classes.
func (s Served) plus(t Served) Served {
	return Served{s.L1 + t.L1, s.L2 + t.L2, s.L3 + t.L3, s.Memory + t.Memory, s.WrittenBack + t.WrittenBack,
		s.Filled + t.Filled}
}
