package latencies

import (
	"strings"
	"testing"

	"gpupipe/idg"
)

// What the launch touches is in L2 or L3 when it begins if it fits and the launch is
// warm, and in device memory else.
func TestWarm(t *testing.T) {
	graph := func(bytes int64) *idg.Graph {
		b := idg.NewBuilder()
		a := *strided(idg.SpaceGlobal, 32, 0, 4, 4)
		load := b.Instr(idg.Instr{Op: "ld.global", Type: "f32", Lanes: 32, Access: b.Access(a),
			Pos: idg.Pos{File: "k.cl", Line: 1}})
		b.Begin(0)
		b.Add(load)
		g,
			err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1},
			Groups: [3]int64{bytes / 128, 1, 1}, WarpSize: 32},
			Locality:  []idg.Locality{{Instr: load, Sectors: 4, Cold: 4}},
			Footprint: &idg.Footprint{ReadBytes: 128, LaunchReadBytes: bytes}})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, c := range []struct {
		device string
		bytes  int64
		want   Served
		note   string
	}{
		{"a100", 18 << 20, Served{L2: 4}, "are in L2"},
		{"a100", 40 << 20, Served{Memory: 4}, "fit in no cache"},
		{"rx6900xt", 4 << 20, Served{L2: 4}, "are in L2"},
		{"rx6900xt", 5 << 20, Served{L3: 4}, "are in L3"},
		{"rx6900xt", 129 << 20, Served{Memory: 4}, "fit in no cache"},
	} {
		cold, warm := mapWith(t, c.device, graph(c.bytes), Options{}),
			mapWith(t, c.device, graph(c.bytes), Options{Warm: true})
		if s := cold.Entries[0].Served; s != (Served{Memory: 4}) {
			t.Errorf("%s, %d bytes, cold: %v", c.device, c.bytes, s)
		}
		if s := warm.Entries[0].Served; s != c.want {
			t.Errorf("%s, %d bytes: %v, want %v", c.device, c.bytes, s, c.want)
		}
		if said := warm.Warnings.Error(); !strings.Contains(said, c.note) {
			t.Errorf("%s, %d bytes: %q does not say %q", c.device, c.bytes, said, c.note)
		}
	}
	for _, locality := range [][]idg.Locality{nil, graph(1 << 20).Locality} {
		unknown := graph(1 << 20)
		unknown.Locality, unknown.Footprint = locality, nil
		if said := mapWith(t, "a100", unknown, Options{Warm: true}).Warnings.Error(); !strings.Contains(said,
			"does not tell") {
			t.Errorf("without a footprint, locality %v: %q", locality, said)
		}
	}
}
