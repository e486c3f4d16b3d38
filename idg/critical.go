package idg

import (
	"errors"
	"fmt"
	"math"
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
// holds, is an error. Of a program of more than MaxExpanded instructions the Path
// has the length alone (see longestChain).
func CriticalPath(p *Program, c Costs) (Path, error) {
	completion, issue, err := c.tables(p)
	if err != nil {
		return Path{}, err
	}
	if p.length > MaxExpanded {
		chain, err := longestChain(p, completion, issue)
		return Path{Length: chain.time}, err
	}
	path, _, err := criticalPath(p, completion, issue)
	return path, err
}

// criticalPath is CriticalPath by tables of costs, and the rows that it used.
func criticalPath(p *Program, completion, issue []int64) (Path, *Flat, error) {
	f, err := p.Expanded(MaxExpanded)
	if err != nil {
		return Path{}, nil, err
	}
	start := make([]int64, f.Len())
	via := make([]NodeID, f.Len()) // the predecessor that start waits for; itself = none
	var length int64
	var last NodeID
	for i, in := range f.instr {
		v := NodeID(i)
		via[v] = v
		from, kind := f.Preds(v)
		for e, u := range from {
			t := start[u]
			if kind[e] == Order {
				t += issue[f.instr[u]]
			} else {
				t += completion[f.instr[u]]
			}
			if t < 0 {
				return Path{}, nil, errTooLong
			}
			if t > start[v] || via[v] == v {
				start[v], via[v] = t, u
			}
		}
		end := start[v] + completion[in]
		if end < 0 {
			return Path{}, nil, errTooLong
		}
		if end > length || i == 0 {
			length, last = end, v
		}
	}
	path := Path{Length: length}
	if p.Len() == 0 {
		return path, f, nil
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
	return path, f, nil
}

var errTooLong = errors.New("idg: the critical path is longer than 2^63-1 ticks")

// tables evaluates both costs by class.
func (c Costs) tables(p *Program) (completion, issue []int64, err error) {
	if completion, err = costTable(p, c.Completion); err != nil {
		return nil, nil, err
	}
	issue, err = costTable(p, c.Issue)
	return completion, issue, err
}

// costTable evaluates a cost once for each class that the program executes; nil
// costs nothing.
func costTable(p *Program, cost func(InstrID) int64) ([]int64, error) {
	var top InstrID
	for i := range p.patterns.all {
		top = max(top, p.patterns.all[i].class)
	}
	table := make([]int64, top+1)
	if cost == nil {
		return table, nil
	}
	known := make([]bool, top+1)
	for i := range p.patterns.all {
		in := p.patterns.all[i].class
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
	completion, issue, err := c.tables(p)
	if err != nil {
		return 0, err
	}
	chain, err := chainOf(p, completion, issue)
	if err != nil {
		return 0, err
	}
	all, err := p.sum(issue)
	if err != nil {
		return 0, err
	}
	total := chain.time + (all - chain.issue)
	if total < 0 {
		return 0, errTooLong
	}
	return total, nil
}

// chainOf returns the time of the longest chain and the λ of its instructions.
func chainOf(p *Program, completion, issue []int64) (longChain, error) {
	if p.length > MaxExpanded {
		return longestChain(p, completion, issue)
	}
	path, f, err := criticalPath(p, completion, issue)
	if err != nil {
		return longChain{}, err
	}
	chain := longChain{time: path.Length}
	for _, v := range path.Nodes {
		chain.issue += issue[f.Instr(v)]
	}
	return chain, nil
}

// sum adds up a cost of all executed instructions.
func (p *Program) sum(cost []int64) (int64, error) {
	var total int64
	var err error
	p.Stretches(func(first, end StaticID, times int64) {
		for s := first; s < end; s++ {
			c := cost[p.StaticInstr(s)]
			if c > (math.MaxInt64-total)/times {
				err = errTooLong
				return
			}
			total += c * times
		}
	})
	return total, err
}
