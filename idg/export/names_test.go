package export

import (
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
)

// chars are what random texts are made of: what DOT and XML must escape, and more.
var chars = []string{"a", "B", "7", " ", "\n", "\t", "\r", "\"", "\\", "/", "<", "&", "'", "]]>", "\x01", "\x7f", "é",
	"λ", "\u2028", "𝛬", "\uFFFD"}

// named is a graph of random names, with programs of several warps.
func named(t *testing.T, r *rand.Rand) *idg.Graph {
	t.Helper()
	name := func() string {
		s := ""
		for range r.IntN(6) {
			s += chars[r.IntN(len(chars))]
		}
		return s
	}
	b := idg.NewBuilder()
	for warp := range uint32(2) {
		b.Begin(warp)
		for v := range idg.Executed(1 + r.IntN(20)) {
			in := idg.Instr{Op: "add.f32", Lanes: uint8(1 + r.IntN(32))}
			if r.IntN(3) > 0 {
				in.Pos = idg.Pos{File: "k.cl" + name(), Line: 1 + r.IntN(9), Column: r.IntN(3)}
			}
			if r.IntN(2) == 0 {
				in.Op, in.Type = "ld.global", "f32"
				in.Access = b.Access(idg.Access{Space: idg.SpaceGlobal, Width: 4, Buffer: name(),
					Assumed: "value loaded from memory"})
			}
			var edges []idg.Edge
			for range r.IntN(4) {
				if back := 1 + r.Int64N(8); back <= int64(v) {
					edges = append(edges, idg.Edge{From: v - idg.Executed(back), Kind: idg.EdgeKind(1 + r.IntN(3))})
				}
			}
			b.Add(b.Instr(in), edges...)
		}
	}
	return build(t, b, idg.Header{Kernel: name(), Launch: launch(2)})
}

// TestGraphMLIsWellFormed: whatever names a graph has, its GraphML is XML of one graph with every node and edge.
func TestGraphMLIsWellFormed(t *testing.T) {
	for seed := range uint64(100) {
		g := named(t, rand.New(rand.NewPCG(seed, 12)))
		nodes, edges := sizes(g)
		var doc struct {
			Graphs []struct {
				Nodes []struct {
					ID   string `xml:"id,attr"`
					Data []struct {
						Key  string `xml:"key,attr"`
						Text string `xml:",chardata"`
					} `xml:"data"`
				} `xml:"node"`
				Edges []struct {
					Source string `xml:"source,attr"`
					Target string `xml:"target,attr"`
					Kind   string `xml:"data"`
				} `xml:"edge"`
			} `xml:"graph"`
		}
		if err := xml.Unmarshal([]byte(text(t, GraphML, g)), &doc); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(doc.Graphs) != 1 {
			t.Fatalf("%d graphs", len(doc.Graphs))
		}
		known := map[string]bool{}
		for _, node := range doc.Graphs[0].Nodes {
			known[node.ID] = true
		}
		for _, edge := range doc.Graphs[0].Edges {
			if !known[edge.Source] || !known[edge.Target] || edge.Kind == "" {
				t.Fatalf("seed %d: edge %+v", seed, edge)
			}
		}
		if len(known) != nodes || len(doc.Graphs[0].Edges) != edges {
			t.Fatalf("seed %d: %d nodes and %d edges, want %d and %d",
				seed, len(known), len(doc.Graphs[0].Edges), nodes, edges)
		}
	}
}

// sizes are the nodes and edges of all programs.
func sizes(g *idg.Graph) (nodes, edges int) {
	for _, p := range g.Programs() {
		nodes, edges = nodes+int(p.Len()), edges+int(p.Edges())
	}
	return nodes, edges
}

// TestNetworkX: the reader that most people have finds every node and edge, in the one graph that it takes.
func TestNetworkX(t *testing.T) {
	python := tools.Path(t, "python3", "python3")
	const script = `import sys, networkx
g = networkx.read_graphml(sys.argv[1])
first = g.nodes["p0n0"]
print(g.is_directed(), g.number_of_nodes(), g.number_of_edges(), first["lanes"] + 0, first["warps"])`
	if err := exec.Command(python, "-c", "import networkx").Run(); err != nil {
		tools.Missing(t, "networkx is not installed (Debian: python3-networkx)")
	}
	g := named(t, rand.New(rand.NewPCG(3, 12)))
	file := filepath.Join(t.TempDir(), "g.graphml")
	if err := os.WriteFile(file, []byte(text(t, GraphML, g)), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", script, file).CombinedOutput()
	nodes, edges := sizes(g)
	want := fmt.Sprintf("True %d %d %d 0\n", nodes, edges, g.Instr(g.Programs()[0].StaticInstr(0)).Lanes)
	if err != nil || string(out) != want {
		t.Errorf("%s%v, want %s", out, err, want)
	}
}
