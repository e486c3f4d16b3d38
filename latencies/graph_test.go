package latencies

import (
	"testing"

	"gpupipe/idg"
)

// op is one instruction class of a test graph.
type op struct {
	op, typ string
	line    int
	access  *idg.Access
}

// graphOf makes a graph with one instruction of each class, of warps of the
// device's size.
func graphOf(t testing.TB, warp int, ops ...op) *idg.Graph {
	t.Helper()
	b := idg.NewBuilder()
	b.Begin(0)
	for i, o := range ops {
		in := idg.Instr{Op: o.op, Type: o.typ, Lanes: uint8(warp), Pos: idg.Pos{File: "dir/k.cl", Line: o.line}}
		if o.access != nil {
			a := *o.access
			a.Offsets = append([]int64(nil), a.Offsets...)
			if len(a.Offsets) > 0 {
				in.Lanes = uint8(len(a.Offsets))
			}
			in.Access = b.Access(a)
		}
		id := b.Instr(in)
		if int(id) != i+1 {
			t.Fatalf("classes %d and %d of the test are equal", i+1, id)
		}
		b.Add(id)
	}
	g,
		err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{int64(warp), 1, 1},
		Groups: [3]int64{1, 1, 1}, WarpSize: warp}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// mapped maps a graph and verifies the mapping.
func mapped(t testing.TB, d *Device, g *idg.Graph, rules ...string) *Mapping {
	t.Helper()
	var rs []Rule
	for _, text := range rules {
		r, err := ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		rs = append(rs, r)
	}
	m, err := NewMapper(d, rs)
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Map(g)
	if err != nil {
		t.Fatalf("%s: %v", d.Name, err)
	}
	if err := out.Verify(g); err != nil {
		t.Fatal(err)
	}
	return out
}

// entryOf maps one instruction.
func entryOf(t testing.TB, d *Device, o op, rules ...string) *Entry {
	t.Helper()
	return mapped(t, d, graphOf(t, d.WarpSize, o), rules...).Entry(1)
}

func timing(t testing.TB, cpi, latency string) Timing {
	t.Helper()
	return Timing{cyc(t, cpi), cyc(t, latency)}
}
