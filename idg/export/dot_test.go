package export

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/idgtest"
	"gpupipe/internal/test/tools"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/encoding"
	"gonum.org/v1/gonum/graph/encoding/dot"
	"gonum.org/v1/gonum/graph/simple"
)

// parsed is a drawing as gonum reads it.
type parsed struct{ *simple.DirectedGraph }

type parsedNode struct {
	graph.Node
	name string
	encoding.Attributes
}

func (n *parsedNode) SetDOTID(id string) { n.name = id }

func (p parsed) NewNode() graph.Node { return &parsedNode{Node: p.DirectedGraph.NewNode()} }

type parsedEdge struct {
	graph.Edge
	encoding.Attributes
}

func (p parsed) NewEdge(from, to graph.Node) graph.Edge {
	return &parsedEdge{Edge: p.DirectedGraph.NewEdge(from, to)}
}

// parse reads a drawing and adds up what its nodes hold.
func parse(t *testing.T, text string) (nodes int, instructions, critical int64) {
	t.Helper()
	p := parsed{simple.NewDirectedGraph()}
	text = strings.ReplaceAll(text, "\uFFFD", "?") // which gonum takes for an error of the encoding
	if err := dot.Unmarshal([]byte(text), p); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	for _, n := range graph.NodesOf(p.Nodes()) {
		held := map[string]int64{}
		for _, a := range n.(*parsedNode).Attributes {
			held[a.Key], _ = strconv.ParseInt(a.Value, 10, 64)
		}
		instructions, critical = instructions+held["count"], critical+held["critical"]
	}
	return p.Nodes().Len(), instructions, critical
}

// TestDOT: whatever names a graph has and however few nodes are asked for, gonum reads the drawing, it
// has no more nodes than that, they hold every instruction, and those of the critical path are marked.
func TestDOT(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 12))
		graphs := []*idg.Graph{named(t, r), loops(seed).Graph(t)}
		for _, g := range graphs {
			kinds, err := kindsOf(g)
			if err != nil {
				t.Fatal(err)
			}
			var all, chain int64
			for _, k := range kinds {
				path, err := idg.CriticalPath(k.program, idg.UnitCosts())
				if err != nil {
					t.Fatal(err)
				}
				all, chain = all+k.program.Len(), chain+int64(len(path.Nodes))
			}
			for _, most := range []int{len(kinds), len(kinds) + 3, 0, 1000} {
				draw := func(w io.Writer, g *idg.Graph) error { return DOT(w, g, DOTOptions{Nodes: most}) }
				nodes, instructions, critical := parse(t, text(t, draw, g))
				if most == 0 {
					most = defaultNodes
				}
				if nodes > most || instructions != all || critical != chain {
					t.Fatalf("seed %d, at most %d nodes: %d nodes of %d instructions, %d critical; want %d and %d",
						seed, most, nodes, instructions, critical, all, chain)
				}
			}
		}
	}
}

// loops is a graph of nested loops.
func loops(seed uint64) idgtest.Random {
	r := rand.New(rand.NewPCG(seed, 3))
	trips := func() int { return 2 + r.IntN(6) }
	return idgtest.Random{Seed: seed, Lines: 12, Depth: 2, Trips: trips, Ops: idgtest.Everything, AnyEdges: true}
}

// TestDOTOfPasses: the passes of a loop are drawn apart as far as they fit, the others as one.
func TestDOTOfPasses(t *testing.T) {
	b := idg.NewBuilder()
	b.Begin(0)
	at := func(line int) idg.Pos { return idg.Pos{File: "k.cl", Line: line} }
	for range 40 {
		load := b.Add(b.Instr(idg.Instr{Op: "ld.global", Type: "f32", Lanes: 32, Pos: at(2)}))
		b.Add(b.Instr(idg.Instr{Op: "add.f32", Lanes: 32, Pos: at(2)}), idg.Edge{From: load, Kind: idg.Data})
		b.Add(b.Instr(idg.Instr{Op: "loop", Lanes: 32, Pos: at(1)}))
	}
	b.Add(b.Instr(idg.Instr{Op: "st.global", Type: "f32", Lanes: 32, Pos: at(3)}))
	source := idg.Source{File: "k.cl", Text: "for (...)\n  s += x[i];\ny[i] = s;\n"}
	g := build(t, b, idg.Header{Kernel: "k", Launch: launch(1), Source: source})
	out := text(t, func(w io.Writer, g *idg.Graph) error { return DOT(w, g, DOTOptions{Nodes: 10}) }, g)
	for _, want := range []string{
		"warp 0: 121 instructions in 10 nodes; critical path (thick): 2 instructions",
		`"loop of line 1, pass 2"`, `"the 38 passes between"`, `"after the loops"`,
		`"global memory, line 2\ns += x[i];\n38 ld.global.f32"`, `"fp32, line 2\ns += x[i];\nadd.f32"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if nodes, instructions, _ := parse(t, out); nodes != 10 || instructions != 121 {
		t.Errorf("%d nodes of %d instructions", nodes, instructions)
	}
	out = text(t, func(w io.Writer, g *idg.Graph) error {
		return DOT(w, g, DOTOptions{
			Pipeline: func(idg.InstrID) string { return "pipe" }, Costs: idg.UnitCosts(),
			Length: func(n int64) string { return fmt.Sprint(n, " ticks") },
		})
	}, g)
	if !strings.Contains(out, `"pipe, line 2`) || !strings.Contains(out, "(thick): 2 ticks") {
		t.Error(out)
	}
}

// TestGraphviz: Graphviz takes drawings without a word.
func TestGraphviz(t *testing.T) {
	program := tools.Path(t, "dot", "graphviz")
	for seed := range uint64(10) {
		cmd := exec.Command(program, "-Tcanon")
		cmd.Stdin = strings.NewReader(text(t, drawDOT, named(t, rand.New(rand.NewPCG(seed, 12)))))
		var told bytes.Buffer
		cmd.Stderr = &told
		if err := cmd.Run(); err != nil || told.Len() > 0 {
			t.Fatalf("seed %d: %v: %s", seed, err, &told)
		}
	}
}
