package registers

import "gpupipe/idg"

// predicateRegisters is how many predicates a work item can have at once: P0 to P6 of
// NVIDIA's instruction sets (CUDA Binary Utilities; the eighth, PT, is always true).
const predicateRegisters = 7

// connected reports whether a stretch of code from one gate to the next, longer than
// what is ordered together, is ordered as one nevertheless. The compiler does so (ptxas
// 11.8, found by compiling kernels; docs/evidence/fidelity.md, Registers) where
//
//   - loaded values live across the first cut, and what they connect is connected
//     behind the cut alone: chains of computations that share values anywhere have
//     parts there that do so too, if by way of others;
//   - the predicates that guard its stores fit into registers.
//
// Later cuts do not matter.
func (s *saver) connected(first, end idg.NodeID) bool {
	cut := first + idg.OrderedTogether
	return end > cut && s.loadedAlive(first, cut) && s.guards(first, end) <= predicateRegisters &&
		s.connectedFrom(cut, first, end)
}

// loadedAlive reports whether a value that is loaded in a stretch lives behind it.
func (s *saver) loadedAlive(first, end idg.NodeID) bool {
	for v := first; v < end; v++ {
		if s.load[s.Instr(v)-1] && s.last[v] >= end {
			return true
		}
	}
	return false
}

// guards counts the predicates that the stores of a stretch are executed under.
func (l *Live) guards(first, end idg.NodeID) int {
	guards := map[idg.NodeID]bool{}
	for v := first; v < end; v++ {
		if !l.store[l.Instr(v)-1] {
			continue
		}
		from, kind := l.Preds(v)
		for i, u := range from {
			if kind[i] == idg.Data && l.pred[l.Instr(u)-1] {
				guards[u] = true
			}
		}
	}
	return len(guards)
}

// connectedFrom reports whether the instructions of a stretch from cut on that are
// connected in the whole stretch are so by instructions from cut on.
func (s *saver) connectedFrom(cut, first, end idg.NodeID) bool {
	c := &connections{Live: s.Live, users: s.users, first: first, root: make([]idg.NodeID, end-first)}
	for v := first; v < end; v++ {
		c.root[v-first] = v
	}
	c.connect(cut, end)
	parts := c.count(cut, end)
	c.connect(first, cut)
	return c.count(cut, end) == parts
}

// connections are sets of instructions of a stretch.
type connections struct {
	*Live
	users []pending // data users of the nodes
	first idg.NodeID
	root  []idg.NodeID // a member of the same set, the set's first in the end
}

// connect joins the sets of instructions in a part of the stretch with those of their
// operands: of loaded values, which connects all that use one, and of results that
// nothing else uses. Stores and the addresses of loads connect nothing.
func (c *connections) connect(first, end idg.NodeID) {
	for v := first; v < end; v++ {
		if in := c.Instr(v) - 1; c.load[in] || c.store[in] {
			continue
		}
		from, kind := c.Preds(v)
		for i, u := range from {
			if kind[i] == idg.Data && u >= c.first && (c.load[c.Instr(u)-1] || c.users[u].n == 1) {
				a, b := c.find(u), c.find(v)
				c.root[max(a, b)-c.first] = min(a, b)
			}
		}
	}
}

// find is the first member of a node's set.
func (c *connections) find(v idg.NodeID) idg.NodeID {
	for {
		up := &c.root[v-c.first]
		if *up == v {
			return v
		}
		*up = c.root[*up-c.first]
		v = *up
	}
}

// count is the number of sets that have members in a part of the stretch.
func (c *connections) count(first, end idg.NodeID) int {
	found := map[idg.NodeID]bool{}
	for v := first; v < end; v++ {
		found[c.find(v)] = true
	}
	return len(found)
}
