package arrange

import (
	"cmp"
	"slices"
)

// newOccupancySchedule makes LLVM's graph of a block: latencies count from an instruction to those that read it, and
// constants come in front of the first one that reads them, as SelectionDAG has them, unless an order is given.
func newOccupancySchedule(l *linear, b *blockSchedule, wave int, loop bool, order []int32) *occupancySchedule {
	g := b.graph
	s := &occupancySchedule{l: l, b: b, values: &g.values, count: g.count, wave: int32(wave),
		succs: make([][]edgeTo, g.nodes), preds: make([][]edgeTo, g.nodes),
		clusterSuccs: make([][]int32, g.nodes), clusterPreds: make([][]int32, g.nodes)}
	s.most = min(readyLimit, max(8, effort/max(1, g.count)))
	for i := range int32(g.nodes) {
		for k := g.first[i]; k < g.first[i+1]; k++ {
			s.edge(i, g.to[k], g.after[k])
		}
	}
	if order == nil {
		s.sourceOrder()
	} else {
		s.number = make([]int32, g.nodes)
		for k, i := range order {
			s.number[i] = int32(k)
		}
	}
	s.measure()
	if loop {
		s.cyclic()
	}
	return s
}

func (s *occupancySchedule) edge(from, to, after int32) {
	s.succs[from] = append(s.succs[from], edgeTo{to, after})
	s.preds[to] = append(s.preds[to], edgeTo{from, after})
}

// sourceOrder numbers the instructions.
func (s *occupancySchedule) sourceOrder() {
	s.number = make([]int32, len(s.succs))
	n := int32(0)
	held := make([]bool, s.count)
	give := func(i int32) {
		n++
		s.number[i] = n
	}
	for i := range int32(s.count) {
		if len(s.preds[i]) == 0 && len(s.succs[i]) > 0 && s.b.instrs[i].Mem == nil && remakes(s.b.instrs[i]) {
			held[i] = true
			continue
		}
		for _, e := range s.preds[i] {
			if int(e.node) < s.count && held[e.node] {
				held[e.node] = false
				give(e.node)
			}
		}
		give(i)
	}
	for i := range int32(s.count) {
		if held[i] {
			give(i)
		}
	}
}

// program is the order of the program.
func (s *occupancySchedule) program() []int32 {
	list := make([]int32, s.count)
	for i := range list {
		list[i] = int32(i)
	}
	slices.SortFunc(list, func(i, k int32) int { return cmp.Compare(s.number[i], s.number[k]) })
	return list
}

// measure finds the longest paths to and from each node.
func (s *occupancySchedule) measure() {
	n := len(s.succs)
	s.depth, s.height, s.critical = make([]int32, n), make([]int32, n), 0
	left := make([]int32, n)
	var order []int32
	for i := range n {
		if left[i] = int32(len(s.preds[i])); left[i] == 0 {
			order = append(order, int32(i))
		}
	}
	for at := 0; at < len(order); at++ {
		i := order[at]
		s.critical = max(s.critical, s.depth[i])
		for _, e := range s.succs[i] {
			s.depth[e.node] = max(s.depth[e.node], s.depth[i]+e.after)
			if left[e.node]--; left[e.node] == 0 {
				order = append(order, e.node)
			}
		}
	}
	for _, i := range slices.Backward(order) {
		for _, e := range s.succs[i] {
			s.height[i] = max(s.height[i], s.height[e.node]+e.after)
		}
	}
}

// cyclic finds whether a loop waits for its longest path, not for what one iteration gives the next one
// (computeCyclicCriticalPath, checkAcyclicLatency: buffers of one instruction never hold it).
func (s *occupancySchedule) cyclic() {
	v := s.values
	last := map[int32]int32{} // by word: the value at the end
	for n := range v.word {
		if s.b.out[n] && v.by[n] >= 0 {
			last[v.word[n]] = int32(n)
		}
	}
	around := int32(0)
	for i := range int32(s.count) {
		for _, n := range v.of[v.first[i]:v.first[i+1]] {
			if n < 0 || v.by[n] >= 0 {
				continue
			}
			if end, ok := last[v.word[n]]; ok {
				around = max(around, s.around(v.by[end], i))
			}
		}
	}
	s.aggressive = around > 0 && around < s.critical
}

// around is how long the way is from a read at the beginning of an iteration to the write at its end.
func (s *occupancySchedule) around(from, to int32) int32 {
	after := int32(1)
	for _, e := range s.succs[from] {
		after = max(after, e.after)
	}
	n := max(0, s.depth[from]+after-s.depth[to])
	return min(n, max(0, s.height[to]+after-s.height[from]))
}
