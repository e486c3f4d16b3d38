package latencies

import (
	"cmp"
	"slices"

	"gpupipe/idg"
)

// pipe is one of the stages that an access of device memory may pass on the path to its
// data. Each moves its own bytes while the others move theirs, and an access keeps each busy
// with what of it passes there; but an instruction of the model keeps two subsystems busy at most.
type pipe int

const (
	memoryPipe pipe = iota // the entry's subsystem
	l2Pipe
	l3Pipe
	l1Pipe     // the whole access passes it, whatever serves it
	scalarPipe // as L1, of what is the same in all lanes
	pipes
)

// path is for how long an access keeps each pipe busy (λ); zero = it does not pass it.
type path [pipes]Cycles

// longest is the pipe that the access keeps busy longest.
func (p *path) longest() pipe {
	longest := memoryPipe
	for i := range pipes {
		if p[i].Cmp(p[longest]) > 0 {
			longest = i
		}
	}
	return longest
}

// passing is how much of a class's sectors each pipe below L1 moves: what comes from
// device memory passes L3 and L2 on its way, and what of it is written back passes device
// memory again, as does what is filled.
func (s Served) passing() [pipes]float64 {
	return [pipes]float64{memoryPipe: s.Memory + s.WrittenBack + s.Filled, l3Pipe: s.L3 + s.Memory,
		l2Pipe: s.L2 + s.L3 + s.Memory}
}

// pipeCPI is λ of the reference access in each pipe below L1, for an entry of device
// memory; zero where the device has no such pipe, or no figures of it.
func (h *hierarchy) pipeCPI(t Timing) [pipes]Cycles {
	return [pipes]Cycles{memoryPipe: h.ofMemory(t).CPI, l3Pipe: h.l3Timing.CPI, l2Pipe: h.l2Timing.CPI}
}

// subsystemOf is the subsystem that stands for a pipe, where an entry names that of
// device memory.
func (m *mapping) subsystemOf(p pipe, memory SubsystemID) SubsystemID {
	switch p {
	case l1Pipe:
		id, _ := m.dev.subsystem(m.dev.Memory.L1.Subsystem)
		return id
	case scalarPipe:
		return m.resolve("ld.constant", "").subsystem
	case l2Pipe:
		return m.subsystemNamed("l2")
	case l3Pipe:
		return m.subsystemNamed("l3")
	}
	return memory
}

// chargeBusiest charges accesses to the two pipes that are busiest in the launch, with what of
// each passes there; those that pass only one of these, or none, to what they keep busy longest beside. They
// were charged to the pipe that each keeps busy longest; so what else passes the busiest one would be
// missing there, and the launch take less than the time of its bytes. With it the
// two have all that passes them, and no other has more.
func (m *mapping) chargeBusiest(g *idg.Graph) {
	busiest := m.busiestPipes(g.GroupTally())
	for i := range m.paths {
		e, p := &m.out.Entries[i], &m.paths[i]
		if *p == (path{}) {
			continue
		}
		memory := m.resolve(g.Instrs()[i].Op, g.Instrs()[i].Type).subsystem
		subsystem := func(k pipe) SubsystemID { return m.subsystemOf(k, memory) }
		first, second := p.charged(p.preferred(busiest), subsystem)
		x := exact{}
		cpi := x.add(x.keep(e.Timing.CPI.Sub(p[p.longest()])), p[first]) // beside it an atomic has turns
		if x.err != nil {
			continue
		}
		e.Timing.CPI, e.Subsystem = cpi, subsystem(first)
		if second != first {
			e.Second = Charge{subsystem(second), p[second]}
		}
	}
}

// preferred are the pipes that an access passes, in the order in which it is charged to them: the
// launch's two busiest, then those that it keeps busy longest.
func (p *path) preferred(busiest [pipes]pipe) []pipe {
	rest := slices.Clone(busiest[2:])
	slices.SortStableFunc(rest, func(a, b pipe) int { return p[b].Cmp(p[a]) })
	order := append(slices.Clone(busiest[:2]), rest...)
	return slices.DeleteFunc(order, func(k pipe) bool { return p[k].IsZero() })
}

// charged are the first two of the pipes given that are of different subsystems, the one that the access
// keeps busy longer first; if there is but one, it is both.
func (p *path) charged(order []pipe, subsystem func(pipe) SubsystemID) (first, second pipe) {
	first, second = order[0], order[0]
	for _, k := range order[1:] {
		switch {
		case subsystem(k) != subsystem(first):
			if p[k].Cmp(p[first]) > 0 {
				return k, first
			}
			return first, k
		case p[k].Cmp(p[first]) > 0: // a pipe that is one with the first
			first, second = k, k
		}
	}
	return first, second
}

// busiestPipes are the pipes in the order of how long the graph's group keeps them busy, longest first,
// executing each class so often; what else L1's and device memory's subsystems execute included.
func (m *mapping) busiestPipes(tally []int64) [pipes]pipe {
	var busy [pipes]float64
	memory := m.resolve("ld.global", "").subsystem
	hasL1, l1 := m.dev.Memory.L1 != nil, memory
	if hasL1 {
		l1 = m.subsystemOf(l1Pipe, memory)
	}
	for i, n := range tally {
		e := &m.out.Entries[i]
		if p := &m.paths[i]; *p != (path{}) {
			for k := range pipes {
				busy[k] += float64(n) * p[k].Float()
			}
			continue
		}
		switch {
		case hasL1 && e.Subsystem == l1:
			busy[l1Pipe] += float64(n) * e.Timing.CPI.Float()
		case e.Subsystem == memory:
			busy[memoryPipe] += float64(n) * e.Timing.CPI.Float()
		}
	}
	order := [pipes]pipe{}
	for p := range pipes {
		order[p] = p
	}
	slices.SortStableFunc(order[:], func(a, b pipe) int { return cmp.Compare(busy[b], busy[a]) })
	return order
}
