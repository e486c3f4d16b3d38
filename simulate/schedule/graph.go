package schedule

import (
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/latencies"
)

// maxInstructions bounds the programs that are scheduled, in executed
// instructions: longer ones are loops that stay rolled, of which the order is
// that of their body.
const maxInstructions = 1 << 18

// Graph returns g with the instructions of each program scheduled for the
// latencies of m and the given number of registers per work item. Programs of more
// than maxInstructions instructions are left as they are. Other kinds of groups
// are not carried over.
func Graph(g *idg.Graph, m *latencies.Mapping, registers int64) (*idg.Graph, error) {
	if err := m.Verify(g); err != nil {
		return nil, fmt.Errorf("schedule: %w", err)
	}
	for _, p := range g.Programs() {
		if p.Len() > maxInstructions {
			return g, nil
		}
	}
	c := newClasses(g, m)
	b := idg.NewBuilder()
	for _, a := range g.Accesses() {
		a.Offsets = slices.Clone(a.Offsets) // the builder takes them over
		b.Access(a)
	}
	for _, in := range g.Instrs() {
		b.Instr(in)
	}
	for _, p := range g.Programs() {
		f, err := p.Expanded(maxInstructions)
		if err != nil {
			return nil, err
		}
		b.Begin(p.Warps...)
		emit(b, f, newScheduler(f, c, registers).run())
	}
	return b.Build(g.Header)
}

// emit adds a program in its new order to a builder whose classes are those of
// the graph.
func emit(b *idg.Builder, f *idg.Flat, order []idg.NodeID) {
	place := make([]idg.Executed, len(order))
	var preds []idg.Edge
	for _, v := range order {
		from, kind := f.Preds(v)
		preds = preds[:0]
		for i, u := range from {
			preds = append(preds, idg.Edge{From: place[u], Kind: kind[i]})
		}
		place[v] = b.Add(f.Instr(v), preds...)
	}
}

// classes is what scheduling needs to know about instruction classes, by
// InstrID - 1.
type classes struct {
	latency []int64 // whole cycles
	words   []int64 // registers of the result
	barrier []bool
	write   []bool // stores and atomics
}

func newClasses(g *idg.Graph, m *latencies.Mapping) *classes {
	n := len(g.Instrs())
	c := &classes{make([]int64, n), g.ResultWords(), make([]bool, n), make([]bool, n)}
	for i := range g.Instrs() {
		c.latency[i] = max(1, int64(m.Entries[i].Timing.Latency.Float()+0.5))
		switch g.Instrs()[i].Operation().Verb {
		case isa.Barrier, isa.Fence:
			c.barrier[i] = true
		case isa.Store, isa.Atomic:
			c.write[i] = true
		}
	}
	return c
}
