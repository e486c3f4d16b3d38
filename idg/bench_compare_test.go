package idg

import (
	"bytes"
	"encoding/json"
	"io"
	"runtime"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"

	"gpupipe/internal/test/cputime"
)

// usage is what something took: processor time, bytes allocated, and the bytes
// that its result keeps.
type usage struct {
	time            time.Duration
	allocated, kept float64
}

// use runs something and adds what it took. Garbage is collected before and after,
// outside of the time.
func (u *usage) use(run func() any) {
	var before, after, later runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := cputime.Used()
	result := run()
	u.time += cputime.Used() - start
	runtime.ReadMemStats(&after)
	u.allocated += float64(after.TotalAlloc - before.TotalAlloc)
	runtime.GC()
	runtime.ReadMemStats(&later)
	u.kept += max(0, float64(later.HeapAlloc)-float64(before.HeapAlloc))
	runtime.KeepAlive(result)
}

// plainDocument is a graph's document for encoding/json: its program alone, without
// any of the checks.
type plainDocument struct {
	Warps []plainProgram `json:"warps"`
}

type plainProgram struct {
	Code []plainInstruction `json:"code"`
}

type plainInstruction struct {
	I uint32   `json:"i"`
	D []uint32 `json:"d,omitempty"`
	C []uint32 `json:"c,omitempty"`
	O []uint32 `json:"o,omitempty"`
}

func plain(p *Program) *plainDocument {
	code := make([]plainInstruction, 0, p.Len())
	for w := p.walk(); w.more(); w.next() {
		in := plainInstruction{I: uint32(p.StaticInstr(w.static))}
		for _, d := range w.preds() {
			list := map[EdgeKind]*[]uint32{Data: &in.D, Control: &in.C, Order: &in.O}[d.Kind]
			*list = append(*list, uint32(d.Distance))
		}
		code = append(code, in)
	}
	return &plainDocument{[]plainProgram{{code}}}
}

// gonumGraph builds a program as gonum stores graphs.
func gonumGraph(f *Flat) *simple.DirectedGraph {
	d := simple.NewDirectedGraph()
	for v := range f.Len() {
		d.AddNode(simple.Node(v))
		from, _ := f.Preds(NodeID(v))
		for _, u := range from {
			d.SetEdge(simple.Edge{F: simple.Node(u), T: simple.Node(v)})
		}
	}
	return d
}

// BenchmarkAgainst compares what is done with a graph of a million nodes with
// gonum and encoding/json, in turns. Program order is a topological one; what is
// compared with finding one is to check it and to find every node's level. What is
// prepared for theirs does not count.
func BenchmarkAgainst(b *testing.B) {
	const nodes = 1_000_000
	for _, shape := range []struct {
		name string
		make func(testing.TB, int) *Graph
	}{{"loop", synthetic}, {"irregular", irregular}, {"branching", branching}} {
		g := shape.make(b, nodes)
		p := g.programs[0]
		f := flat(b, p)
		compare := func(name string, prepare func(), ours, theirs func() any) {
			b.Run("op="+name+"/graph="+shape.name+"/nodes=1000k", func(b *testing.B) {
				prepare()
				b.ResetTimer()
				var we, they usage
				for b.Loop() {
					we.use(ours)
					they.use(theirs)
				}
				n := float64(b.N)
				b.ReportMetric(n*nodes/we.time.Seconds(), "nodes/cpu-s")
				b.ReportMetric(they.time.Seconds()/we.time.Seconds(), "x-time")
				b.ReportMetric(we.allocated/n/nodes, "B/node")
				b.ReportMetric(they.allocated/we.allocated, "x-allocated")
				b.ReportMetric(we.kept/n/nodes, "keptB/node")
				b.ReportMetric(they.kept/n/nodes, "theirkeptB/node")
			})
		}
		compare("build", func() {}, func() any {
			return rebuilt(b, g, f)
		}, func() any { return gonumGraph(f) })
		stored := sync.OnceValue(func() *simple.DirectedGraph { return gonumGraph(f) })
		compare("toposort", func() { stored() }, func() any {
			ilp, err := ILPProfile(p)
			if err := g.Verify(); err != nil {
				b.Fatal(err)
			}
			if err != nil {
				b.Fatal(err)
			}
			return ilp
		}, func() any {
			order, err := topo.Sort(stored())
			if err != nil {
				b.Fatal(err)
			}
			return order
		})
		values := sync.OnceValue(func() *plainDocument { return plain(p) })
		for _, fold := range []bool{false, true} {
			compare(map[bool]string{false: "encode", true: "encode-folded"}[fold], func() { values() }, func() any {
				if err := (EncodeOptions{Fold: fold}).Encode(io.Discard, g); err != nil {
					b.Fatal(err)
				}
				return nil
			}, func() any {
				if err := json.NewEncoder(io.Discard).Encode(values()); err != nil {
					b.Fatal(err)
				}
				return nil
			})
		}
		doc := encode(b, g, EncodeOptions{})
		compare("decode", func() {}, func() any {
			got, err := Decode(bytes.NewReader(doc), "")
			if err != nil {
				b.Fatal(err)
			}
			return got
		}, func() any {
			var got plainDocument
			if err := json.NewDecoder(bytes.NewReader(doc)).Decode(&got); err != nil {
				b.Fatal(err)
			}
			return &got
		})
	}
}
