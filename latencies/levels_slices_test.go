package latencies

import (
	"testing"

	"gpupipe/idg"
)

// Passes: 32 lanes over 8 words of a sector, four at each; over 32 words of a line; and two lanes at a word of one
// sector and one at each of two lines.
func TestUpdatePasses(t *testing.T) {
	for _, c := range []struct {
		name           string
		word           func(lane int64) int64
		sectors, lines float64
	}{
		{"a word", func(int64) int64 { return 7 }, 32, 32},
		{"8 words", func(l int64) int64 { return l % 8 }, 4, 4},
		{"32 words", func(l int64) int64 { return l }, 4, 1},
		{"a sector each", func(l int64) int64 { return 8 * l }, 32, 8},
		{"uneven", func(l int64) int64 { return max(0, l-30) * 9 }, 31 + 1, 31},
		{"two lines", func(l int64) int64 { return 32*(l%2) + l/16 }, 8 * 2, 8 * 2},
	} {
		a := idg.Access{Space: idg.SpaceGlobal, Width: 4}
		for l := range int64(32) {
			a.Offsets = append(a.Offsets, 4*c.word(l))
		}
		if p := updatePasses(&a, 32, 128); p.sectors != c.sectors || p.lines != c.lines {
			t.Errorf("%s: %+v, want %v and %v", c.name, p, c.sectors, c.lines)
		}
	}
}

// A histogram of 256 bins by chance lies in one slice: on 132 units an execution's 22.6 passes over sectors take 0.73
// cycles of it each (hist_global_256 on an H100: 1,079 us for 993 executions by each unit, 2,152 cycles). A million
// bins are limited by the sectors of a unit, three cycles each.
func TestHistogramByChance(t *testing.T) {
	f := &idg.Footprint{LaunchReadBytes: 1 << 24}
	for _, c := range []struct {
		name     string
		within   int64
		min, max float64
	}{{"256 bins", 1 << 10, 2050, 2250}, {"a million bins", 1 << 22, 94, 97}} {
		g := accessing(t, "atomic.add.global", idg.Access{Space: idg.SpaceGlobal, Width: 4, Store: true, Buffer: "x",
			Assumed: "why", Within: c.within})
		g.Launch = idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{132_000, 1, 1}, WarpSize: 32}
		g.Footprint, g.Locality = f, []idg.Locality{}
		m := mapped(t, builtin(t, "h100sxm"), g, "global(x):addresses=scattered")
		if e := m.Entry(1); e.Timing.CPI.Float() < c.min || e.Timing.CPI.Float() > c.max {
			t.Errorf("%s: λ = %v, want %v to %v (%s)", c.name, e.Timing.CPI, c.min, c.max, e.Source)
		}
	}
}

// TestSparseUpdates: lines and slices are those that the launch's words lie in, and a warp that updates words of its
// own again and again waits for nobody (one H100: 65,536 executions that update 32 words of 8 lines 719 us, of 32
// lines 199, half as many words of each warp's own 3). Floats take 3.5 cycles of a line's turn instead of 1.4.
func TestSparseUpdates(t *testing.T) {
	again := func(sectors int64, l idg.Locality) idg.Locality {
		l.Warp = reuse(kib, 7*sectors)
		return l
	}
	for _, c := range []struct {
		name           string
		float          bool
		stride         int64
		first          idg.Locality
		min, max       float64
		subsystem      string
		lines, sectors int64
	}{
		{"32 words of 8 lines", false, 32, idg.Locality{Groups: earlier(1, 32)}, 2800, 3200, "atomics", 8, 32},
		{"32 words of 32 lines", false, 128, idg.Locality{Groups: earlier(1, 32)}, 700, 800, "atomics", 32, 32},
		{"a word", false, 0, idg.Locality{Groups: earlier(1, 1)}, 5913, 5914, "atomics", 1, 1}, // 132 * 32 * 1.4
		{"floats at a word", true, 0, idg.Locality{Groups: earlier(1, 1)}, 14784, 14785, "atomics", 1, 1},
		{"floats at words of two lines", true, 0, idg.Locality{Groups: earlier(1, 1)}, 7392, 7393, "atomics", 2, 2},
		{"each group its own", false, 32, idg.Locality{Cold: 32}, 90, 110, "l2", 8, 32},
	} {
		f := &idg.Footprint{LaunchReadBytes: 32 * c.sectors, LaunchWrittenBytes: 32 * c.sectors,
			LineBytes: 2 * 128 * c.lines}
		g := launchOf(t, 32, 132_000, 0, f, seen{space: idg.SpaceGlobal, atomic: true, integer: !c.float, stride: c.stride,
			l: again(c.sectors, c.first)})
		m := mapWith(t, "h100sxm", g, Options{ConcurrentGroups: 8, Warm: true})
		e := m.Entry(1)
		if cpi := e.Timing.CPI.Float(); cpi < c.min || cpi > c.max || m.Subsystems[e.Subsystem] != c.subsystem {
			t.Errorf("%s: λ = %.1f on %s, want %v to %v on %s (%s)", c.name, cpi, m.Subsystems[e.Subsystem], c.min, c.max,
				c.subsystem, e.Source)
		}
	}
}

// TestFloatsInSharedMemory: floats in shared memory are exchanged until nobody else did (one H100: 14.3 cycles for each
// lane at a word).
func TestFloatsInSharedMemory(t *testing.T) {
	for kind, want := range map[bool]string{true: "32.31", false: "444.3"} {
		g := launchOf(t, 32, 1000, 0, nil, seen{space: idg.SpaceLocal, atomic: true, integer: kind})
		if got := mapWith(t, "h100sxm", g, Options{}).Entry(1).Timing.CPI; got != timing(t, want, "1").CPI {
			t.Errorf("integers %v: %v cycles, want %s", kind, got, want)
		}
	}
}
