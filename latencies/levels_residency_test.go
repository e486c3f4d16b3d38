package latencies

import (
	"math"
	"testing"

	"gpupipe/idg"
)

// TestResidency compares what launches that repeat themselves find in L2 with one H100's bytes of device memory.
func TestResidency(t *testing.T) {
	r := builtin(t, "h100sxm").Memory.L2.residency()
	for _, c := range []struct {
		name     string
		got      func(bytes int64) float64
		measured map[int64]float64 // MB: part that is found, or not written back
	}{
		{"read", r.found, map[int64]float64{16: 1, 24: .99, 28: .94, 32: .88, 36: .72, 40: .38, 44: .11, 48: .01, 56: 0}},
		{"copied", r.found, map[int64]float64{16: 1, 24: .98, 32: .86, 36: .61, 40: .25, 44: .08, 50: 0}},
		{"written", r.unwritten, map[int64]float64{20: .97, 24: .85, 26: .56, 28: .43, 30: .16, 32: .12, 40: .03}},
		{"in place", func(n int64) float64 { return r.leftBy(n, true) },
			map[int64]float64{32: 1, 40: .96, 44: .77, 48: .4, 50: .24, 52: .03}},
	} {
		for mb, want := range c.measured {
			if got := c.got(mb * 1e6); math.Abs(got-want) > 0.12 {
				t.Errorf("%s, %d MB: %.2f, want %.2f", c.name, mb, got, want)
			}
		}
	}
	whole := (&Cache{Bytes: 50}).residency()
	if whole.found(50) != 1 || whole.found(51) != 0 || whole.unwritten(50) != 1 || whole.leftBy(51, true) != 0 {
		t.Errorf("a cache without figures holds what fits: %+v", whole)
	}
}

// TestFresh: what is updated in place counts once in what the launch touches.
func TestFresh(t *testing.T) {
	f := idg.Footprint{ReadBytes: 1024, WrittenBytes: 1024, LaunchReadBytes: 102400, LaunchWrittenBytes: 102400}
	g := launchOf(t, 32, 100, 0, &f, seen{space: idg.SpaceGlobal, stride: 4},
		seen{space: idg.SpaceGlobal, stride: 4, store: true})
	for _, c := range []struct{ first, want int64 }{{32, 102400}, {16, 51200}, {0, 0}} {
		g.Locality = []idg.Locality{{Instr: 1, Sectors: 32, Cold: 32}, {Instr: 2, Sectors: 32, Cold: c.first}}
		if got := fresh(g, touchings(g)); got != c.want {
			t.Errorf("stores touch %d sectors first: %d bytes, want %d", c.first, got, c.want)
		}
	}
}

// What launches have not written back when they end (Nsight Compute, one H100): 16.3 of 33.6 MB that are written beside
// as many that are read, 13 to 19 of 67 beside as many; all where it is little.
func TestLeftUnwritten(t *testing.T) {
	d := builtin(t, "h100sxm")
	r := d.Memory.L2.residency()
	for _, c := range []struct{ written, launch, min, max float64 }{
		{33.6, 67.1, 13, 16.5}, {67.1, 134.2, 13, 19}, {4.2, 12.6, 4.2, 4.2},
	} {
		if got := c.written * r.left(int64(1e6*c.launch)); got < c.min || got > c.max {
			t.Errorf("of %v MB in %v %.1f are left, want %v to %v", c.written, c.launch, got, c.min, c.max)
		}
	}
}

// TestWays: what is found after so many bytes follows from the ways of a set where nothing was measured, about as
// chance fills sets (Poisson): of 16 ways 0.84 after three quarters of the cache, 0.47 after all of it. The stencil of
// AMD's lab notes (finite differences, part 3, one MI250X die) reads planes of 2 MiB twice more with 6 MiB between, or
// 8 MiB where stores stay in L2: of these 0.83 and 0.56 come from the 8 MiB of L2 (1.429 and 2.014 GB fetched of
// 1.074).
func TestWays(t *testing.T) {
	r := (&Cache{Bytes: 8 * mib, Ways: 16}).residency()
	for _, c := range []struct {
		bytes           int64
		poisson, stated float64
	}{{6 * mib, 0.844, 0.83}, {8 * mib, 0.467, 0.56}} {
		if got := r.found(c.bytes); math.Abs(got-c.poisson) > 0.03 || math.Abs(got-c.stated) > 0.1 {
			t.Errorf("after %d bytes %.3f are found, want %.3f (measured: %.2f)", c.bytes, got, c.poisson, c.stated)
		}
	}
}

// TestGroupsInTurns: groups of a straight program follow each other. On an MI250X die 220 are resident, two on a unit,
// and each reads 40 KiB, half of which others have read: one that begins 55 groups later is a quarter of its time
// behind, 10 KiB of 40. It finds what the other reads late and itself early; otherwise the resident groups touch more
// than the 8 MiB of L2 between.
func TestGroupsInTurns(t *testing.T) {
	for _, c := range []struct {
		name   string
		r      idg.GroupReuse
		waits  bool
		inside bool // L2 serves most of it
	}{
		{"the same place", idg.GroupReuse{Groups: 55}, false, true},
		{"early for what is read late", idg.GroupReuse{Groups: 110, Distance: 32 * kib, Ahead: true}, false, true},
		{"late for what is read early", idg.GroupReuse{Groups: 110, Distance: 32 * kib}, false, false},
		{"far behind", idg.GroupReuse{Groups: 219}, false, false},
		{"a turn behind", idg.GroupReuse{Groups: 220}, false, true},
		{"a turn behind, late for what is read early", idg.GroupReuse{Groups: 220, Distance: 32 * kib}, false, false},
		{"far behind, but begun together", idg.GroupReuse{Groups: 219}, true, true},
	} {
		c.r.Sectors = 320
		read := seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Groups: []idg.GroupReuse{c.r}, Cold: 320}}
		f := &idg.Footprint{SectorBytes: 64, ReadBytes: 40 * kib, LaunchReadBytes: 400 * mib}
		g := launchThat(t, c.waits, 0, 64, 20_000, 0, f, read)
		served := mapWith(t, "mi250x", g, Options{ConcurrentGroups: 2}).Entry(1).Served
		if got := served.L2 > served.Memory/2; got != c.inside {
			t.Errorf("%s: served %v", c.name, served)
		}
	}
}
