package idg

import (
	"strconv"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/encoding"
	"gonum.org/v1/gonum/graph/iterator"
)

// View is the DAG of a warp as a graph of gonum, for any algorithm of gonum.org/v1/gonum/graph. Its nodes are executed
// instructions in program order, from 0; an edge leads from an instruction to one that waits for it. It shows a Flat
// and stores the successors only: 12 bytes an edge.
type View struct {
	*Flat
	graph *Graph
	off   []uint32 // successors of v: to[off[v]:off[v+1]]
	to    []NodeID
}

var (
	_ graph.Directed      = (*View)(nil)
	_ encoding.Attributer = ViewNode{}
	_ encoding.Attributer = ViewEdge{}
	_ graph.Node          = ViewNode{}
	_ graph.Edge          = ViewEdge{}
)

// NewView makes one of a program of a graph with repetitions expanded, to at most limit instructions.
func NewView(g *Graph, p *Program, limit int64) (*View, error) {
	f, err := p.Expanded(limit)
	if err != nil {
		return nil, err
	}
	v := &View{Flat: f, graph: g, off: make([]uint32, f.Len()+1), to: make([]NodeID, f.Edges())}
	for _, from := range f.from {
		v.off[from+1]++
	}
	for i := range f.Len() {
		v.off[i+1] += v.off[i]
	}
	next := make([]uint32, f.Len())
	copy(next, v.off)
	for n := range NodeID(f.Len()) {
		from, _ := f.Preds(n)
		for _, u := range from {
			v.to[next[u]] = n
			next[u]++
		}
	}
	return v, nil
}

// ViewNode is an executed instruction.
type ViewNode struct {
	view *View
	node NodeID
}

// ID is the instruction's place in program order.
func (n ViewNode) ID() int64 { return int64(n.node) }

// Instr is the instruction's class.
func (n ViewNode) Instr() *Instr { return n.view.graph.Instr(n.view.Flat.Instr(n.node)) }

// Attributes are op, type, line and active lanes.
func (n ViewNode) Attributes() []encoding.Attribute {
	in := n.Instr()
	return []encoding.Attribute{{Key: "op", Value: in.Op}, {Key: "type", Value: in.Type},
		{Key: "line", Value: strconv.Itoa(in.Pos.Line)}, {Key: "lanes", Value: strconv.Itoa(int(in.Lanes))}}
}

// ViewEdge is a dependence: To waits for From.
type ViewEdge struct {
	from, to ViewNode
	// Kind is what the dependence is.
	Kind EdgeKind
}

// From is the earlier instruction.
func (e ViewEdge) From() graph.Node { return e.from }

// To is the one that waits.
func (e ViewEdge) To() graph.Node { return e.to }

// ReversedEdge is the edge itself, as no other leads back.
func (e ViewEdge) ReversedEdge() graph.Edge { return e }

// Attributes has the kind.
func (e ViewEdge) Attributes() []encoding.Attribute {
	return []encoding.Attribute{{Key: "kind", Value: e.Kind.String()}}
}

func (v *View) has(id int64) bool { return id >= 0 && id < int64(v.Len()) }

// Node returns the instruction of a number, nil if there is none.
func (v *View) Node(id int64) graph.Node {
	if !v.has(id) {
		return nil
	}
	return ViewNode{v, NodeID(id)}
}

// Nodes returns all instructions in program order.
func (v *View) Nodes() graph.Nodes {
	return iterator.NewImplicitNodes(0, v.Len(), func(n int) graph.Node { return ViewNode{v, NodeID(n)} })
}

// From returns the instructions that wait for one.
func (v *View) From(id int64) graph.Nodes {
	if !v.has(id) {
		return graph.Empty
	}
	return v.list(v.to[v.off[id]:v.off[id+1]])
}

// To returns the instructions that one waits for.
func (v *View) To(id int64) graph.Nodes {
	if !v.has(id) {
		return graph.Empty
	}
	from, _ := v.Preds(NodeID(id))
	return v.list(from)
}

func (v *View) list(nodes []NodeID) graph.Nodes {
	if len(nodes) == 0 {
		return graph.Empty
	}
	return iterator.NewImplicitNodes(0, len(nodes), func(i int) graph.Node { return ViewNode{v, nodes[i]} })
}

// HasEdgeBetween reports whether one of two instructions waits for the other.
func (v *View) HasEdgeBetween(x, y int64) bool { return v.HasEdgeFromTo(x, y) || v.HasEdgeFromTo(y, x) }

// HasEdgeFromTo reports whether the second waits for the first.
func (v *View) HasEdgeFromTo(x, y int64) bool { return v.Edge(x, y) != nil }

// Edge returns the dependence of the second on the first, nil if there is none.
func (v *View) Edge(x, y int64) graph.Edge {
	if !v.has(x) || !v.has(y) {
		return nil
	}
	from, kinds := v.Preds(NodeID(y))
	for i, u := range from {
		if int64(u) == x {
			return ViewEdge{ViewNode{v, u}, ViewNode{v, NodeID(y)}, kinds[i]}
		}
	}
	return nil
}
