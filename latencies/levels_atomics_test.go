package latencies

import (
	"testing"

	"gpupipe/idg"
)

// Updates of one word are 1.06 cycles apart (A100), so that each of the 108 units has one in
// 114.48 cycles: of a counter of which the compiler combines a warp's updates; of any other, of
// integers as of floats, it has those of 32 lanes in 32 times as long; 32 counters, or more.
// Words of a group's own are updated as fast as the memory moves them.
func TestAtomicsOfAllGroups(t *testing.T) {
	at := func(combined bool, stride int64, l idg.Locality) seen {
		return seen{space: idg.SpaceGlobal, atomic: true, integer: true, combined: combined, stride: stride, l: l}
	}
	for _, c := range []struct {
		name           string
		a              seen
		written        int64 // sectors by the launch
		cpi, subsystem string
	}{
		{"one that all lanes are known to update", at(true, 0, idg.Locality{Groups: earlier(1, 1)}), 1, "114.48",
			"atomics"},
		{"one that all lanes happen to update", at(false, 0, idg.Locality{Groups: earlier(1, 1)}), 1, "3663.36",
			"atomics"},
		{"32 integers", at(false, 4, idg.Locality{Groups: earlier(1, 4)}), 4, "114.48", "atomics"},
		{"32 integers of each second group", at(false, 4, idg.Locality{Groups: earlier(2, 4)}), 8, "57.24", "atomics"},
		{"32 integers of each row, whose groups follow another", at(false, 4, idg.Locality{Groups: earlier(1, 4)}), 16,
			"28.62", "atomics"},
		// 64 and 512 sectors with 8 words each, of which an execution updates 32.
		{"512 integers by 16 executions", at(false, 4, idg.Locality{Groups: earlier(1, 64)}), 64, "7.16", "atomics"},
		{"4,096 integers by 128 executions", at(false, 4, idg.Locality{Groups: earlier(1, 512)}), 512, "3.61", "l2"},
		// 2 × 13.08, half of it writes: × 1.079
		{"each group its own", at(false, 4, idg.Locality{Cold: 4}), 4 * 10_800, "28.23", "global"},
	} {
		f := &idg.Footprint{LaunchReadBytes: 10_800 * 128, LaunchWrittenBytes: 32 * c.written}
		m := mapWith(t, "a100", launchOf(t, 32, 10_800, 0, f, c.a), Options{ConcurrentGroups: 8})
		if e := m.Entry(1); e.Timing.CPI != timing(t, c.cpi, "1").CPI || m.Subsystems[e.Subsystem] != c.subsystem {
			t.Errorf("%s: λ = %v on %s, want %s on %s (%s)", c.name, e.Timing.CPI, m.Subsystems[e.Subsystem], c.cpi,
				c.subsystem, e.Source)
		}
	}
}

// A counter that the group touched before, by a load or another update, is updated by all
// groups just the same: 32 floats at one word, and at most as many words as the launch
// touches of the buffer.
func TestAtomicsOfWordsTouchedBefore(t *testing.T) {
	again := idg.Locality{Warp: []idg.Reuse{{Distance: 32, Sectors: 1}}}
	update := seen{space: idg.SpaceGlobal, atomic: true, l: again}
	for _, c := range []struct {
		name           string
		first          seen
		cpi, subsystem string
	}{
		{"looked at first", seen{space: idg.SpaceGlobal, l: idg.Locality{Groups: earlier(1, 1)}}, "3663.36", "atomics"},
		{"updated twice", seen{space: idg.SpaceGlobal, atomic: true, l: idg.Locality{Groups: earlier(1, 1)}}, "3663.36",
			"atomics"},
		{"somewhere in 64 sectors", seen{space: idg.SpaceGlobal, l: idg.Locality{Groups: earlier(1, 64)}}, "57.24",
			"atomics"},
		{"among each group's own", seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Cold: 4}}, "", "global"},
	} {
		f := &idg.Footprint{LaunchReadBytes: 1_000_000, LaunchWrittenBytes: 32 * max(1, 10_800*c.first.l.Cold)}
		m := mapWith(t, "a100", launchOf(t, 32, 10_800, 0, f, c.first, update), Options{ConcurrentGroups: 8})
		e := m.Entry(2)
		if m.Subsystems[e.Subsystem] == c.subsystem && (c.cpi == "" || e.Timing.CPI == timing(t, c.cpi, "1").CPI) {
			continue
		}
		t.Errorf("%s: λ = %v on %s, want %s on %s (%s)", c.name, e.Timing.CPI, m.Subsystems[e.Subsystem], c.cpi,
			c.subsystem, e.Source)
	}
}

