package idg

import (
	"testing"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/topo"
)

// TestView: the view has the nodes and edges of the DAG, from both ends, and gonum finds program order acyclic.
func TestView(t *testing.T) {
	g := irregular(t, 3000)
	f := flat(t, g.Programs()[0])
	v, err := NewView(g, g.Programs()[0], MaxExpanded)
	if err != nil {
		t.Fatal(err)
	}
	edges := 0
	for nodes := v.Nodes(); nodes.Next(); {
		id := nodes.Node().ID()
		from, kinds := f.Preds(NodeID(id))
		to := v.To(id)
		if to.Len() != len(from) {
			t.Fatalf("%d waits for %d, want %d", id, to.Len(), len(from))
		}
		for i := 0; to.Next(); i++ {
			u := to.Node().ID()
			e, ok := v.Edge(u, id).(ViewEdge)
			if u != int64(from[i]) || !ok || e.Kind != kinds[i] || !contains(v.From(u), id) ||
				!v.HasEdgeBetween(id, u) || v.HasEdgeFromTo(id, u) {
				t.Fatalf("edge from %d to %d", u, id)
			}
			edges++
		}
	}
	if edges != f.Edges() || v.Node(-1) != nil || v.Node(int64(f.Len())) != nil || v.From(-1).Len() != 0 ||
		v.Edge(-1, 0) != nil {
		t.Errorf("%d edges, want %d", edges, f.Edges())
	}
	if _, err := topo.Sort(v); err != nil {
		t.Error(err)
	}
	if n := len(topo.TarjanSCC(v)); n != f.Len() {
		t.Errorf("%d components, want %d", n, f.Len())
	}
}

func contains(nodes graph.Nodes, id int64) bool {
	for nodes.Next() {
		if nodes.Node().ID() == id {
			return true
		}
	}
	return false
}
