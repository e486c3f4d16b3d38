package idg

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

// sized runs a benchmark on programs of some sizes and reports nodes per second.
func sized(b *testing.B, sizes []int, run func(b *testing.B, g *Graph)) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("nodes=%dk", n/1000), func(b *testing.B) {
			g := synthetic(b, n)
			b.ReportAllocs()
			b.ResetTimer()
			run(b, g)
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}

// rowBytes is what a program's rows take, per node.
func rowBytes(p *Program) float64 {
	return float64(4*cap(p.instr)+4*cap(p.off)+4*cap(p.from)+cap(p.kind)) / float64(p.Len())
}

var benchSizes = []int{10_000, 1_000_000}

func BenchmarkBuild(b *testing.B) {
	sized(b, benchSizes, func(b *testing.B, g *Graph) {
		p := g.programs[0]
		var built *Graph
		for range b.N {
			nb := NewBuilder()
			for _, in := range g.instrs {
				nb.Instr(in)
			}
			nb.Begin(0)
			var edges []Edge
			for v := range p.Len() {
				from, kind := p.Preds(NodeID(v))
				edges = edges[:0]
				for i := range from {
					edges = append(edges, Edge{from[i], kind[i]})
				}
				nb.Add(p.instr[v], edges...)
			}
			built = build(b, nb, header(1))
		}
		b.ReportMetric(rowBytes(built.programs[0]), "B/node")
	})
}

func BenchmarkEncode(b *testing.B) {
	for _, o := range []EncodeOptions{{}, {Fold: true}} {
		b.Run(fmt.Sprintf("fold=%v", o.Fold), func(b *testing.B) {
			sized(b, benchSizes, func(b *testing.B, g *Graph) {
				for range b.N {
					if err := o.Encode(io.Discard, g); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

// invariant is a loop of 50 instructions and about n nodes of which each uses
// a value from before the loop and one of this or the last iteration.
func invariant(t testing.TB, n int) *Graph {
	b := NewBuilder()
	b.Begin(0)
	l := &loops{b, map[string]NodeID{}}
	for i := range 4 {
		l.add(fmt.Sprint("x", i), "ld", "")
	}
	for range n / 50 {
		for i := range 49 {
			l.add(fmt.Sprint(i), fmt.Sprint("op", i), fmt.Sprintf("d:x%d d:%d c:loop", i%4, i*7%49))
		}
		l.add("loop", "loop", "c:loop")
	}
	return build(t, b, header(1))
}

// irregular is a program of n nodes in which hardly anything repeats.
func irregular(t testing.TB, n int) *Graph {
	r := rand.New(rand.NewPCG(1, 31))
	b := NewBuilder()
	b.Begin(0)
	for v := range n {
		in := b.Instr(Instr{Op: fmt.Sprint("op", r.IntN(20)), Lanes: 32})
		if v == 0 {
			b.Add(in)
			continue
		}
		b.Add(in, Edge{NodeID(r.IntN(v)), Data})
	}
	return build(t, b, header(1))
}

// BenchmarkFold is the cost of finding repetitions.
func BenchmarkFold(b *testing.B) {
	for _, graph := range []struct {
		name string
		make func(testing.TB, int) *Graph
	}{{"distances", synthetic}, {"invariant", invariant}, {"irregular", irregular}} {
		for _, n := range benchSizes {
			b.Run(fmt.Sprintf("loop=%s/nodes=%dk", graph.name, n/1000), func(b *testing.B) {
				p := graph.make(b, n).programs[0]
				b.ReportAllocs()
				b.ResetTimer()
				lines := 0
				for range b.N {
					f := foldProgram(p)
					lines, _ = f.cost(f.root)
				}
				b.ReportMetric(float64(lines), "lines")
				b.ReportMetric(float64(p.Len())*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
			})
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, form := range []string{"lines", "indented", "folded"} {
		b.Run("form="+form, func(b *testing.B) {
			sized(b, benchSizes, func(b *testing.B, g *Graph) {
				doc := encode(b, g, EncodeOptions{Fold: form == "folded"})
				if form == "indented" {
					var out bytes.Buffer
					if err := json.Indent(&out, doc, "", " "); err != nil {
						b.Fatal(err)
					}
					doc = out.Bytes()
				}
				var got *Graph
				b.ResetTimer()
				for range b.N {
					var err error
					if got, err = Decode(bytes.NewReader(doc), ""); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(doc))/float64(g.programs[0].Len()), "docB/node")
				b.ReportMetric(rowBytes(got.programs[0]), "B/node")
			})
		})
	}
}

// BenchmarkDecodeEncodingJSON is what Decode is compared with: the same document
// into structs, without any of the checks.
func BenchmarkDecodeEncodingJSON(b *testing.B) {
	type file struct {
		Warps []struct {
			Code []struct {
				I       uint32
				D, C, O []uint32
			}
		}
	}
	sized(b, benchSizes, func(b *testing.B, g *Graph) {
		doc := encode(b, g, EncodeOptions{})
		b.ResetTimer()
		for range b.N {
			var f file
			if err := json.Unmarshal(doc, &f); err != nil || len(f.Warps[0].Code) != g.programs[0].Len() {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	sized(b, benchSizes, func(b *testing.B, g *Graph) {
		for range b.N {
			if err := g.Verify(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCriticalPath(b *testing.B) {
	sized(b, benchSizes, func(b *testing.B, g *Graph) {
		for range b.N {
			if _, err := CriticalPath(g.programs[0], UnitCosts()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkILPProfile(b *testing.B) {
	sized(b, benchSizes, func(b *testing.B, g *Graph) {
		for range b.N {
			ILPProfile(g.programs[0])
		}
	})
}

func BenchmarkSuccessors(b *testing.B) {
	sized(b, benchSizes, func(b *testing.B, g *Graph) {
		for range b.N {
			g.programs[0].Successors()
		}
	})
}

// BenchmarkTopoSort sorts through gonum, with our rows and with gonum's own
// storage, which is built anew as a view is.
func BenchmarkTopoSort(b *testing.B) {
	sizes := []int{10_000, 100_000}
	b.Run("storage=view", func(b *testing.B) {
		sized(b, sizes, func(b *testing.B, g *Graph) {
			for range b.N {
				if _, err := topo.Sort(NewView(g.programs[0])); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
	b.Run("storage=gonum", func(b *testing.B) {
		sized(b, sizes, func(b *testing.B, g *Graph) {
			p := g.programs[0]
			for range b.N {
				d := simple.NewDirectedGraph()
				for v := range p.Len() {
					d.AddNode(simple.Node(v))
				}
				for v := range p.Len() {
					from, _ := p.Preds(NodeID(v))
					for _, u := range from {
						d.SetEdge(simple.Edge{F: simple.Node(u), T: simple.Node(v)})
					}
				}
				if _, err := topo.Sort(d); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}
