package sweep

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// kernel is a graph of so many loads, each followed by an addition, with so
// many warps in a group and so much local memory.
func kernel(t testing.TB, name string, pairs, warps int, local int64) Graph {
	t.Helper()
	b := idg.NewBuilder()
	load := b.Instr(idg.Instr{Op: "ld.global", Type: "f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 3},
		Access: b.Access(idg.Access{Space: idg.SpaceGlobal, Width: 4, Buffer: "a", Assumed: "test"})})
	add := b.Instr(idg.Instr{Op: "add.f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 4}})
	var ids []uint32
	for w := range warps {
		ids = append(ids, uint32(w))
	}
	b.Begin(ids...)
	last := idg.Executed(0)
	for range pairs {
		l := b.Add(load)
		edges := []idg.Edge{{From: l, Kind: idg.Data}}
		if last != 0 {
			edges = append(edges, idg.Edge{From: last, Kind: idg.Data})
		}
		last = b.Add(add, edges...)
	}
	g, err := b.Build(idg.Header{
		Kernel:    "k",
		Launch:    idg.Launch{Local: [3]int64{int64(warps) * 32, 1, 1}, Groups: [3]int64{400, 1, 1}, WarpSize: 32},
		Resources: idg.Resources{LocalBytes: local},
	})
	if err != nil {
		t.Fatal(err)
	}
	return Graph{Name: name, Graph: g, Digest: fmt.Sprint(name, pairs, warps, local)}
}

func device(t testing.TB, name string) *latencies.Device {
	t.Helper()
	d, err := latencies.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func vary(t testing.TB, text string) Vary {
	t.Helper()
	v, err := ParseVary(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// space is a small space with a bit of everything: a kernel of which no group
// fits (too much local memory), a fraction and several devices.
func space(t testing.TB) *Space {
	return &Space{
		Graphs:      []Graph{kernel(t, `small, "quoted"`, 3, 8, 1024), kernel(t, "large", 2, 2, 1<<20)},
		Devices:     []*latencies.Device{device(t, "gtx480"), device(t, "gtx1060")},
		Vary:        []Vary{vary(t, "ld.global:latency=100..300:100"), vary(t, "add.f32:cpi=1,1/3")},
		Schedulers:  []simulate.Scheduler{simulate.RoundRobin, simulate.Oldest},
		IssueLimits: []latencies.Cycles{latencies.WholeCycles(2)},
		Concurrent:  []int64{1, 3, 0},
	}
}

func plan(t testing.TB, s *Space, shard Shard) *Plan {
	t.Helper()
	p, err := New(s, shard)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// run returns the rows of a plan and their text.
func run(t testing.TB, p *Plan, jobs int, f Format) ([]*Row, []byte) {
	t.Helper()
	var rows []*Row
	text := p.AppendHeader(nil, f)
	err := p.Run(context.Background(), 0, jobs, func(r *Row) error {
		c := *r
		rows = append(rows, &c)
		text = p.Append(text, f, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows, text
}

// lines splits a text after its line breaks.
func lines(text []byte) [][]byte {
	l := bytes.SplitAfter(text, []byte{'\n'})
	return l[:len(l)-1]
}