// Histograms: the words of a site that warps of a group share are all that they touch first. One
// bin with half of the updates takes at least a quarter of what a single one does.
func TestHistograms(t *testing.T) {
	f := &idg.Footprint{LaunchReadBytes: 1_000_000, LaunchWrittenBytes: 2048}
	bins := func(lane func(warp, lane int) int64) *Mapping {
		b := idg.NewBuilder()
		b.Begin(0)
		for w := range 4 {
			a := idg.Access{Space: idg.SpaceGlobal, Width: 4, Store: true, Buffer: "bins"}
			for l := range 32 {
				a.Offsets = append(a.Offsets, 4*lane(w, l))
			}
			b.Add(b.Instr(idg.Instr{Op: "atomic.add.global", Type: "s32", Lanes: 32, Access: b.Access(a),
				Pos: idg.Pos{File: "k.cl", Line: 1}}))
		}
		g,
			err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1},
			Groups: [3]int64{10_800, 1, 1}, WarpSize: 32}})
		if err != nil {
			t.Fatal(err)
		}
		g.Footprint, g.Locality = f, []idg.Locality{}
		for i := range 4 {
			l := idg.Locality{Instr: idg.InstrID(i + 1), Sectors: 16, Groups: earlier(1, int64(16-4*i))}
			if i > 0 {
				l.Group = []idg.Reuse{{Distance: 1024, Sectors: int64(4 * i)}}
			}
			g.Locality = append(g.Locality, l)
		}
		return mapWith(t, "a100", g, Options{ConcurrentGroups: 8})
	}
	for _, c := range []struct {
		name     string
		lane     func(warp, lane int) int64
		min, max float64 // λ of the last warp's execution, of which 3,663 is that of one word
	}{
		// 16 + 12 + 8 + 4 sectors of 8 words: L2 takes longer for its transactions.
		{"even", func(w, l int) int64 { return int64(l*37+w*11) % 512 }, 3663.0 / 320, 25},
		{"half of them in one", func(w, l int) int64 {
			if l%2 == 0 {
				return 7
			}
			return int64(l*37+w*11) % 512
		}, 3663.0 / 4.5, 3663.0 / 2},
	} {
		m := bins(c.lane)
		if e := m.Entry(4); e.Timing.CPI.Float() < c.min || e.Timing.CPI.Float() > c.max {
			t.Errorf("%s: λ = %v, want %.1f to %.1f (%s)", c.name, e.Timing.CPI, c.min, c.max, e.Source)
		}
	}
}

// Floating-point words of GA10x are updated at a third of the rate of integers.
func TestFloatAtomics(t *testing.T) {
	interval := func(gpu, kind string) float64 {
		m := builtin(t, gpu).Memory
		return m.atomicInterval(&idg.Instr{Op: "atomic.global", Type: kind}).Float()
	}
	if f, i := interval("rtx3090", "f32"), interval("rtx3090", "s32"); f != 3 || i != 1.06 {
		t.Errorf("an RTX 3090 updates floats every %v cycles, integers every %v", f, i)
	}
	if f, i := interval("v100", "f32"), interval("v100", "s32"); f != i {
		t.Errorf("a V100 updates floats every %v cycles, integers every %v", f, i)
	}
}
