package registers

import (
	"container/heap"
	"slices"

	"gpupipe/idg"
)

// saving is an order that saves registers, by list scheduling (Goodman and Hsu,
// Code scheduling and register allocation in large basic blocks, 1988: the mode
// for when registers run out). Next comes
//
//  1. what is ready and frees at least as many registers as it takes;
//  2. a load that is all that each of its users waits for, so that its value dies at once;
//  3. a load that is so for its users in front of the next gate or cut;
//  4. whatever else is ready,
//
// the first of the program in each case. Nothing crosses a gate, nor the cut
// after idg.OrderedTogether instructions. A connected stretch is not cut, and is ordered
// by latency too.
func (l *Live) saving() []idg.NodeID {
	s := &saver{Live: l, users: l.dataUsers(), last: l.lastUsers()}
	for n := idg.NodeID(l.Len()); idg.NodeID(len(s.order)) < n; {
		first := idg.NodeID(len(s.order))
		end := first
		for end < n && !l.Gated(end) {
			end++
		}
		if s.connected(first, end) {
			s.take(l.upwards(s.last, first, end))
		} else {
			for cut := first; cut < end; cut = min(cut+idg.OrderedTogether, end) {
				s.arrange(cut, min(cut+idg.OrderedTogether, end))
			}
		}
		if end < n {
			s.append(end)
		}
	}
	return s.order
}

// saver makes an order that saves registers, a stretch of the program at a time.
type saver struct {
	*Live
	order []idg.NodeID // what has been placed
	users []pending    // by node: data users to be placed
	last  []idg.NodeID // by node: the last data user in the program

	first, end idg.NodeID // the stretch
	nodes      []saverNode
	ready      [fitnesses]nodeHeap // what is ready; a node can be in several
}

// saverNode is a node of the stretch.
type saverNode struct {
	waits  pending      // nodes of the stretch that come before it
	before []idg.NodeID // those of the stretch that it comes before
	users  uint32       // data users in the stretch to be placed
	sole   uint32       // those of them that wait for nothing but this node
	placed bool
}

// fitness says how good it is for the registers to place a ready node next, the
// best first.
type fitness int

const (
	fitFree  fitness = iota // frees as many registers as it takes
	fitDies                 // a load that its users make die at once
	fitStays                // a load that is used at once, but lives on
	fitAny
	fitnesses
)

// arrange places the nodes of a stretch.
func (s *saver) arrange(first, end idg.NodeID) {
	s.first, s.end = first, end
	s.nodes = make([]saverNode, end-first)
	for i := range s.ready {
		s.ready[i] = s.ready[i][:0]
	}
	for v := first; v < end; v++ {
		from, kind := s.Preds(v)
		for i, u := range from {
			if u < first {
				continue
			}
			s.nodes[v-first].waits.add(u)
			n := &s.nodes[u-first]
			n.before = append(n.before, v)
			if kind[i] == idg.Data {
				n.users++
			}
		}
	}
	for v := first; v < end; v++ {
		s.review(v)
	}
	for range end - first {
		s.place(s.next())
	}
}

// take places the nodes of a stretch that has been ordered.
func (s *saver) take(order []idg.NodeID) {
	s.first, s.end = 0, 0
	for _, v := range order {
		s.append(v)
	}
}

// next takes the node to place from the heaps.
func (s *saver) next() idg.NodeID {
	for i := range s.ready {
		for h := &s.ready[i]; h.Len() > 0; {
			if v := heap.Pop(h).(idg.NodeID); !s.nodes[v-s.first].placed {
				return v
			}
		}
	}
	panic("registers: a cycle among instructions") // a program has none
}

// place appends a node to the order and looks again at those that it changes.
func (s *saver) place(v idg.NodeID) {
	s.append(v)
	n := &s.nodes[v-s.first]
	n.placed = true
	for _, x := range n.before {
		s.nodes[x-s.first].waits.remove(v)
		s.review(x)
	}
}

// append puts a node at the end of the order.
func (s *saver) append(v idg.NodeID) {
	s.order = append(s.order, v)
	from, kind := s.Preds(v)
	for i, u := range from {
		if kind[i] != idg.Data {
			continue
		}
		s.users[u].remove(v)
		if x := s.users[u].xor; s.users[u].n == 1 && s.within(x) && s.nodes[x-s.first].waits.n == 0 {
			s.fit(x) // the value may die there now
		}
	}
}

// within reports whether a node is one of the stretch that has not been placed.
func (s *saver) within(v idg.NodeID) bool {
	return v >= s.first && v < s.end && !s.nodes[v-s.first].placed
}

// review looks at a node that waits for one node less.
func (s *saver) review(v idg.NodeID) {
	switch waits := s.nodes[v-s.first].waits; waits.n {
	case 0:
		s.fit(v)
	case 1:
		u := waits.xor
		if from, kind := s.Preds(v); kind[slices.Index(from, u)] == idg.Data {
			n := &s.nodes[u-s.first]
			if n.sole++; n.waits.n == 0 {
				s.fit(u)
			}
		}
	}
}

// fit puts a node that is ready where it belongs now.
func (s *saver) fit(v idg.NodeID) {
	n, f := &s.nodes[v-s.first], fitAny
	switch {
	case !s.load[s.Instr(v)-1]:
		if s.frees(v) {
			f = fitFree
		}
	case n.sole == s.users[v].n:
		f = fitDies
	case n.sole == n.users:
		f = fitStays
	}
	heap.Push(&s.ready[f], v)
}

// frees reports whether a node frees at least as many registers as it takes.
func (s *saver) frees(v idg.NodeID) bool {
	takes := int64(0)
	if s.users[v].n > 0 {
		takes = s.size[s.Instr(v)-1]
	}
	from, kind := s.Preds(v)
	for i, u := range from {
		if kind[i] == idg.Data && s.users[u].n == 1 {
			takes -= s.size[s.Instr(u)-1]
		}
	}
	return takes <= 0
}

// nodeHeap is a heap of nodes, the first of the program on top.
type nodeHeap []idg.NodeID

func (h nodeHeap) Len() int           { return len(h) }
func (h nodeHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h nodeHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *nodeHeap) Push(v any)        { *h = append(*h, v.(idg.NodeID)) }

func (h *nodeHeap) Pop() any {
	last := len(*h) - 1
	v := (*h)[last]
	*h = (*h)[:last]
	return v
}
