package registers

import "gpupipe/idg"

// sunk is the order of LLVM's compiler for AMD's GPUs: that of the program, but for what
// only a conditional block of stores uses, which is computed in that block. Its pass
// MachineSink moves instructions behind the branch; loads among them as far as the
// first store, since memory may be another one behind it. The operands that are left where
// they were, loaded values for the most part, live until then: the pass does not
// count registers. Nothing crosses a gate.
func (l *Live) sunk() []idg.NodeID {
	s := &sinker{Live: l, last: l.lastUsers(), guard: make([]idg.NodeID, l.Len())}
	for n := idg.NodeID(l.Len()); idg.NodeID(len(s.order)) < n; {
		first := idg.NodeID(len(s.order))
		end := first
		for end < n && !l.Gated(end) {
			end++
		}
		s.stretch(first, end)
		if end < n {
			s.order = append(s.order, end)
		}
	}
	return s.order
}

// sinker makes the order, a stretch of the program from one gate to the next at a time.
type sinker struct {
	*Live
	last  []idg.NodeID // by node: the last data user in the program
	guard []idg.NodeID // by node: the predicate of the block that it belongs to, + 1; 0: none
	order []idg.NodeID
}

// unguarded is the guard of what stays where it is.
const unguarded = idg.NodeID(0)

// stretch orders the nodes from first to end.
func (s *sinker) stretch(first, end idg.NodeID) {
	begin := s.blocks(first, end)
	if len(begin) == 0 {
		for v := first; v < end; v++ {
			s.order = append(s.order, v)
		}
		return
	}
	sunk := map[idg.NodeID][]idg.NodeID{} // by guard
	for v := first; v < end; v++ {
		g := s.guard[v]
		at := begin[g]
		switch {
		case g == unguarded || v > at:
			s.order = append(s.order, v)
		case v < at:
			sunk[g] = append(sunk[g], v)
		default:
			s.order = append(append(s.order, sunk[g]...), v)
		}
	}
}

// blocks finds the guards of a stretch's nodes, and where the block of each begins.
func (s *sinker) blocks(first, end idg.NodeID) (begin map[idg.NodeID]idg.NodeID) {
	begin = map[idg.NodeID]idg.NodeID{}
	store := end                   // the first one from where a load is on
	mixed := map[idg.NodeID]bool{} // nodes that are used outside of one block
	for v := end; v > first; {
		v--
		in := s.Instr(v) - 1
		g := s.predicate(v)
		switch {
		case g != unguarded:
			begin[g] = v
		case s.pred[in], s.store[in], mixed[v], s.last[v] >= end:
		case s.load[in] && (s.guard[v] == unguarded || store < begin[s.guard[v]]):
		default:
			g = s.guard[v] // of all users
		}
		s.guard[v] = g
		if s.store[in] {
			store = v
		}
		from, kind := s.Preds(v)
		for i, u := range from {
			switch {
			case kind[i] != idg.Data || u < first:
			case g == unguarded || s.guard[u] != unguarded && s.guard[u] != g:
				mixed[u] = true
			default:
				s.guard[u] = g
			}
		}
	}
	return begin
}

// predicate is the condition of the block that a node stands in, + 1: the last
// predicate that it depends on, if it does not select by it.
func (s *sinker) predicate(v idg.NodeID) (guard idg.NodeID) {
	if in := s.Instr(v) - 1; s.pred[in] || s.choice[in] {
		return unguarded
	}
	from, kind := s.Preds(v)
	for i, u := range from {
		if kind[i] == idg.Data && s.pred[s.Instr(u)-1] {
			guard = u + 1
		}
	}
	return guard
}
