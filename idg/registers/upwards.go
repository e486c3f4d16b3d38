package registers

import (
	"cmp"
	"container/heap"
	"slices"

	"gpupipe/idg"
)

// resultSlots is how many instructions of a warp are issued before the result of an
// arithmetic one can be used: cycles of NVIDIA's devices from compute capability 7.0
// on, at one instruction per cycle (Jia et al., Dissecting the NVIDIA Volta GPU
// Architecture via Microbenchmarking, 2018, Table 4.1).
const resultSlots = 4

// fronts is how many chains of computations may take registers at once: beside one whose
// links are a load and its use, so many more fill resultSlots.
const fronts = resultSlots - 2

// upwards is an order of a stretch by list scheduling from its end. It saves registers,
// but goes on with some chains of computations at once, so that no slot is lost to their
// latency at the end, where saving registers alone would leave one. Next upwards comes
//
//  1. what frees more registers than it takes: all that use its result are placed;
//  2. what takes no more than it frees;
//  3. of what takes more, one of the fronts that use what is loaded last,
//
// the last of the program in the first two cases. Results of arithmetic take resultSlots to be
// used; a slot can stay empty. last are the last users of every value in the program.
func (l *Live) upwards(last []idg.NodeID, first, end idg.NodeID) []idg.NodeID {
	s := &climber{Live: l, first: first, nodes: make([]climberNode, end-first)}
	for v := first; v < end; v++ {
		s.node(v).live = last[v] >= end
		from, kind := l.Preds(v)
		for i, u := range from {
			if u < first {
				continue
			}
			n := s.node(u)
			n.after = append(n.after, v)
			n.left++
			if kind[i] == idg.Data {
				n.users++
			}
		}
		s.node(v).loaded = s.latest(v)
	}
	for v := first; v < end; v++ {
		if s.node(v).left == 0 {
			s.fit(v)
		}
	}
	for idg.NodeID(len(s.order)) < end-first {
		s.step()
	}
	slices.Reverse(s.order)
	return s.order
}

// climber makes an order from the end of a stretch.
type climber struct {
	*Live
	first idg.NodeID
	nodes []climberNode
	order []idg.NodeID // what has been placed, the last of the program first

	slot    int
	waiting [resultSlots + 1][]idg.NodeID // what can be placed from a slot on, by its remainder

	// What can be placed, by whether it takes less registers than it frees, as many, or
	// more; a node can be in several.
	less, none, more lateHeap
}

// climberNode is a node of the stretch.
type climberNode struct {
	after  []idg.NodeID // nodes of the stretch that come behind it
	left   uint32       // those of them to be placed
	users  uint32       // data users in the stretch
	slot   int          // from which on it can be placed
	loaded idg.NodeID   // the last load of which it uses the value, or an operand does
	live   bool         // a user has been placed
	placed bool
}

// node is that of an instruction of the stretch.
func (s *climber) node(v idg.NodeID) *climberNode { return &s.nodes[v-s.first] }

// latest is the last load of which a node uses the value; of one that uses none, that of
// its operands.
func (s *climber) latest(v idg.NodeID) idg.NodeID {
	loaded, behind := idg.NodeID(0), idg.NodeID(0)
	from, kind := s.Preds(v)
	for i, u := range from {
		switch {
		case kind[i] != idg.Data || u < s.first:
		case s.load[s.Instr(u)-1]:
			loaded = max(loaded, u)
		default:
			behind = max(behind, s.node(u).loaded)
		}
	}
	if loaded > 0 {
		return loaded
	}
	return behind
}

// step fills a slot, if something can be placed in it.
func (s *climber) step() {
	w := &s.waiting[s.slot%len(s.waiting)]
	for _, v := range *w {
		s.fit(v)
	}
	*w = (*w)[:0]
	if v, ok := s.next(); ok {
		s.place(v)
	}
	s.slot++
}

// next takes the node to place from the heaps.
func (s *climber) next() (v idg.NodeID, ok bool) {
	for _, h := range []*lateHeap{&s.less, &s.none} {
		for h.Len() > 0 {
			if v := heap.Pop(h).(late).node; !s.node(v).placed {
				return v, true
			}
		}
	}
	var kept [fronts]late
	n := 0
	for n < fronts && s.more.Len() > 0 && !ok {
		x := heap.Pop(&s.more).(late)
		if now := s.takes(x.node); s.node(x.node).placed || now != x {
			continue // there is a newer entry
		}
		if ok = s.node(x.node).slot <= s.slot; ok {
			v = x.node
		} else {
			kept[n] = x
			n++
		}
	}
	for _, x := range kept[:n] {
		heap.Push(&s.more, x)
	}
	return v, ok
}

// place puts a node in front of what has been placed.
func (s *climber) place(v idg.NodeID) {
	s.order = append(s.order, v)
	s.node(v).placed = true
	from, kind := s.Preds(v)
	for i, u := range from {
		if u < s.first {
			continue
		}
		n, slots := s.node(u), 1
		if kind[i] == idg.Data {
			if !s.load[s.Instr(u)-1] {
				slots = resultSlots
			}
			if !n.live {
				n.live = true
				s.refit(n.after)
			}
		}
		n.slot = max(n.slot, s.slot+slots)
		if n.left--; n.left == 0 {
			w := &s.waiting[n.slot%len(s.waiting)]
			*w = append(*w, u)
			s.fit(u)
		}
	}
}

// refit looks again at what is ready among the users of a value that has become live.
func (s *climber) refit(users []idg.NodeID) {
	for _, x := range users {
		if n := s.node(x); n.left == 0 && !n.placed {
			s.fit(x)
		}
	}
}

// fit puts a node of which all users are placed where it belongs now: one that takes
// registers also when its slot has not come.
func (s *climber) fit(v idg.NodeID) {
	x := s.takes(v)
	switch due := s.node(v).slot <= s.slot; {
	case x.takes > 0:
		heap.Push(&s.more, x)
	case due && x.takes < 0:
		heap.Push(&s.less, late{node: v})
	case due:
		heap.Push(&s.none, late{node: v})
	}
}

// takes is how many more registers a node takes than it frees.
func (s *climber) takes(v idg.NodeID) late {
	x := late{loaded: s.node(v).loaded, node: v}
	if s.node(v).live {
		x.takes = -s.size[s.Instr(v)-1]
	}
	from, kind := s.Preds(v)
	for i, u := range from {
		if kind[i] != idg.Data || u < s.first {
			continue // what is computed before the stretch lives in it
		}
		// a load for this alone can be placed at once
		if n := s.node(u); !n.live && !(n.users == 1 && s.load[s.Instr(u)-1]) {
			x.takes += s.size[s.Instr(u)-1]
		}
	}
	return x
}

// late is a node and what it is ordered by.
type late struct {
	takes        int64
	loaded, node idg.NodeID // loaded: the last load of which it takes the value
}

// lateHeap is a heap of nodes, on top the last by key of those that take least.
type lateHeap []late

func (h lateHeap) Len() int { return len(h) }
func (h lateHeap) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[j].loaded, h[i].loaded), cmp.Compare(h[j].node, h[i].node)) < 0
}
func (h lateHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *lateHeap) Push(v any)   { *h = append(*h, v.(late)) }

func (h *lateHeap) Pop() any {
	last := len(*h) - 1
	v := (*h)[last]
	*h = (*h)[:last]
	return v
}
