package idg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/internal/golden"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// writers are the forms of a graph, by their sections in golden files.
var writers = []struct {
	name  string
	write func(w io.Writer, g *Graph) error
}{
	{"json", Encode},
	{"folded", EncodeOptions{Fold: true}.Encode},
	{"text", WriteText},
	{"stats", WriteStats},
	{"dot", WriteDOT},
	{"graphml", WriteGraphML},
}

// Each golden file holds a document and what the writers make of it.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", *update, func(t *testing.T, a *txtar.Archive) []txtar.File {
		g, err := Decode(bytes.NewReader(a.Files[0].Data), a.Files[0].Name)
		if err != nil {
			t.Fatal(err)
		}
		files := []txtar.File{a.Files[0]}
		for _, w := range writers {
			got := written(t, w.write, g)
			if again := written(t, w.write, g); !bytes.Equal(got, again) {
				t.Errorf("%s: other bytes the second time", w.name)
			}
			files = append(files, txtar.File{Name: w.name, Data: got})
		}
		return files
	})
}

func written(t *testing.T, write func(io.Writer, *Graph) error, g *Graph) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// failAfter fails once n bytes have been written.
type failAfter struct{ n int }

var errFull = errors.New("disk full")

func (f *failAfter) Write(b []byte) (int, error) {
	if f.n -= len(b); f.n < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestWritersReportErrors(t *testing.T) {
	g := synthetic(t, 5000)
	for _, w := range writers {
		size := len(written(t, w.write, g))
		for _, n := range []int{0, size / 2, size - 1} {
			if err := w.write(&failAfter{n}, g); !errors.Is(err, errFull) {
				t.Errorf("%s: error %v after %d bytes of %d", w.name, err, n, size)
			}
		}
	}
}

// dotLine is a line of the DOT form: quoted strings hold no bare quotes and end
// with their line.
var dotLine = regexp.MustCompile(`^\t*(digraph "([^"\\\n]|\\.)*" \{|subgraph cluster_\d+ \{|node \[shape=box, fontname=monospace\];|label="([^"\\\n]|\\.)*";|` +
	`p\d+n\d+ \[label="([^"\\\n]|\\.)*"(, tooltip="([^"\\\n]|\\.)*")?\];|p\d+n\d+ -> p\d+n\d+ \[style=(solid|dashed|dotted)\];|\})$`)

// Whatever names a graph has, its DOT lines are well formed and its GraphML is
// XML with every node and edge.
func TestDOTAndGraphMLAreWellFormed(t *testing.T) {
	for seed := range uint64(100) {
		g := randomGraph(t, rand.New(rand.NewPCG(seed, 12)))
		var nodes, edges int
		for _, p := range g.Programs() {
			nodes, edges = nodes+int(p.Len()), edges+int(p.Edges())
		}
		arrows := 0
		for _, l := range strings.Split(strings.TrimSuffix(string(written(t, WriteDOT, g)), "\n"), "\n") {
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
		if err := xml.Unmarshal(written(t, WriteGraphML, g), &doc); err != nil {
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

func TestWarpList(t *testing.T) {
	for want, warps := range map[string][]uint32{
		"warp 0": {0}, "warps 0-1": {0, 1}, "warps 0,2": {0, 2}, "warps 0-2,5,7-9": {0, 1, 2, 5, 7, 8, 9},
	} {
		if got := warpList(&Program{Warps: warps}); got != want {
			t.Errorf("%v: %q, want %q", warps, got, want)
		}
	}
}
