package idg

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

func TestViewSorts(t *testing.T) {
	for seed := range uint64(50) {
		for _, p := range randomGraph(t, rand.New(rand.NewPCG(seed, 6))).Programs() {
			p := flat(t, p)
			nodes, err := topo.Sort(NewView(p))
			if err != nil {
				t.Fatal(err)
			}
			if len(nodes) != p.Len() {
				t.Fatalf("%d nodes sorted, want %d", len(nodes), p.Len())
			}
			place := make([]int, p.Len())
			for i, n := range nodes {
				place[n.ID()] = i
			}
			for v := range p.Len() {
				from, _ := p.Preds(NodeID(v))
				for _, u := range from {
					if place[u] >= place[v] {
						t.Fatalf("seed %d: %d is sorted behind %d, which waits for it", seed, u, v)
					}
				}
			}
		}
	}
}

// The view answers as gonum's own graph with the same edges.
func TestViewAgreesWithGonum(t *testing.T) {
	ids := func(it graph.Nodes) []int64 {
		var out []int64
		n := it.Len()
		for it.Next() {
			out = append(out, it.Node().ID())
		}
		if len(out) != n || it.Len() != 0 || it.Next() {
			t.Fatalf("an iterator of %d nodes gives %v", n, out)
		}
		it.Reset()
		if it.Len() != n {
			t.Fatalf("an iterator of %d nodes has %d after Reset", n, it.Len())
		}
		slices.Sort(out)
		return out
	}
	for seed := range uint64(30) {
		for _, p := range randomGraph(t, rand.New(rand.NewPCG(seed, 9))).Programs() {
			p := flat(t, p)
			v, want := NewView(p), simple.NewDirectedGraph()
			for n := range p.Len() {
				want.AddNode(simple.Node(n))
			}
			for n := range p.Len() {
				from, _ := p.Preds(NodeID(n))
				for _, u := range from {
					want.SetEdge(simple.Edge{F: simple.Node(u), T: simple.Node(n)})
				}
			}
			if got, want := ids(v.Nodes()), ids(want.Nodes()); !slices.Equal(got, want) {
				t.Fatalf("nodes %v, want %v", got, want)
			}
			for a := int64(-1); a <= int64(p.Len()); a++ {
				if (v.Node(a) == nil) != (want.Node(a) == nil) {
					t.Fatalf("node %d: %v, want %v", a, v.Node(a), want.Node(a))
				}
				if got, want := ids(v.From(a)), ids(want.From(a)); !slices.Equal(got, want) {
					t.Fatalf("from %d: %v, want %v", a, got, want)
				}
				if got, want := ids(v.To(a)), ids(want.To(a)); !slices.Equal(got, want) {
					t.Fatalf("to %d: %v, want %v", a, got, want)
				}
				for b := int64(-1); b <= int64(p.Len()); b++ {
					e, w := v.Edge(a, b), want.Edge(a, b)
					if (e == nil) != (w == nil) || v.HasEdgeFromTo(a, b) != want.HasEdgeFromTo(a, b) || v.HasEdgeBetween(a, b) != want.HasEdgeBetween(a, b) {
						t.Fatalf("edge %d to %d: %v, want %v", a, b, e, w)
					}
					if e != nil && (e.From().ID() != a || e.To().ID() != b || e.ReversedEdge() != e) {
						t.Fatalf("edge %d to %d is %v", a, b, e)
					}
				}
			}
		}
	}
}

func TestViewEdgesHaveKinds(t *testing.T) {
	b := NewBuilder()
	in := b.Instr(Instr{Op: "add.f32", Lanes: 32})
	b.Begin(0)
	b.Add(in)
	b.Add(in, Edge{0, Control})
	b.Add(in, Edge{0, Order}, Edge{1, Data})
	v := NewView(flat(t, build(t, b, header(1)).Programs()[0]))
	for _, want := range []ViewEdge{{0, 1, Control}, {0, 2, Order}, {1, 2, Data}} {
		if got := v.Edge(int64(want.Producer), int64(want.Consumer)); got != want {
			t.Errorf("edge %v, want %v", got, want)
		}
	}
	if d := path.DijkstraFrom(v.Node(0), v).WeightTo(2); d != 1 {
		t.Errorf("gonum's shortest path from 0 to 2 has %v edges, want 1", d)
	}
}
