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
