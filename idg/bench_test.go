package idg

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"gpupipe/internal/test/cputime"
)

// sized measures what prepare returns on programs of some sizes, in nodes per second
// of processor time.
func sized(b *testing.B, sizes []int, prepare func(b *testing.B, g *Graph) (run, report func())) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("nodes=%dk", n/1000), func(b *testing.B) {
			run, report := prepare(b, synthetic(b, n))
			b.ReportAllocs()
			b.ResetTimer()
			start := cputime.Used()
			for range b.N {
				run()
			}
			b.ReportMetric(float64(n)*float64(b.N)/(cputime.Used()-start).Seconds(), "nodes/cpu-s")
			if report != nil {
				report()
			}
		})
	}
}

// rowBytes is what a program's rows take, per node.
func rowBytes(p *Program) float64 {
	return float64(4*cap(p.code)+16*cap(p.patterns.all)+16*cap(p.patterns.producers)) /
		float64(p.Len())
}

var benchSizes = []int{10_000, 1_000_000}

func BenchmarkBuild(b *testing.B) {
	sized(b, benchSizes, func(b *testing.B, g *Graph) (run, report func()) {
		f := flat(b, g.programs[0])
		var built *Graph
		return func() { built = rebuilt(b, g, f) },
			func() { b.ReportMetric(rowBytes(built.programs[0]), "B/node") }
	})
}

// rebuilt adds the instructions of a graph of one program, f, to a new builder.
func rebuilt(b *testing.B, g *Graph, f *Flat) *Graph {
	nb := NewBuilder()
	for _, in := range g.instrs {
		nb.Instr(in)
	}
	nb.Begin(0)
	var edges []Edge
	for v := range NodeID(f.Len()) {
		from, kind := f.Preds(v)
		edges = edges[:0]
		for i, u := range from {
			edges = append(edges, Edge{Executed(u), kind[i]})
		}
		nb.Add(f.Instr(v), edges...)
	}
	return build(b, nb, header(1))
}

func BenchmarkEncode(b *testing.B) {
	for _, o := range []EncodeOptions{{}, {Fold: true}} {
		b.Run(fmt.Sprintf("fold=%v", o.Fold), func(b *testing.B) {
			sized(b, benchSizes, func(b *testing.B, g *Graph) (run, report func()) {
				return func() {
					if err := o.Encode(io.Discard, g); err != nil {
						b.Fatal(err)
					}
				}, nil
			})
		})
	}
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
		b.Add(in, Edge{Executed(r.IntN(v)), Data})
	}
	return build(t, b, header(1))
}

// branching is a program of n nodes in which hardly anything repeats, with one to four
// dependences each, most of them on what was executed of late: three of four are data, one
// of eight control and order each.
func branching(t testing.TB, n int) *Graph {
	r := rand.New(rand.NewPCG(1, 32))
	b := NewBuilder()
	for i := range 200 {
		b.Instr(Instr{Op: fmt.Sprint("op", i), Lanes: 32})
	}
	b.Begin(0)
	var edges []Edge
	for v := range n {
		edges = edges[:0]
		for range 1 + r.IntN(4) {
			if back := 1 + r.IntN(1<<(1+r.IntN(16))); back <= v {
				edges = append(edges, Edge{Executed(v - back), []EdgeKind{Data, Data, Data, Data, Data, Data, Control,
					Order}[r.IntN(8)]})
			}
		}
		b.Add(InstrID(1+r.IntN(200)), edges...)
	}
	return build(t, b, header(1))
}

func BenchmarkDecode(b *testing.B) {
	for _, form := range []string{"lines", "indented", "folded"} {
		b.Run("form="+form, func(b *testing.B) {
			sized(b, benchSizes, func(b *testing.B, g *Graph) (run, report func()) {
				doc := encode(b, g, EncodeOptions{Fold: form == "folded"})
				if form == "indented" {
					var out bytes.Buffer
					if err := json.Indent(&out, doc, "", " "); err != nil {
						b.Fatal(err)
					}
					doc = out.Bytes()
				}
				var got *Graph
				return func() {
						var err error
						if got, err = Decode(bytes.NewReader(doc), ""); err != nil {
							b.Fatal(err)
						}
					}, func() {
						b.ReportMetric(float64(len(doc))/float64(g.programs[0].Len()), "docB/node")
						b.ReportMetric(rowBytes(got.programs[0]), "B/node")
					}
			})
		})
	}
}

