package latencies

import "gpupipe/idg"

// sourcePlace is an operation of the source.
type sourcePlace struct {
	pos idg.Pos
	op  string
}

// shares says what the launch's groups request at the place of a class of the graph's own
// group, in sectors and on the average, as a part of what that group requests there: groups of
// which the others have nothing to do move no more than their share.
func shares(g *idg.Graph) func(*idg.Instr) float64 {
	if len(g.Kinds()) == 0 {
		return func(*idg.Instr) float64 { return 1 }
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
	return func(in *idg.Instr) float64 {
		at := sourcePlace{in.Pos, in.Op}
		return mean[at] / max(own[at], 1)
	}
}

// touching is a class of the graph's own group with the locality of its sectors.
type touching struct {
	*idg.Locality
	in    *idg.Instr
	a     *idg.Access
	kind  kindOfAccess
	share float64 // see shares
}

// touchings are all classes with a locality.
func touchings(g *idg.Graph) []touching {
	list, share := make([]touching, len(g.Locality)), shares(g)
	for i := range list {
		in := g.Instr(g.Locality[i].Instr)
		a := g.Access(in.Access)
		list[i] = touching{&g.Locality[i], in, a, accessKind(in, a), share(in)}
	}
	return list
}

// private reports whether a class accesses private memory.
func (t touching) private() bool { return t.a != nil && t.a.Space == idg.SpacePrivate }

// likeOthers takes classes that only groups at the edges of the launch execute to be
// served like those at the same place of the source that the graph's own group
// executes: a graph tells the locality of that group alone.
func (h *hierarchy) likeOthers(g *idg.Graph) {
	if len(g.Kinds()) == 0 {
		return
	}
	at, waited := map[sourcePlace]Served{}, map[sourcePlace]Served{}
	for _, t := range h.buffers {
		place := sourcePlace{t.in.Pos, t.in.Op}
		at[place] = at[place].plus(h.byInstr[t.Instr])
		waited[place] = waited[place].plus(h.waitedFor(t.Instr))
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
