package latencies

import (
	"math"
	"testing"

	"gpupipe/idg"
)

// Stores of every n-th float move whole sectors, of which they write a part, and HBM with ECC reads the rest first:
// not where all bytes are stored, by one instruction or several, or by groups that share a sector, nor where a load
// has brought the sector.
func TestSectorsWrittenInPart(t *testing.T) {
	const groups = 1000
	g := idg.SpaceGlobal
	store := func(stride, cold int64) seen {
		return seen{space: g, store: true, stride: stride, l: idg.Locality{Cold: cold}}
	}
	after := store(8, 0)
	after.l.Warp = reuse(256, 8)
	most := store(8, 0)
	most.l.Warp = reuse(256, 7)
	for _, c := range []struct {
		name          string
		gpu           string
		written       int64 // bytes of the launch's sectors, for a group
		accesses      []seen
		read, least   int64 // of a group
		filled        float64
		readCompelled int64
	}{
		{"all", "a100", 128, []seen{store(4, 4)}, 0, 128, 0, 0},
		{"every second", "a100", 256, []seen{store(8, 8)}, 256, 128, 8, 0},
		{"every eighth", "a100", 1024, []seen{store(32, 32)}, 1024, 128, 32, 0},
		{"every thirty-second", "h100", 1024, []seen{store(128, 32)}, 1024, 128, 32, 0},
		{"masked", "rtx3080", 1024, []seen{store(32, 32)}, 0, 128, 0, 0},
		{"both fields", "a100", 256, []seen{store(8, 8), after}, 0, 256, 0, 0},
		{"both fields of most", "a100", 256, []seen{most, store(8, 8)}, 128, 240, 4, 0},
		{"one word of a group", "a100", 4, []seen{store(0, 1)}, 0, 4, 0, 0},
		{"loaded before", "a100", 256, []seen{{space: g, stride: 8, l: idg.Locality{Cold: 8}}, after}, 256,
			128, 0, 256},
	} {
		f := &idg.Footprint{LaunchReadBytes: groups * c.readCompelled, LaunchWrittenBytes: groups * c.written}
		graph := launchOf(t, 32, groups, 0, f, c.accesses...)
		m := mapWith(t, c.gpu, graph, Options{ConcurrentGroups: 8})
		if got := m.Traffic; got.ReadBytes != groups*c.read || got.WrittenBytes != groups*c.written ||
			got.CompulsoryWrittenBytes != groups*c.least {
			t.Errorf("%s: traffic %+v, want %d read, %d written, %d at least", c.name, got, groups*c.read,
				groups*c.written, groups*c.least)
		}
		if got := m.Entry(idg.InstrID(len(c.accesses))).Served.Filled; got != c.filled {
			t.Errorf("%s: %v sectors are filled, want %v", c.name, got, c.filled)
		}
	}
}

// Of stores of one warp to the same sectors, one after the other, every second goes on with the one before it; but not
// those of a whole buffer's sectors.
func TestStoresMerge(t *testing.T) {
	const groups = 1000
	store := func(stride, cold int64) seen {
		s := seen{space: idg.SpaceGlobal, store: true, stride: stride, l: idg.Locality{Cold: cold}}
		if cold == 0 {
			s.l.Warp = reuse(stride*32*8, stride) // of 8 warps in turns
		}
		return s
	}
	sectors := func(stride int64, n int) float64 {
		accesses := []seen{store(stride, stride)}
		for len(accesses) < n {
			accesses = append(accesses, store(stride, 0))
		}
		f := &idg.Footprint{LaunchWrittenBytes: groups * 32 * stride}
		m := mapWith(t, "h100sxm", launchOf(t, 32, groups, 0, f, accesses...), Options{ConcurrentGroups: 8})
		stored := m.Traffic.L2WrittenSectors / groups
		for i := range accesses {
			stored -= m.Entry(idg.InstrID(i + 1)).Served.Filled
		}
		return stored / 1.5 / float64(stride)
	}
	for _, c := range []struct {
		stride int64
		n      int
		want   float64
	}{{24, 1, 1}, {24, 2, 1}, {24, 3, 2}, {32, 8, 8}} {
		if got := sectors(c.stride, c.n); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%d stores %d bytes apart: a sector is stored %.2f times, want %v", c.n, c.stride, got, c.want)
		}
	}
}

// A slice of L2 sends half a line in a cycle, and a sector of it takes as long: of 32 sectors in 8 lines, in 32, and
// of a row that begins in the middle of a sector pair.
func TestPartsOfLines(t *testing.T) {
	for _, c := range []struct {
		gpu           string
		first, stride int64
		want          float64 // cycles of L2
	}{
		{"h100sxm", 0, 4, 3.69},
		{"h100sxm", 0, 32, 29.5},
		{"h100sxm", 0, 128, 59},
		{"h100sxm", 32, 4, 5.54},
		{"a100", 0, 128, 57.8},
		{"rtx3090", 0, 128, 61.7}, // not known of others
	} {
		g := accessing(t, "ld.global", *strided(idg.SpaceGlobal, 32, c.first, c.stride, 4))
		g.Launch = idg.Launch{Local: [3]int64{256, 1, 1}, Groups: [3]int64{1024, 1, 1}, WarpSize: 32}
		sectors := int64(Transactions(g.Access(g.Instr(1).Access), 32))
		g.Footprint = &idg.Footprint{ReadBytes: 32 * sectors, LaunchReadBytes: 32 * sectors, SharedBytes: 32 * sectors}
		g.Locality = []idg.Locality{{Instr: 1, Sectors: sectors, Cold: sectors}}
		m := mapWith(t, c.gpu, g, Options{Warm: true})
		e := m.Entry(1)
		if got := e.Timing.CPI.Float(); m.Subsystems[e.Subsystem] != "l2" || math.Abs(got-c.want) > 0.01*c.want {
			t.Errorf("%s: from %d by %d: %.2f cycles of %s, want %v of L2", c.gpu, c.first, c.stride, got,
				m.Subsystems[e.Subsystem], c.want)
		}
	}
}

// Slices of L2 take a cycle for each whole sector that is stored; where a quarter of the compute units is at
// work, these get them as often as they ask.
func TestWriteRequests(t *testing.T) {
	for _, c := range []struct {
		gpu    string
		groups int64
		want   float64
	}{{"a100", 27, 3.61}, {"a100", 1080, 5.84}, {"h100sxm", 1320, 7.12}, {"rtx3090", 820, 7.71}} {
		a := strided(idg.SpaceGlobal, 32, 0, 4, 4)
		a.Store = true
		g := accessing(t, "st.global", *a)
		g.Launch = idg.Launch{Local: [3]int64{256, 1, 1}, Groups: [3]int64{c.groups, 1, 1}, WarpSize: 32}
		g.Footprint = &idg.Footprint{WrittenBytes: 128, LaunchWrittenBytes: 128 * c.groups}
		g.Locality = []idg.Locality{{Instr: 1, Sectors: 4, Cold: 4}}
		m := mapWith(t, c.gpu, g, Options{Warm: true})
		if e := m.Entry(1); m.Subsystems[e.Subsystem] != "l2" || math.Abs(e.Timing.CPI.Float()-c.want) > 0.01*c.want {
			t.Errorf("%s, %d groups: %v cycles of %s, want %v of L2", c.gpu, c.groups, e.Timing.CPI,
				m.Subsystems[e.Subsystem], c.want)
		}
	}
}
