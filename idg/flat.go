package idg

import (
	"math"

	"gpupipe/internal/diag"
)

// NodeID names an executed instruction of a Flat, in program order from 0.
type NodeID uint32

// Flat is the DAG of one warp's executed instructions with repetitions expanded,
// in compressed sparse rows and program order: every edge points to an earlier
// node. It takes eight bytes a node and five an edge.
type Flat struct {
	instr []InstrID  // by node
	off   []uint32   // preds of v: from[off[v]:off[v+1]]
	from  []NodeID   // by edge, ascending within a node
	kind  []EdgeKind // by edge
}

// Len is the number of instructions.
func (f *Flat) Len() int { return len(f.instr) }

// Edges is the number of dependences.
func (f *Flat) Edges() int { return len(f.from) }

// Instr returns the class of node v.
func (f *Flat) Instr(v NodeID) InstrID { return f.instr[v] }

// Preds returns the nodes that v depends on, ascending, and the kind of each
// dependence. A pair of nodes has at most one edge. The slices must not be
// modified.
func (f *Flat) Preds(v NodeID) ([]NodeID, []EdgeKind) {
	a, b := f.off[v], f.off[v+1]
	return f.from[a:b], f.kind[a:b]
}

// CodeTooLarge is the code of errors that refuse to expand a program.
const CodeTooLarge = "TOO-LARGE"

// MaxExpanded is how many instructions are expanded where the caller has no
// limit of its own: 400 MB of nodes.
const MaxExpanded = 50_000_000

// Expanded returns the program with repetitions expanded; it is made once. More
// instructions than limit, or so many dependences that they would take more
// memory than any graph of MaxExpanded instructions should, are an error of code
// TOO-LARGE.
func (p *Program) Expanded(limit int64) (*Flat, error) {
	if p.length > min(limit, math.MaxUint32) {
		return nil, tooLarge(p.length, "instructions", min(limit, math.MaxUint32))
	}
	if most := min(DefaultEdgesPerNode*max(limit, MaxExpanded), math.MaxUint32); p.edges > most {
		return nil, tooLarge(p.edges, "dependences", most)
	}
	p.flat.Lock()
	defer p.flat.Unlock()
	if p.flat.rows == nil {
		p.flat.rows = p.expand()
	}
	return p.flat.rows, nil
}

func tooLarge(n int64, what string, limit int64) error {
	return diag.Errorf(Pos{}, CodeTooLarge,
		"a warp executes %d %s with repetitions expanded; at most %d can be listed one by one", n, what, limit).
		WithNote("smaller trip counts (idgen --trip LINE=N, --arg NAME=VALUE) make a smaller graph; --format stats " +
			"and json do not expand it")
}

func (p *Program) expand() *Flat {
	f := &Flat{
		instr: make([]InstrID, 0, p.length), off: make([]uint32, 1, p.length+1),
		from: make([]NodeID, 0, p.edges), kind: make([]EdgeKind, 0, p.edges),
	}
	for w := p.walk(); w.more(); w.next() {
		first := len(f.from)
		l := &p.patterns.all[p.code[w.static]]
		for i := range l.n {
			d := &p.patterns.producers[l.first+i]
			f.from = append(f.from, NodeID(w.producer(d)))
			f.kind = append(f.kind, d.Kind)
		}
		if l.based {
			sortRow(f.from[first:], f.kind[first:])
		}
		f.instr = append(f.instr, l.class)
		f.off = append(f.off, uint32(len(f.from)))
	}
	return f
}
