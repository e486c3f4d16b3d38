package arrange

import (
	"cmp"
	"slices"

	"gpupipe/lower/machine"
)

// load is one that could be kept together with others.
type load struct {
	node   int32
	base   int32 // who makes the address, in the order of the program
	offset int64
	bytes  int64
	in     *machine.Instr
}

// most32 is how many words the loads of a cluster bring together at most (SIInstrInfo::shouldClusterMemOps).
const most32 = 8

// fastCluster is from how many thousand pairs of loads and instructions on nobody looks for ways between them
// (FastClusterThreshold).
const fastCluster = 1000

// searched is how many nodes are looked at for a way between two loads.
const searched = 1000

// cluster keeps loads of neighbouring addresses together: whoever reads the first one comes behind the last one
// (BaseMemOpClusterMutation). It reports whether there are any.
func (s *occupancySchedule) cluster() bool {
	loads := s.loads()
	s.long = len(loads)*s.count/1000 > fastCluster
	size := map[int32][2]int64{} // by node: how many, how many bytes
	seen := make([]int32, len(s.succs))
	stamp := int32(0)
	for k := 0; k+1 < len(loads); k++ {
		a := loads[k]
		next := k + 1
		for ; next < len(loads); next++ {
			if _, ok := size[loads[next].node]; !ok && (s.long || !s.reaches(a.node, loads[next].node, seen, &stamp) &&
				!s.reaches(loads[next].node, a.node, seen, &stamp)) {
				break
			}
		}
		if next == len(loads) {
			continue
		}
		b := loads[next]
		n, bytes := int64(2), a.bytes+b.bytes
		if old, ok := size[a.node]; ok {
			n, bytes = old[0]+1, old[1]+b.bytes
		}
		if !together(a, b) || (bytes/n+3)/4*n > most32 {
			continue
		}
		from, to := a.node, b.node
		if s.number[from] > s.number[to] {
			from, to = to, from
		}
		if s.reaches(to, from, seen, &stamp) {
			continue
		}
		s.clusterSuccs[from] = append(s.clusterSuccs[from], to)
		s.clusterPreds[to] = append(s.clusterPreds[to], from)
		for _, e := range slices.Clone(s.succs[from]) {
			if e.node != to && !s.follows(to, e.node) && !s.behind(e.node, to, seen, &stamp) {
				s.edge(to, e.node, 0)
				if !s.long {
					s.deepen(to)
				}
			}
		}
		size[b.node] = [2]int64{n, bytes}
	}
	s.measure()
	return len(size) > 0
}

// behind reports whether a node may not come behind another one: a way leads back, or could.
func (s *occupancySchedule) behind(node, other int32, seen []int32, stamp *int32) bool {
	if s.long {
		return int(node) >= s.count || s.number[node] <= s.number[other]
	}
	return s.reaches(node, other, seen, stamp)
}

// follows reports whether there is an edge already.
func (s *occupancySchedule) follows(from, to int32) bool {
	return slices.ContainsFunc(s.succs[from], func(e edgeTo) bool { return e.node == to })
}

// together reports whether two loads are of the same memory (memOpsHaveSameBasePtr).
func together(a, b load) bool {
	if a.in.Mem.Space != b.in.Mem.Space {
		return false
	}
	return a.base == b.base || a.in.Mem.Object != 0 && a.in.Mem.Object == b.in.Mem.Object
}

// loads are those of the block, by address.
func (s *occupancySchedule) loads() []load {
	var list []load
	for i := range int32(s.count) {
		in := s.b.instrs[i]
		if in.Mem == nil || len(in.Defs) == 0 || in.Mem.Atomic {
			continue
		}
		l := load{node: i, base: -1, offset: in.Mem.Offset, bytes: in.Mem.Bytes, in: in}
		v := s.values
		for _, n := range v.of[v.first[i]:v.first[i+1]] {
			if n < 0 {
				continue
			}
			l.base = v.word[n] - int32(len(v.word)) - 1<<20
			if by := v.by[n]; by >= 0 {
				l.base = s.number[by]
			}
			break
		}
		if len(in.Uses) > 0 && in.Uses[0].Kind == machine.Bank {
			l.offset = int64(in.Uses[0].Bits)
		}
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b load) int {
		return cmp.Or(cmp.Compare(a.base, b.base), cmp.Compare(a.offset, b.offset),
			cmp.Compare(s.number[a.node], s.number[b.node]))
	})
	return list
}

// reaches reports whether a way leads from one node to another one, or may: where the search takes too long.
func (s *occupancySchedule) reaches(from, to int32, seen []int32, stamp *int32) bool {
	if s.long { // edges lead forward in the program, then
		return s.number[from] > s.number[to]
	}
	if s.depth[from] > s.depth[to] {
		return false
	}
	*stamp++
	work := []int32{from}
	for n := 0; len(work) > 0; n++ {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if i == to || n > searched {
			return true
		}
		for _, e := range s.succs[i] {
			if seen[e.node] != *stamp && s.depth[e.node] <= s.depth[to] {
				seen[e.node] = *stamp
				work = append(work, e.node)
			}
		}
	}
	return false
}

// deepen keeps depths what they say, behind a node that got an edge.
func (s *occupancySchedule) deepen(from int32) {
	for work := []int32{from}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range s.succs[i] {
			if d := s.depth[i] + e.after; d > s.depth[e.node] {
				s.depth[e.node] = d
				work = append(work, e.node)
			}
		}
	}
}
