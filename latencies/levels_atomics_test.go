package latencies

import (
	"testing"

	"gpupipe/idg"
)

// Updates of the same words by all groups take turns of 1.29 cycles (A100), so that each of
// the 108 units has one turn in 139.32 cycles: a counter, of which nvcc combines a warp's
// updates if they are of integers; 32 counters, or more. Words of a group's own are
// updated as fast as the memory moves them.
func TestAtomicsOfAllGroups(t *testing.T) {
	f := &idg.Footprint{LaunchReadBytes: 10_800 * 128, LaunchWrittenBytes: 10_800 * 128}
	at := func(integer bool, stride int64, l idg.Locality) seen {
		return seen{space: idg.SpaceGlobal, atomic: true, integer: integer, stride: stride, l: l}
	}
	for _, c := range []struct {
		name           string
		a              seen
		cpi, subsystem string
	}{
		{"one integer", at(true, 0, idg.Locality{Groups: earlier(1, 1)}), "139.32", "atomics"},
		{"one float", at(false, 0, idg.Locality{Groups: earlier(1, 1)}), "4458.24", "atomics"},
		{"32 integers", at(true, 4, idg.Locality{Groups: earlier(1, 4)}), "139.32", "atomics"},
		{"32 integers of each second group", at(true, 4, idg.Locality{Groups: earlier(2, 4)}), "69.66", "atomics"},
		// 64 and 512 sectors with 8 words each, of which an execution updates 32.
		{"512 integers by 16 executions", at(true, 4, idg.Locality{Groups: earlier(1, 64)}), "8.71", "atomics"},
		{"4,096 integers by 128 executions", at(true, 4, idg.Locality{Groups: earlier(1, 512)}), "3.61", "l2"},
		{"each group its own", at(true, 4, idg.Locality{Cold: 4}), "28.23", "global"}, // 2 × 13.08, half of it writes: × 1.079
	} {
		m := mapWith(t, "a100", launchOf(t, 32, 10_800, 0, f, c.a), Options{ConcurrentGroups: 8})
		if e := m.Entry(1); e.Timing.CPI != timing(t, c.cpi, "1").CPI || m.Subsystems[e.Subsystem] != c.subsystem {
			t.Errorf("%s: λ = %v on %s, want %s on %s (%s)", c.name, e.Timing.CPI, m.Subsystems[e.Subsystem], c.cpi, c.subsystem, e.Source)
		}
	}
}

// A counter that the group touched before, by a load or another update, is updated by all
// groups just the same: 32 floats at one word, and at most as many words as the launch
// touches of the buffer.
func TestAtomicsOfWordsTouchedBefore(t *testing.T) {
	f := &idg.Footprint{LaunchReadBytes: 1_000_000, LaunchWrittenBytes: 1_000_000}
	again := idg.Locality{Warp: []idg.Reuse{{Distance: 32, Sectors: 1}}}
	update := seen{space: idg.SpaceGlobal, atomic: true, l: again}
	for _, c := range []struct {
		name           string
		first          seen
		cpi, subsystem string
	}{
		{"looked at first", seen{space: idg.SpaceGlobal, l: idg.Locality{Groups: earlier(1, 1)}}, "4458.24", "atomics"},
		{"updated twice", seen{space: idg.SpaceGlobal, atomic: true, l: idg.Locality{Groups: earlier(1, 1)}}, "4458.24", "atomics"},
		{"somewhere in 64 sectors", seen{space: idg.SpaceGlobal, l: idg.Locality{Groups: earlier(1, 64)}}, "69.66", "atomics"},
		{"among each group's own", seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Cold: 4}}, "", "global"},
	} {
		m := mapWith(t, "a100", launchOf(t, 32, 10_800, 0, f, c.first, update), Options{ConcurrentGroups: 8})
		e := m.Entry(2)
		if m.Subsystems[e.Subsystem] == c.subsystem && (c.cpi == "" || e.Timing.CPI == timing(t, c.cpi, "1").CPI) {
			continue
		}
		t.Errorf("%s: λ = %v on %s, want %s on %s (%s)", c.name, e.Timing.CPI, m.Subsystems[e.Subsystem], c.cpi, c.subsystem, e.Source)
	}
}