func BenchmarkVerify(b *testing.B) {
	sized(b, benchSizes, func(b *testing.B, g *Graph) (run, report func()) {
		return func() {
			if err := g.Verify(); err != nil {
				b.Fatal(err)
			}
		}, nil
	})
}

func BenchmarkCriticalPath(b *testing.B) {
	sized(b, benchSizes, func(b *testing.B, g *Graph) (run, report func()) {
		return func() {
			if _, err := CriticalPath(g.programs[0], UnitCosts()); err != nil {
				b.Fatal(err)
			}
		}, nil
	})
}

func BenchmarkILPProfile(b *testing.B) {
	sized(b, benchSizes, func(b *testing.B, g *Graph) (run, report func()) {
		return func() {
			if _, err := ILPProfile(g.programs[0]); err != nil {
				b.Fatal(err)
			}
		}, nil
	})
}

// BenchmarkExpand is the cost of the flat rows.
func BenchmarkExpand(b *testing.B) {
	sized(b, benchSizes, func(b *testing.B, g *Graph) (run, report func()) {
		return func() { g.programs[0].expand() }, nil
	})
}

// BenchmarkTrips is all that needs no expansion, of two loops within each other:
// reading, checking, writing, the mix and the time of a warp. Neither time nor memory
// depend on how often they are executed.
func BenchmarkTrips(b *testing.B) {
	for _, trips := range []int64{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("instructions=%.0e", float64(2*trips*trips)), func(b *testing.B) {
			var doc bytes.Buffer
			if err := (EncodeOptions{Fold: true}).Encode(&doc, &Graph{Header: Header{Launch: header(1).Launch},
				instrs:   []Instr{{Op: "ld.global", Lanes: 32}, {Op: "fma.f32", Lanes: 32}},
				programs: []*Program{long(b, trips)}}); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			start := cputime.Used()
			for b.Loop() {
				g, err := Decode(bytes.NewReader(doc.Bytes()), "")
				if err != nil {
					b.Fatal(err)
				}
				if err := (EncodeOptions{Fold: true}).Encode(io.Discard, g); err != nil {
					b.Fatal(err)
				}
				g.GroupMix()
				if _, err := longestChain(g.programs[0], []int64{0, 400, 6}, []int64{0, 8, 1}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((cputime.Used()-start).Nanoseconds())/float64(b.N), "cpu-ns/op")
		})
	}
}

// BenchmarkAnnounced builds a loop that is announced to the builder.
func BenchmarkAnnounced(b *testing.B) {
	for _, nodes := range []int{10_000, 1_000_000, 10_000_000} {
		b.Run(fmt.Sprintf("nodes=%dk", nodes/1000), func(b *testing.B) {
			b.ReportAllocs()
			start := cputime.Used()
			for range b.N {
				nb := NewBuilder()
				load, fma, loop := nb.Instr(Instr{Op: "ld.global", Lanes: 32}),
					nb.Instr(Instr{Op: "fma.f32", Lanes: 32}), nb.Instr(Instr{Op: "loop", Lanes: 32})
				nb.Begin(0)
				gate, sum := nb.Add(load), Executed(0)
				nb.BeginLoop()
				for range nodes / 5 {
					nb.NextIteration()
					for range 2 {
						x := nb.Add(load, Edge{gate, Control})
						sum = nb.Add(fma, Edge{sum, Data}, Edge{x, Data})
					}
					gate = nb.Add(loop, Edge{gate, Data})
				}
				nb.EndLoop()
				build(b, nb, header(1))
			}
			b.ReportMetric(float64(nodes)*float64(b.N)/(cputime.Used()-start).Seconds(), "nodes/cpu-s")
		})
	}
}
