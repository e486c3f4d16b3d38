package export

import (
	"encoding/xml"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"gpupipe/idg"
)

// chars are what random texts are made of: what DOT and XML must escape, and more.
var chars = []string{"a", "B", "7", " ", "\n", "\t", "\r", "\"", "\\", "/", "<", "&", "'", "]]>", "\x01", "\x7f", "é", "λ", "\u2028", "𝛬", "\uFFFD"}

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
				in.Access = b.Access(idg.Access{Space: idg.SpaceGlobal, Width: 4, Buffer: name(), Assumed: "value loaded from memory"})
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

// dotLine is a line of the DOT form: quoted strings hold no bare quotes and end
// with their line.
var dotLine = regexp.MustCompile(`^\t*(digraph "([^"\\\n]|\\.)*" \{|subgraph cluster_\d+ \{|node \[shape=box, fontname=monospace\];|label="([^"\\\n]|\\.)*";|` +
	`p\d+n\d+ \[label="([^"\\\n]|\\.)*"(, tooltip="([^"\\\n]|\\.)*")?\];|p\d+n\d+ -> p\d+n\d+ \[style=(solid|dashed|dotted)\];|\})$`)

// TestDOTAndGraphMLAreWellFormed: whatever names a graph has, its DOT lines are well formed and its GraphML is
// XML with every node and edge.
func TestDOTAndGraphMLAreWellFormed(t *testing.T) {
	for seed := range uint64(100) {
		g := named(t, rand.New(rand.NewPCG(seed, 12)))
		var nodes, edges int
		for _, p := range g.Programs() {
			nodes, edges = nodes+int(p.Len()), edges+int(p.Edges())
		}
		arrows := 0
		for _, l := range strings.Split(strings.TrimSuffix(text(t, DOT, g), "\n"), "\n") {
			if !dotLine.MatchString(l) {
				t.Fatalf("seed %d: %q", seed, l)
			}
			if strings.Contains(l, "-> p") {
				arrows++
			}
		}
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
		n, e := 0, 0
		for _, x := range doc.Graphs {
			known := map[string]bool{}
			for _, node := range x.Nodes {
				known[node.ID] = true
				n++
			}
			for _, edge := range x.Edges {
				if !known[edge.Source] || !known[edge.Target] || edge.Kind == "" {
					t.Fatalf("seed %d: edge %+v", seed, edge)
				}
				e++
			}
		}
		if n != nodes || e != edges || arrows != edges {
			t.Fatalf("seed %d: %d nodes and %d edges in GraphML, %d arrows in DOT, want %d and %d", seed, n, e, arrows, nodes, edges)
		}
	}
}
