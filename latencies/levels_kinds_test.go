package latencies

import (
	"testing"

	"gpupipe/idg"
)

// Classes of groups at the edge are served like the group's own at their place of
// the source; without groups at the edge, or elsewhere, nothing is known of them.
func TestLevelsOfGroupsAtTheEdge(t *testing.T) {
	graph := func(kinds bool) *idg.Graph {
		b := idg.NewBuilder()
		load := func(lanes, line int) idg.InstrID {
			a := *strided(idg.SpaceGlobal, lanes, 0, 4, 4)
			a.Offsets = append([]int64(nil), a.Offsets...)
			return b.Instr(idg.Instr{Op: "ld.global", Type: "f32", Lanes: uint8(lanes), Access: b.Access(a),
				Pos: idg.Pos{File: "k.cl", Line: line}})
		}
		whole, cut, other := load(32, 1), load(31, 1), load(30, 2)
		b.Begin(0)
		b.Add(whole)
		if kinds {
			b.BeginKind(0, 1)
			b.Begin(0)
		}
		b.Add(cut)
		b.Add(other)
		g,
			err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1},
			Groups: [3]int64{9, 1, 1}, WarpSize: 32},
			Locality: []idg.Locality{{Instr: whole, Sectors: 4,
				Groups: []idg.GroupReuse{{Groups: 1, Sectors: 3}}, Cold: 1}},
			Footprint: &idg.Footprint{ReadBytes: 128, LaunchReadBytes: 300}})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, kinds := range []bool{true, false} {
		m := mapWith(t, "rtx2070", graph(kinds), Options{})
		whole, cut, other := m.Entries[0].Served, m.Entries[1].Served, m.Entries[2].Served
		if whole.Total() != 4 || whole.Memory == 4 {
			t.Fatalf("served %v", whole)
		}
		if want := map[bool]Served{true: whole}[kinds]; cut != want {
			t.Errorf("kinds %v: the class at the edge is served %v, want %v", kinds, cut, want)
		}
		if other != (Served{}) {
			t.Errorf("kinds %v: a class elsewhere is served %v", kinds, other)
		}
	}
}

// Of groups of which most have nothing to do, those that have bring what the launch moves,
// undivided, and what is loaded at a place that the graph's own group does not come to is counted.
func TestTrafficOfIdleGroups(t *testing.T) {
	b := idg.NewBuilder()
	load := func(line int) idg.InstrID {
		a := *strided(idg.SpaceGlobal, 32, 0, 4, 4)
		a.Offsets = append([]int64(nil), a.Offsets...)
		return b.Instr(idg.Instr{Op: "ld.global", Type: "f32", Lanes: 32, Access: b.Access(a),
			Pos: idg.Pos{File: "k.cl", Line: line}})
	}
	own, other := load(1), load(2)
	idle := b.Instr(idg.Instr{Op: "add.s32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 3}})
	b.Begin(0)
	b.Add(own)
	b.BeginKind(0, 750)
	b.Begin(0)
	b.Add(idle)
	b.BeginKind(1, 50)
	b.Begin(0)
	b.Add(other)
	g,
		err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1},
		Groups: [3]int64{1000, 1, 1}, WarpSize: 32},
		Locality:  []idg.Locality{{Instr: own, Sectors: 4, Cold: 4}},
		Footprint: &idg.Footprint{ReadBytes: 128, LaunchReadBytes: 250 * 128}})
	if err != nil {
		t.Fatal(err)
	}
	m := mapWith(t, "a100", g, Options{})
	if got, want := m.Entry(own).Served, (Served{Memory: 4}); got != want {
		t.Errorf("served %v, want %v", got, want)
	}
	if got := m.Traffic.ReadBytes; got != 250*128 {
		t.Errorf("%d bytes are read, want %d", got, 250*128)
	}
}
