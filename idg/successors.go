package idg

// Successors is a flat program's dependences turned round, in compressed sparse rows.
type Successors struct {
	off  []uint32
	to   []NodeID
	kind []EdgeKind
}

// Successors computes which nodes wait for each node.
func (p *Flat) Successors() *Successors {
	s := &Successors{
		off:  make([]uint32, p.Len()+1),
		to:   make([]NodeID, p.Edges()),
		kind: make([]EdgeKind, p.Edges()),
	}
	for _, u := range p.from {
		s.off[u+1]++
	}
	for v := range p.Len() {
		s.off[v+1] += s.off[v]
	}
	next := make([]uint32, p.Len()) // where the next successor of each node goes
	copy(next, s.off)
	for i := range p.instr {
		v := NodeID(i)
		from, kind := p.Preds(v)
		for e, u := range from {
			s.to[next[u]], s.kind[next[u]] = v, kind[e]
			next[u]++
		}
	}
	return s
}

// Of returns the nodes that wait for v, ascending, and the kind of each
// dependence. The slices must not be modified.
func (s *Successors) Of(v NodeID) ([]NodeID, []EdgeKind) {
	a, b := s.off[v], s.off[v+1]
	return s.to[a:b], s.kind[a:b]
}
