package latencies

import (
	"testing"

	"gpupipe/idg"
)

// A group that stores or loads less than a sector shares it with its neighbours: of eight
// groups with 4 bytes each, one brings it, whichever the graph is of.
func TestSharedSectors(t *testing.T) {
	f := &idg.Footprint{LaunchReadBytes: 100 * 8, LaunchWrittenBytes: 100 * 4}
	for name, accesses := range map[string][]seen{
		"the first": {{space: idg.SpaceGlobal, stride: 0, l: idg.Locality{Cold: 1}},
			{space: idg.SpaceGlobal, store: true, stride: 0, l: idg.Locality{Cold: 1}}},
		"a later": {{space: idg.SpaceGlobal, stride: 0, l: idg.Locality{Groups: earlier(1, 1)}},
			{space: idg.SpaceGlobal, store: true, stride: 0, l: idg.Locality{Groups: earlier(1, 1)}}},
	} {
		m := mapWith(t, "a100", launchOf(t, 32, 100, 0, f, accesses...), Options{})
		for i, want := range []Served{{L2: 0.75, Memory: 0.25}, {L2: 0.875, Memory: 0.125}} {
			if got := m.Entry(idg.InstrID(i + 1)).Served; got != want {
				t.Errorf("%s of the groups: access %d is served %+v, want %+v", name, i+1, got, want)
			}
		}
		if m.Traffic.ReadBytes != 800 || m.Traffic.WrittenBytes != 400 {
			t.Errorf("%s of the groups: traffic %+v", name, m.Traffic)
		}
	}
}

// An atomic of a place of its own reads it and writes it back, for which nobody waits:
// λ is twice that of a load, times 1.079 as half of what is moved is written, Λ the same. Where a load has brought it,
// it is written back, and where all groups update the same, little is moved.
func TestAtomicTraffic(t *testing.T) {
	g := idg.SpaceGlobal
	own := &idg.Footprint{LaunchReadBytes: 100_000 * 128, LaunchWrittenBytes: 100_000 * 128}
	for _, c := range []struct {
		name         string
		f            *idg.Footprint
		accesses     []seen
		served       Served // of the last
		cpi, latency string
		read, written,
		groups int64
	}{
		{"each its own", own, []seen{{space: g, atomic: true, stride: 4, l: idg.Locality{Cold: 4}}},
			Served{Memory: 4, WrittenBack: 4}, "28.23", "481", 12_800_000, 12_800_000, 100_000},
		{"after a load", own, []seen{{space: g, stride: 4, l: idg.Locality{Cold: 4}},
			{space: g, atomic: true, stride: 4, l: idg.Locality{Warp: reuse(128, 4)}}},
			Served{L2: 4, WrittenBack: 4}, "14.11", "305.4", 12_800_000, 12_800_000, 100_000},
		{"all the same", &idg.Footprint{LaunchReadBytes: 135, LaunchWrittenBytes: 135},
			[]seen{{space: g, atomic: true, stride: 4, l: idg.Locality{Groups: earlier(1, 4)}}},
			Served{L2: 3.99609375, Memory: 0.00390625, WrittenBack: 0.00390625}, "114.48", "203.08", 135, 135, 1080},
	} {
		m := mapWith(t, "a100", launchOf(t, 32, c.groups, 0, c.f, c.accesses...), Options{ConcurrentGroups: 8})
		e := m.Entry(idg.InstrID(len(c.accesses)))
		if e.Served != c.served || e.Timing.CPI != timing(t, c.cpi, "1").CPI {
			t.Errorf("%s: %+v, λ = %v; want %+v, %s", c.name, e.Served, e.Timing.CPI, c.served, c.cpi)
		}
		if got := m.Traffic; got.ReadBytes != c.read || got.WrittenBytes != c.written {
			t.Errorf("%s: traffic %+v, want %d and %d", c.name, got, c.read, c.written)
		}
		if e.Timing.Latency != timing(t, "1", c.latency).Latency {
			t.Errorf("%s: Λ = %v, want %s", c.name, e.Timing.Latency, c.latency)
		}
	}
}
