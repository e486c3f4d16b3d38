package idg

// sunk is the order of LLVM's compiler for AMD's GPUs: that of the program, but for what
// only a conditional block of stores uses, which is computed in that block. Its pass
// MachineSink moves instructions behind the branch; loads among them as far as the
// first store, since memory may be another one behind it. The operands that are left where
// they were, loaded values for the most part, live until then: the pass does not
// count registers. Nothing crosses a gate.
func (l *liveness) sunk() []NodeID {
	s := &sinker{liveness: l, last: l.lastUsers(), guard: make([]NodeID, l.f.Len())}
	for n := NodeID(l.f.Len()); NodeID(len(s.order)) < n; {
		first := NodeID(len(s.order))
		end := first
		for end < n && !l.gated(end) {
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
	*liveness
	last  []NodeID // by node: the last data user in the program
	guard []NodeID // by node: the predicate of the block that it belongs to, + 1; 0: none
	order []NodeID
}

// unguarded is the guard of what stays where it is.
const unguarded = NodeID(0)

// stretch orders the nodes from first to end.
func (s *sinker) stretch(first, end NodeID) {
	begin := s.blocks(first, end)
	if len(begin) == 0 {
		for v := first; v < end; v++ {
			s.order = append(s.order, v)
		}
		return
	}
	sunk := map[NodeID][]NodeID{} // by guard
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
func (s *sinker) blocks(first, end NodeID) (begin map[NodeID]NodeID) {
	begin = map[NodeID]NodeID{}
	store := end               // the first one from where a load is on
	mixed := map[NodeID]bool{} // nodes that are used outside of one block
	for v := end; v > first; {
		v--
		in := s.f.Instr(v) - 1
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
		from, kind := s.f.Preds(v)
		for i, u := range from {
			switch {
			case kind[i] != Data || u < first:
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
func (s *sinker) predicate(v NodeID) (guard NodeID) {
	if in := s.f.Instr(v) - 1; s.pred[in] || s.choice[in] {
		return unguarded
	}
	from, kind := s.f.Preds(v)
	for i, u := range from {
		if kind[i] == Data && s.pred[s.f.Instr(u)-1] {
			guard = u + 1
		}
	}
	return guard
}
