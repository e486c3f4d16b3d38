package idg

import (
	"errors"
	"fmt"
	"slices"
)

// Costs are the times of instruction classes in ticks of the caller's choice,
// so that exact rational cycles stay exact. Times cannot be negative.
type Costs struct {
	// Completion is the time from an instruction's issue until it has
	// completed: Λ, and λ for stores (see WarpCosts). Data and control edges
	// wait for it.
	Completion func(InstrID) int64
	// Issue is λ, the time for which an instruction's issue keeps its subsystem
	// busy. Order edges wait for it. nil = 0: the chain of latencies alone.
	Issue func(InstrID) int64
}

// WarpCosts makes costs of λ and Λ under the rule by which a warp finishes: when
// everything has completed, where a store counts as complete once it has been
// issued, λ after it began (P19 Fig. 1).
func (g *Graph) WarpCosts(issue, latency func(InstrID) int64) Costs {
	return Costs{Issue: issue, Completion: func(id InstrID) int64 {
		if g.Instr(id).IsStore() {
			return issue(id)
		}
		return latency(id)
	}}
}

// UnitCosts count each instruction as one tick, whatever the edge: the length of
// the critical path is then the number of instructions on the longest chain.
func UnitCosts() Costs {
	one := func(InstrID) int64 { return 1 }
	return Costs{Completion: one, Issue: one}
}

// Path is a longest chain of dependent instructions of a program.
type Path struct {
	// Length is the time in ticks from the first instruction's issue until the
	// last one has completed. No instruction of a warp completes later when
	// dependences alone hold it back: Length is a lower bound on the time of one
	// warp.
	Length int64
	// Nodes is the chain in program order, and Starts the time at which each of
	// them can issue: Starts[i+1]-Starts[i] ticks pass in Nodes[i], and
	// Length-Starts[last] in the last one.
	Nodes  []NodeID
	Starts []int64
}

// CriticalPath finds the longest chain of a program. Among equally long chains
// the one whose instructions are earlier, from the last one on, is chosen. An
// empty program has the zero Path. A negative cost, or a chain longer than int64
// holds, is an error.
func CriticalPath(p *Program, c Costs) (Path, error) {
	completion, err := costTable(p, c.Completion)
	if err != nil {
		return Path{}, err
	}
	issue, err := costTable(p, c.Issue)
	if err != nil {
		return Path{}, err
	}
	start := make([]int64, p.Len())
	via := make([]NodeID, p.Len()) // the predecessor that start waits for; itself = none
	var length int64
	var last NodeID
	for i, in := range p.instr {
		v := NodeID(i)
		via[v] = v
		from, kind := p.Preds(v)
		for e, u := range from {
			t := start[u]
			if kind[e] == Order {
				t += issue[p.instr[u]]
			} else {
				t += completion[p.instr[u]]
			}
			if t < 0 {
				return Path{}, errTooLong
			}
			if t > start[v] || via[v] == v {
				start[v], via[v] = t, u
			}
		}
		end := start[v] + completion[in]
		if end < 0 {
			return Path{}, errTooLong
		}
		if end > length || i == 0 {
			length, last = end, v
		}
	}
	path := Path{Length: length}
	if p.Len() == 0 {
		return path, nil
	}
	for v := last; ; v = via[v] {
		path.Nodes = append(path.Nodes, v)
		path.Starts = append(path.Starts, start[v])
		if via[v] == v {
			break
		}
	}
	slices.Reverse(path.Nodes)
	slices.Reverse(path.Starts)
	return path, nil
}

var errTooLong = errors.New("idg: the critical path is longer than 2^63-1 ticks")

// costTable evaluates a cost once for each class that the program executes; nil
// costs nothing.
func costTable(p *Program, cost func(InstrID) int64) ([]int64, error) {
	var top InstrID
	for _, in := range p.instr {
		top = max(top, in)
	}
	table := make([]int64, top+1)
	if cost == nil {
		return table, nil
	}
	known := make([]bool, top+1)
	for _, in := range p.instr {
		if known[in] {
			continue
		}
		known[in] = true
		if table[in] = cost(in); table[in] < 0 {
			return nil, fmt.Errorf("idg: instruction class %d has the negative cost %d", in, table[in])
		}
	}
	return table, nil
}

// WarpLatency is Λ_app, the time of one warp that runs alone, by A Eq. 2: the sum of
// Λ over dependent instructions plus the sum of λ over independent ones.
// The dependent ones are taken to be those of the critical path; an edge of the
// path that waits for issue only counts λ.
//
// The formula lets every independent instruction delay the chain by its λ. That
// is exact where they share a subsystem and the chain waits for the last of them
// (P19 Fig. 1, A Fig. 1) and too much where they issue in the shadow of
// a latency: simulate to know.
func WarpLatency(p *Program, c Costs) (int64, error) {
	path, err := CriticalPath(p, c)
	if err != nil {
		return 0, err
	}
	issue, err := costTable(p, c.Issue)
	if err != nil {
		return 0, err
	}
	total := path.Length
	next := 0 // in path.Nodes
	for v, in := range p.instr {
		if next < len(path.Nodes) && path.Nodes[next] == NodeID(v) {
			next++
			continue
		}
		if total += issue[in]; total < 0 {
			return 0, errTooLong
		}
	}
	return total, nil
}
