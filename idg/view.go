package idg

import (
	"slices"

	"gonum.org/v1/gonum/graph"
)

var (
	_ graph.Directed = (*View)(nil)
	_ graph.Edge     = ViewEdge{}
)

// View shows a flat program to gonum's graph algorithms. Node ids are program order;
// an edge runs from the producer to what waits for it. Besides the program it
// holds the successor rows: five bytes an edge and four a node.
type View struct {
	p    *Flat
	succ *Successors
}

// NewView returns a view of p.
func NewView(p *Flat) *View { return &View{p, p.Successors()} }

// ViewNode is a node of a View.
type ViewNode NodeID

// ID returns the node's place in program order.
func (n ViewNode) ID() int64 { return int64(n) }

// ViewEdge is an edge of a View.
type ViewEdge struct {
	Producer, Consumer NodeID
	Kind               EdgeKind
}

// From returns the producer.
func (e ViewEdge) From() graph.Node { return ViewNode(e.Producer) }

// To returns the node that waits for it.
func (e ViewEdge) To() graph.Node { return ViewNode(e.Consumer) }

// ReversedEdge returns the edge itself: a dependence has one direction.
func (e ViewEdge) ReversedEdge() graph.Edge { return e }

func (v *View) has(id int64) bool { return id >= 0 && id < int64(v.p.Len()) }

// Node returns the node with the given id, nil if there is none.
func (v *View) Node(id int64) graph.Node {
	if !v.has(id) {
		return nil
	}
	return ViewNode(id)
}

// Nodes returns all nodes in program order.
func (v *View) Nodes() graph.Nodes { return &viewRange{n: v.p.Len(), i: -1} }

// From returns the nodes that wait for the node with the given id.
func (v *View) From(id int64) graph.Nodes {
	if !v.has(id) {
		return graph.Empty
	}
	to, _ := v.succ.Of(NodeID(id))
	return &viewNodes{nodes: to, i: -1}
}

// To returns the nodes for which the node with the given id waits.
func (v *View) To(id int64) graph.Nodes {
	if !v.has(id) {
		return graph.Empty
	}
	from, _ := v.p.Preds(NodeID(id))
	return &viewNodes{nodes: from, i: -1}
}

// kind returns the kind of the edge from producer to consumer, 0 if there is
// none.
func (v *View) kind(producer, consumer int64) EdgeKind {
	if !v.has(producer) || !v.has(consumer) {
		return 0
	}
	from, kind := v.p.Preds(NodeID(consumer))
	i, ok := slices.BinarySearch(from, NodeID(producer))
	if !ok {
		return 0
	}
	return kind[i]
}

// HasEdgeFromTo reports whether the second node waits for the first.
func (v *View) HasEdgeFromTo(producer, consumer int64) bool {
	return v.kind(producer, consumer) != 0
}

// HasEdgeBetween reports whether one of the nodes waits for the other.
func (v *View) HasEdgeBetween(a, b int64) bool {
	return v.HasEdgeFromTo(a, b) || v.HasEdgeFromTo(b, a)
}

// Edge returns the ViewEdge by which the second node waits for the first, nil if
// there is none.
func (v *View) Edge(producer, consumer int64) graph.Edge {
	k := v.kind(producer, consumer)
	if k == 0 {
		return nil
	}
	return ViewEdge{NodeID(producer), NodeID(consumer), k}
}

// viewRange iterates over the nodes 0 to n-1.
type viewRange struct{ i, n int }

func (r *viewRange) Next() bool {
	r.i = min(r.i+1, r.n)
	return r.i < r.n
}
func (r *viewRange) Len() int         { return max(0, r.n-r.i-1) }
func (r *viewRange) Reset()           { r.i = -1 }
func (r *viewRange) Node() graph.Node { return ViewNode(r.i) }

// viewNodes iterates over a row.
type viewNodes struct {
	nodes []NodeID
	i     int
}

func (r *viewNodes) Next() bool {
	r.i = min(r.i+1, len(r.nodes))
	return r.i < len(r.nodes)
}
func (r *viewNodes) Len() int         { return max(0, len(r.nodes)-r.i-1) }
func (r *viewNodes) Reset()           { r.i = -1 }
func (r *viewNodes) Node() graph.Node { return ViewNode(r.nodes[r.i]) }
