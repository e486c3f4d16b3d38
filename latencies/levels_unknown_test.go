package latencies

import (
	"testing"

	"gpupipe/idg"
)

// TestUnknownBytes: stores at unknown addresses are a group's own bytes, and each group of the launch adds its own.
func TestUnknownBytes(t *testing.T) {
	const groups, unknown = 100, 64
	footprint := idg.Footprint{ReadBytes: 1000, WrittenBytes: 200, SharedBytes: 300, LaunchReadBytes: 40000,
		LaunchWrittenBytes: 20000, UnknownBytes: unknown}
	g := launchOf(t, 32, groups, 0, &footprint, seen{space: idg.SpaceGlobal, stride: 4})
	h := newHierarchy(builtin(t, "a100"), g, Options{ConcurrentGroups: 1, ComputeUnits: 10}, nil, nil)
	if want := int64(60000 + groups*unknown); h.launch != want {
		t.Errorf("the launch touches %d bytes, want %d", h.launch, want)
	}
	if h.own != 1200-300+unknown || h.common != 300 {
		t.Errorf("a group touches %d bytes of its own and %d of others", h.own, h.common)
	}
	known := footprint
	known.UnknownBytes = 0
	for _, n := range []int64{1, 10, groups, 2 * groups} {
		got := consecutive(&footprint, &g.Launch, n) - consecutive(&known, &g.Launch, n)
		if want := min(n, groups) * unknown; got != want {
			t.Errorf("%d groups store %d bytes at unknown addresses, want %d", n, got, want)
		}
	}
}

// TestReachWithAssumedTrips: trip counts that are assumed do not make an object larger, lists that lanes walk through
// excepted.
func TestReachWithAssumedTrips(t *testing.T) {
	g := launchOf(t, 32, 100, 0, nil, seen{space: idg.SpaceGlobal, stride: 4})
	unknown := func(buffer string, near int64) *idg.Access {
		return &idg.Access{Space: idg.SpaceGlobal, Width: 8, Buffer: buffer, Places: 32, Near: near, Assumed: "loaded"}
	}
	table, list := unknown("table", 0), unknown("list", 0)
	bounded := unknown("table", 0)
	bounded.Within = 64
	accesses := []*idg.Access{table, list, unknown("list", 8), nil}
	for _, c := range []struct {
		name, origin string
		access       *idg.Access
		want         int64
	}{{"known trips", "arguments", table, 0}, {"assumed trips", "assumed", table, 100 * g.Launch.WorkItems() * 8},
		{"a list", "assumed", list, 0}, {"bounded by a mask", "assumed", bounded, 64}} {
		g.Loops = []idg.Loop{{Origin: c.origin}}
		if got := new(chosen).reach(c.access, newElementPerItem(g, accesses)).a.Within; got != c.want {
			t.Errorf("%s: %d bytes are reached, want %d", c.name, got, c.want)
		}
	}
}
