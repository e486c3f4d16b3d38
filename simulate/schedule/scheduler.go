package schedule

import (
	"container/heap"

	"gpupipe/idg"
)

// scheduler schedules one program.
type scheduler struct {
	*classes
	f      *idg.Flat
	budget int64 // registers

	order     []idg.NodeID
	scheduled []bool
	slot      int64
	live      int64    // registers that hold values
	users     []uint32 // by node: data users that are not scheduled
	waits     []uint32 // by node: predecessors in its region that are not scheduled
	at        []int64  // by node: the slot from which on its operands are there
	followers [][]idg.NodeID

	waiting arrivals // predecessors scheduled, operands not there
	ready   nodes    // results take registers
	light   nodes    // results take none
}

func newScheduler(f *idg.Flat, c *classes, registers int64) *scheduler {
	n := f.Len()
	s := &scheduler{classes: c, f: f, budget: registers, order: make([]idg.NodeID, 0, n), scheduled: make([]bool, n),
		users: make([]uint32, n), waits: make([]uint32, n), at: make([]int64, n), followers: make([][]idg.NodeID, n)}
	for v := range idg.NodeID(n) {
		from, kind := f.Preds(v)
		for i, u := range from {
			if kind[i] == idg.Data {
				s.users[u]++
			}
		}
	}
	return s
}

// run returns the new order: what lies between two barriers is a region.
func (s *scheduler) run() []idg.NodeID {
	first := idg.NodeID(0)
	for v := range idg.NodeID(s.f.Len()) {
		if s.barrier[s.f.Instr(v)-1] {
			s.region(first, v)
			s.schedule(v)
			first = v + 1
		}
	}
	s.region(first, idg.NodeID(s.f.Len()))
	return s.order
}

// region schedules the nodes from first to end-1.
func (s *scheduler) region(first, end idg.NodeID) {
	for v := first; v < end; v++ {
		s.at[v] = s.slot
		from, _ := s.f.Preds(v)
		for _, u := range from {
			if u >= first {
				s.waits[v]++
				s.followers[u] = append(s.followers[u], v)
			}
		}
		if s.waits[v] == 0 {
			s.arrive(v)
		}
	}
	for head := first; head < end; {
		if s.scheduled[head] {
			head++
			continue
		}
		for s.waiting.Len() > 0 && s.waiting[0].at <= s.slot {
			s.arrive(heap.Pop(&s.waiting).(arrival).node)
		}
		switch v, ok := s.pick(head); {
		case ok:
			s.schedule(v)
		case s.waiting.Len() > 0:
			s.slot = s.waiting[0].at
		default:
			// A write, or no registers are left: what it waits for is scheduled.
			s.slot = max(s.slot, s.at[head])
			s.schedule(head)
		}
	}
}

// pick chooses the instruction of this slot: the first of the program that is
// ready, the next one of the program or one that may move up before it.
func (s *scheduler) pick(head idg.NodeID) (idg.NodeID, bool) {
	for _, q := range []*nodes{&s.ready, &s.light} {
		for q.Len() > 0 && s.scheduled[(*q)[0]] {
			heap.Pop(q)
		}
	}
	switch {
	case s.waits[head] == 0 && s.at[head] <= s.slot:
		return head, true
	case s.live < s.budget && s.ready.Len() > 0 && (s.light.Len() == 0 || s.ready[0] < s.light[0]):
		return heap.Pop(&s.ready).(idg.NodeID), true
	case s.light.Len() > 0:
		return heap.Pop(&s.light).(idg.NodeID), true
	}
	return 0, false
}

// arrive queues an instruction of which the operands are there. Writes are not
// queued: they keep their place.
func (s *scheduler) arrive(v idg.NodeID) {
	switch class := s.f.Instr(v) - 1; {
	case s.write[class]:
	case s.words[class] > 0:
		heap.Push(&s.ready, v)
	default:
		heap.Push(&s.light, v)
	}
}

// schedule puts an instruction into the current slot.
func (s *scheduler) schedule(v idg.NodeID) {
	s.order = append(s.order, v)
	s.scheduled[v] = true
	from, kind := s.f.Preds(v)
	for i, u := range from {
		if kind[i] != idg.Data {
			continue
		}
		if s.users[u]--; s.users[u] == 0 {
			s.live -= s.words[s.f.Instr(u)-1]
		}
	}
	if s.users[v] > 0 {
		s.live += s.words[s.f.Instr(v)-1]
	}
	for _, w := range s.followers[v] {
		s.at[w] = max(s.at[w], s.slot+s.wait(v, w))
		if s.waits[w]--; s.waits[w] == 0 {
			heap.Push(&s.waiting, arrival{w, s.at[w]})
		}
	}
	s.followers[v] = nil
	s.slot++
}

// wait is how many slots w must be behind v.
func (s *scheduler) wait(v, w idg.NodeID) int64 {
	from, kind := s.f.Preds(w)
	for i, u := range from {
		if u == v && kind[i] != idg.Order {
			return s.latency[s.f.Instr(v)-1]
		}
	}
	return 1
}
