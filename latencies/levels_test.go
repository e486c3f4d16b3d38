package latencies

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
)

const (
	kib = 1 << 10
	mib = 1 << 20
)

// seen is one access of a test launch: what of its sectors was touched before.
type seen struct {
	space         idg.Space
	store, atomic bool
	integer       bool
	uniform       bool // a load that is the same in all lanes
	combined      bool // an atomic of which the compiler knows that all lanes update one word
	stride        int64
	l             idg.Locality
}

// launchOf is a graph of a launch of so many groups of 8 warps that executes the
// accesses once.
func launchOf(t testing.TB, warp int, groups, localBytes int64, f *idg.Footprint, accesses ...seen) *idg.Graph {
	t.Helper()
	return launchThat(t, false, 0, warp, groups, localBytes, f, accesses...)
}

// launchThat is launchOf; waits says that the group ends with a barrier, so that its groups are taken to begin
// together, and edge how many groups execute the first access alone.
func launchThat(t testing.TB, waits bool, edge int64, warp int, groups, localBytes int64, f *idg.Footprint,
	accesses ...seen) *idg.Graph {
	t.Helper()
	b := idg.NewBuilder()
	b.Begin(0)
	for i, s := range accesses {
		op := "ld."
		switch {
		case s.atomic:
			op = "atomic.add."
			if s.combined {
				op += "combined."
			}
		case s.store:
			op = "st."
		}
		typ := "f32"
		if s.integer {
			typ = "s32"
		}
		a := strided(s.space, warp, 0, s.stride, 4)
		a.Store = s.store || s.atomic
		a.Offsets = append([]int64(nil), a.Offsets...)
		op += s.space.String()
		if s.uniform {
			op += ".uniform"
		}
		b.Add(b.Instr(idg.Instr{Op: op, Type: typ, Lanes: uint8(warp), Access: b.Access(*a),
			Pos: idg.Pos{File: "k.cl", Line: i + 1}}))
	}
	if waits {
		b.Add(b.Instr(idg.Instr{Op: "barrier", Lanes: uint8(warp),
			Pos: idg.Pos{File: "k.cl", Line: len(accesses) + 1}}))
	}
	if edge > 0 {
		b.BeginKind(0, edge)
		b.Begin(0)
		b.Add(1)
	}
	g, err := b.Build(idg.Header{Kernel: "k", Resources: idg.Resources{LocalBytes: localBytes},
		Launch: idg.Launch{Local: [3]int64{int64(8 * warp), 1, 1}, Groups: [3]int64{groups, 1, 1}, WarpSize: warp}})
	if err != nil {
		t.Fatal(err)
	}
	g.Locality, g.Footprint = []idg.Locality{}, f
	for i, s := range accesses {
		l := s.l
		l.Instr = idg.InstrID(i + 1)
		l.Sectors = l.Cold
		for _, r := range append(append([]idg.Reuse(nil), l.Warp...), l.Group...) {
			l.Sectors += r.Sectors
		}
		l.Sectors += firstTouches(&l)
		g.Locality = append(g.Locality, l)
	}
	return g
}

func mapWith(t testing.TB, gpu string, g *idg.Graph, o Options) *Mapping {
	t.Helper()
	m, err := NewMapper(builtin(t, gpu), nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.MapWith(g, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Verify(g); err != nil {
		t.Fatal(err)
	}
	return out
}

func reuse(distance, sectors int64) []idg.Reuse {
	return []idg.Reuse{{Distance: distance, Sectors: sectors}}
}
func earlier(groups, sectors int64) []idg.GroupReuse {
	return []idg.GroupReuse{{Groups: groups, Sectors: sectors}}
}

// The levels, worked out by hand. A100: L1 1.02/33, 192 KiB less local memory; L2
// 3.61/202.8 near, 408 far, 40 MiB, of which others find all of 18 MiB; memory 13.08/481. Reads are of 4 sectors,
// coalesced. All sectors that L1 does not serve pass L2, those from device memory that as well; λ is that of
// whichever is busy longer.
func TestLevels(t *testing.T) {
	g := idg.SpaceGlobal
	small := &idg.Footprint{LaunchReadBytes: 10 * mib}
	large := &idg.Footprint{LaunchReadBytes: 100_000 * 320 * 32}
	apart := &idg.Footprint{ReadBytes: 64 * kib, LaunchReadBytes: 100_000 * 64 * kib}
	sharing := &idg.Footprint{ReadBytes: 64 * kib, LaunchReadBytes: 100_000 * 10 * kib}
	written := &idg.Footprint{LaunchReadBytes: 100_000 * 318 * 32, LaunchWrittenBytes: 100_000 * 2 * 32}
	for _, c := range []struct {
		name, gpu    string
		groups       int64 // concurrent, per compute unit
		local        int64
		f            *idg.Footprint
		a            seen
		served       Served
		cpi, latency string
		subsystem    string
	}{
		{"cold", "a100", 8, 0, large, seen{space: g, stride: 4, l: idg.Locality{Cold: 4}}, Served{Memory: 4}, "13.08",
			"481", "global"},
		{"in L1: its stage of 1.02 is all", "a100", 8, 0, large,
			seen{space: g, stride: 4, l: idg.Locality{Warp: reuse(kib, 4)}}, Served{L1: 4}, "1.02", "33", "local"},
		{"by another warp", "a100", 8, 0, large, seen{space: g, stride: 4, l: idg.Locality{Group: reuse(kib, 4)}},
			Served{L1: 4}, "1.02", "33", "local"},
		{"8 groups x 23 KiB fit into 184 KiB", "a100", 8, 0, large,
			seen{space: g, stride: 4, l: idg.Locality{Group: reuse(23*kib, 4)}}, Served{L1: 4}, "1.02", "33", "local"},
		{"8 groups x 24 KiB do not", "a100", 8, 0, large,
			seen{space: g, stride: 4, l: idg.Locality{Group: reuse(24*kib, 4)}}, Served{L2: 4}, "3.61", "305.4", "l2"},
		{"alone it would", "a100", 1, 0, large, seen{space: g, stride: 4, l: idg.Locality{Group: reuse(24*kib, 4)}},
			Served{L1: 4}, "1.02", "33", "local"},
		{"local memory leaves 24 KiB", "a100", 8, 20 * kib, large,
			seen{space: g, stride: 4, l: idg.Locality{Group: reuse(4*kib, 4)}}, Served{L2: 4}, "3.61", "305.4", "l2"},
		{"nothing is known of the launch", "a100", 8, 20 * kib, nil,
			seen{space: g, stride: 4, l: idg.Locality{Group: reuse(4*kib, 3), Cold: 1}}, Served{L2: 3, Memory: 1},
			"3.61", "349.3", "l2"},
		{"one half of L2 holds the launch", "a100", 8, 20 * kib, small,
			seen{space: g, stride: 4, l: idg.Locality{Group: reuse(4*kib, 3), Cold: 1}}, Served{L2: 3, Memory: 1},
			"3.61", "272.35", "l2"},
		// λ = 0.75·13.08, Λ = 33/4 + 481·3/4; L1's stage is shorter.
		{"a quarter in L1", "a100", 8, 0, large,
			seen{space: g, stride: 4, l: idg.Locality{Warp: reuse(kib, 1), Cold: 3}}, Served{L1: 1, Memory: 3}, "9.81",
			"369", "global"},
		{"864 groups x 64 KiB exceed L2", "a100", 8, 0, apart,
			seen{space: g, stride: 4, l: idg.Locality{Group: reuse(64*kib, 4)}}, Served{Memory: 4}, "13.08",
			"481", "global"},
		{"but not if 1,728 groups add 10 KiB each", "a100", 8, 0, sharing,
			seen{space: g, stride: 4, l: idg.Locality{Group: reuse(64*kib, 4)}}, Served{L2: 4}, "3.61", "305.4", "l2"},
		{"but not a small launch", "a100", 8, 0, small,
			seen{space: g, stride: 4, l: idg.Locality{Group: reuse(64*kib, 3), Cold: 1}}, Served{L2: 3, Memory: 1},
			"3.61", "272.35", "l2"},
		// Of 10,240 bytes that each of the 100,000 groups adds.
		{"at the same time", "a100", 8, 0, large,
			seen{space: g, stride: 4, l: idg.Locality{Groups: earlier(863, 960), Cold: 320}},
			Served{L2: 960, Memory: 320}, "3.61", "349.3", "l2"},
		{"1,700 groups back are 16.6 MiB", "a100", 8, 0, large,
			seen{space: g, stride: 4, l: idg.Locality{Groups: earlier(1700, 960), Cold: 320}},
			Served{L2: 960, Memory: 320}, "3.61", "349.3", "l2"},
		{"4,100 groups back are 40.04 MiB", "a100", 8, 0, large,
			seen{space: g, stride: 4, l: idg.Locality{Groups: earlier(4100, 960), Cold: 320}}, Served{Memory: 1280},
			"13.08", "481", "global"},
		// 0.6% of what the launch moves are writes.
		{"stores pass L1 by", "a100", 8, 0, written,
			seen{space: g, store: true, stride: 4, l: idg.Locality{Warp: reuse(kib, 2), Cold: 2}},
			Served{L2: 2, Memory: 2}, "6.55", "393.2", "global"},
		// 16 sectors: 4 times the traffic, and Λ longer by the 3 that come after.
		{"stride 4: 4 passes over L1's banks", "a100", 8, 0, large,
			seen{space: g, stride: 16, l: idg.Locality{Warp: reuse(kib, 16)}}, Served{L1: 16}, "4", "35.98", "local"},
		{"stride 4, cold: R = 4", "a100", 8, 0, large, seen{space: g, stride: 16, l: idg.Locality{Cold: 16}},
			Served{Memory: 16}, "52.32", "520.24", "global"},
		{"one sector for all lanes", "a100", 8, 0, large, seen{space: g, stride: 0, l: idg.Locality{Cold: 1}},
			Served{Memory: 1}, "3.27", "481", "global"},
		{"Kepler's L1 serves no reads", "gtx650ti", 8, 0, small,
			seen{space: g, stride: 4, l: idg.Locality{Warp: reuse(kib, 3), Cold: 1}}, Served{L2: 3, Memory: 1}, "4.29",
			"225", "l2"},
		{"Pascal's none but images", "gtx1060", 8, 0, small,
			seen{space: g, stride: 4, l: idg.Locality{Warp: reuse(kib, 3), Cold: 1}}, Served{L2: 3, Memory: 1}, "4",
			"248.25", "l2"},
		{"images", "gtx1060", 8, 0, small,
			seen{space: idg.SpaceImage, stride: 4, l: idg.Locality{Warp: reuse(kib, 3), Cold: 1}},
			Served{L1: 3, Memory: 1}, "8.15", "147.75", "l1"},
		{"no figures of caches", "gtx280", 8, 0, small,
			seen{space: g, stride: 4, l: idg.Locality{Warp: reuse(kib, 3), Cold: 1}}, Served{Memory: 4}, "36.1",
			"434", "global"},
		{"Infinity Cache", "w6600", 2, 0, large,
			seen{space: g, stride: 4, l: idg.Locality{Groups: earlier(1000, 960), Cold: 320}},
			Served{L3: 960, Memory: 320}, "13.62", "469.5", "l3"},
	} {
		g := launchOf(t, builtin(t, c.gpu).WarpSize, 100_000, c.local, c.f, c.a)
		m := mapWith(t, c.gpu, g, Options{ConcurrentGroups: c.groups})
		e := m.Entry(1)
		if e.Served != c.served {
			t.Errorf("%s, %s: served %+v, want %+v", c.gpu, c.name, e.Served, c.served)
		}
		if e.Timing != timing(t, c.cpi, c.latency) || m.Subsystems[e.Subsystem] != c.subsystem {
			t.Errorf("%s, %s: %v/%v on %s, want %s/%s on %s", c.gpu, c.name, e.Timing.CPI, e.Timing.Latency,
				m.Subsystems[e.Subsystem], c.cpi, c.latency, c.subsystem)
		}
		if !strings.Contains(e.Source, "; by level: "+c.served.String()) {
			t.Errorf("%s, %s: the source is %q", c.gpu, c.name, e.Source)
		}
	}
}

// What the groups of the launch bring from memory together is brought, even if the
// group of the graph finds it all there: 1 of 4 sectors each for 100 groups that
// read 32 bytes each, from the class that finds more thanks to others.
func TestCompulsoryTraffic(t *testing.T) {
	read := seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Groups: earlier(1, 4)}}
	own := seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Warp: reuse(kib, 4)}}
	write := seen{space: idg.SpaceGlobal, store: true, stride: 4, l: idg.Locality{Cold: 4}}
	f := &idg.Footprint{LaunchReadBytes: 100 * 32, LaunchWrittenBytes: 100 * 128, Estimated: true}
	g := launchOf(t, 32, 100, 0, f, read, own, write)
	m := mapWith(t, "gtx1060", g, Options{})
	if got := m.Entry(1).Served; got != (Served{L2: 3, Memory: 1}) {
		t.Errorf("served %+v", got)
	}
	if got := m.Entry(2).Served; got != (Served{L2: 4}) {
		t.Errorf("what the warp itself has brought: served %+v", got)
	}
	want := Traffic{ReadBytes: 3200, WrittenBytes: 12800, LeftBytes: 12800, CompulsoryReadBytes: 3200,
		CompulsoryWrittenBytes: 12800, Estimated: true, L2ReadSectors: 800, L2WrittenSectors: 400}
	if m.Traffic == nil || *m.Traffic != want {
		t.Errorf("traffic %+v, want %+v", m.Traffic, want)
	}
	var b strings.Builder
	if err := m.Explain(&b, g); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"L2 75%, memory 25%",
		"3200 bytes read, 12800 written, of which 12800 after the launch; at least 3200 read, 12800 written by"} {
		if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), text) {
			t.Errorf("no %q in\n%s", text, b.String())
		}
	}
}

// What a load has brought and a store changes is written to device memory once, by
// stores together: saxpy in place moves as much as three streams. Of a place that all
// groups write each has its hundredth.
func TestWrittenBack(t *testing.T) {
	load := seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Cold: 4}}
	inPlace := seen{space: idg.SpaceGlobal, store: true, stride: 4, l: idg.Locality{Warp: reuse(128, 4)}}
	each := &idg.Footprint{LaunchReadBytes: 2 * 100 * 128, LaunchWrittenBytes: 100 * 128}
	for _, c := range []struct {
		name     string
		f        *idg.Footprint
		accesses []seen
		served   []Served
	}{
		{"once", each, []seen{load, load, inPlace}, []Served{{Memory: 4}, {Memory: 4}, {Memory: 4}}},
		{"twice", each, []seen{load, load, inPlace, inPlace}, []Served{{Memory: 4}, {Memory: 4}, {L2: 2, Memory: 2},
			{L2: 2, Memory: 2}}},
		{"after a store of its own", each,
			[]seen{load, load, {space: idg.SpaceGlobal, store: true, stride: 4, l: idg.Locality{Cold: 4}}, inPlace},
			[]Served{{Memory: 4}, {Memory: 4}, {Memory: 4}, {L2: 4}}},
		{"one place for all groups", &idg.Footprint{LaunchReadBytes: 100 * 128, LaunchWrittenBytes: 128},
			[]seen{load, inPlace}, []Served{{Memory: 4}, {L2: 3.96, Memory: 0.04}}},
	} {
		m := mapWith(t, "gtx1060", launchOf(t, 32, 100, 0, c.f, c.accesses...), Options{})
		for i, want := range c.served {
			if got := m.Entry(idg.InstrID(i + 1)).Served; got != want {
				t.Errorf("%s: access %d is served %+v, want %+v", c.name, i+1, got, want)
			}
		}
	}
}

// Of a launch whose groups are not a multiple of the 108 units, units with one more than others
// have what these do not ask for: half of the A100's units have λ = 13.08/2, and a few
// no less than L2's 3.61, 0.276 of it; so 760 groups, 7 for each unit and 4 more, take
// (7 + 0.276)/8, and 130, which leave 22, (1 + 0.276)/2. Latencies are what they are.
func TestUnitsAtWork(t *testing.T) {
	for _, c := range []struct {
		gpu         string
		groups      int64
		cpi         string
		unitsAtWork UnitsAtWork
	}{
		{"a100", 864, "13.08", UnitsAtWork{864, 8}}, {"a100", 760, "11.89", UnitsAtWork{760, 8}},
		{"a100", 810, "12.27", UnitsAtWork{810, 8}},
		{"a100", 130, "8.35", UnitsAtWork{130, 2}}, {"a100", 162, "9.81", UnitsAtWork{162, 2}},
		{"a100", 108, "13.08", UnitsAtWork{108, 1}}, {"a100", 54, "6.54", UnitsAtWork{54, 1}},
		{"a100", 2, "3.61", UnitsAtWork{2, 1}},
		{"gtx280", 1, "36.1", UnitsAtWork{1, 1}}, // nothing is known of its L2
	} {
		f := &idg.Footprint{LaunchReadBytes: c.groups * 128}
		m := mapWith(t, c.gpu, launchOf(t, builtin(t, c.gpu).WarpSize, c.groups, 0, f,
			seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Cold: 4}}), Options{})
		f = &idg.Footprint{LaunchReadBytes: 1080 * 128}
		all := mapWith(t, c.gpu, launchOf(t, builtin(t, c.gpu).WarpSize, 1080, 0, f,
			seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Cold: 4}}), Options{})
		if got := m.Entry(1).Timing; got != (Timing{timing(t, c.cpi, "1").CPI, all.Entry(1).Timing.Latency}) ||
			m.UnitsAtWork != c.unitsAtWork {
			t.Errorf("%s, %d groups: %v/%v, %v units at work; want λ = %s, %v", c.gpu, c.groups, got.CPI, got.Latency,
				m.UnitsAtWork, c.cpi, c.unitsAtWork)
		}
	}
}

// Without locality the options change nothing; with it, M follows from the resources
// unless it is given.
func TestOptions(t *testing.T) {
	g := launchOf(t, 32, 100_000, 0, nil,
		seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Warp: reuse(16*kib, 4)}})
	for _, c := range []struct {
		o    Options
		want Served
	}{
		{Options{}, Served{L1: 4}}, // 8 groups of 8 warps
		{Options{ConcurrentGroups: 16}, Served{L2: 4}},
		{Options{Registers: 255}, Served{L1: 4}}, // one group
	} {
		if got := mapWith(t, "a100", g, c.o).Entry(1).Served; got != c.want {
			t.Errorf("%+v: served %+v, want %+v", c.o, got, c.want)
		}
	}
	g.Locality = nil
	if a, b := mapWith(t, "a100", g, Options{}).Entry(1),
		mapWith(t, "a100", g, Options{ConcurrentGroups: 1, ComputeUnits: 1, Registers: 9}).Entry(1); *a != *b ||
		a.Served.Total() != 0 {
		t.Errorf("without locality %+v and %+v", a, b)
	}
	o := Options{}.withDefaults(builtin(t, "a100"), launchOf(t, 32, 3*108, 40*kib, nil))
	if o.ConcurrentGroups != 3 || o.ComputeUnits != 108 {
		t.Errorf("M and P are %+v; local memory takes 4 groups, the launch has 3 for each unit", o)
	}
}

// L1's stage against strided reads as measured (gpu-benches, gpu-strides: cycles
// per 32-lane load of floats, by stride in floats). The rule is within 10%.
func TestL1Strides(t *testing.T) {
	for gpu, measured := range map[string]map[int64]float64{
		"a100": {0: 1.02, 1: 1.02, 2: 2, 3: 1.63, 4: 4, 5: 2.2, 7: 2.67, 8: 8, 16: 16, 31: 8.5, 32: 32,
			33: 8.8, 64: 32},
		// the A40, the same chip
		"a6000": {0: 2, 1: 2, 2: 2, 3: 2, 4: 4, 5: 2.2, 8: 8, 16: 16, 31: 8.5, 32: 32, 33: 8.8, 64: 32},
		"h200":  {0: 1.01, 1: 1.01, 2: 2.01, 3: 1.63, 4: 4.01, 5: 2, 7: 2.41, 8: 8},
	} {
		d := builtin(t, gpu)
		for stride, want := range measured {
			x := exact{}
			got := x.l1CPI(d.Memory.L1, strided(idg.SpaceGlobal, 32, 0, 4*stride, 4), 128)
			if e := got.Float()/want - 1; x.err != nil || math.Abs(e) > 0.1 {
				t.Errorf("%s: stride %d takes %v cycles, measured %v (%+.0f%%)", gpu, stride, got, want, 100*e)
			}
		}
	}
}

// An access keeps L1 busy for its bytes at L1's rate, and for what one transaction brings at least, where neither banks
// nor lines take longer.
func TestL1Bytes(t *testing.T) {
	l1 := &L1{}
	l1.CPI = lowest(3, 2)
	for _, c := range []struct {
		lanes int
		width uint16
		times float64
	}{
		{32, 4, 1}, {32, 8, 2}, {32, 16, 4}, {16, 16, 2}, {16, 8, 1}, {16, 4, 1}, {1, 4, 1},
	} {
		x := exact{}
		got := x.l1CPI(l1, strided(idg.SpaceGlobal, c.lanes, 0, int64(c.width), c.width), 128)
		if want := 1.5 * c.times; x.err != nil || got.Float() != want {
			t.Errorf("%d lanes of %d bytes take %v cycles, want %v", c.lanes, c.width, got, want)
		}
	}
}

// Whatever the locality: the sectors add up, λ and Λ lie between those of the
// fastest and the slowest level, and the launch moves no less than it must.
func TestLevelsProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range tools.Cases(2000, 400) {
		f := &idg.Footprint{LaunchReadBytes: rng.Int64N(1 << 32), LaunchWrittenBytes: rng.Int64N(1 << 20)}
		l := idg.Locality{Cold: 1 + rng.Int64N(8), Warp: reuse(32<<rng.IntN(24), 1+rng.Int64N(9)),
			Group:  reuse(32<<rng.IntN(24), rng.Int64N(9)),
			Groups: earlier(1+rng.Int64N(1<<rng.IntN(16)), rng.Int64N(1<<20))}
		groups := 1 + rng.Int64N(1<<16)
		if found := firstTouches(&l); rng.IntN(2) == 0 && found > 0 { // no more than these can be found in L1
			l.Shared = 1 + rng.Int64N(min(found, 1<<rng.IntN(20)))
			f.SharedBytes = 32 * l.Shared
			f.ReadBytes = f.SharedBytes + 32*rng.Int64N(1<<rng.IntN(16))
			f.LaunchReadBytes = min(f.LaunchReadBytes, 32*(groups*(found-l.Shared+l.Cold)+l.Shared))
		}
		for _, name := range []string{"a100", "gtx1060", "w6600", "mi300x"} {
			d := builtin(t, name)
			g := launchOf(t, d.WarpSize, groups, rng.Int64N(8)*kib, f, seen{space: idg.SpaceGlobal, stride: 4, l: l})
			m := mapWith(t, name, g, Options{ConcurrentGroups: 1 + rng.Int64N(32)})
			e := m.Entry(1)
			if math.Abs(e.Served.Total()-float64(g.Locality[0].Sectors)) > 1e-6 ||
				min(e.Served.L1, e.Served.L2, e.Served.L3, e.Served.Memory) < 0 {
				t.Fatalf("%s: %d sectors served as %+v", name, g.Locality[0].Sectors, e.Served)
			}
			slowest := entry(t, d, "ld.global").Timing
			for _, level := range []*Cache{d.Memory.L1.cache(), d.Memory.L2, d.Memory.L3} {
				if level != nil && level.CPI.Cmp(slowest.CPI) > 0 {
					slowest.CPI = level.CPI
				}
			}
			// 0.2%: shares are rounded to 1/1000.
			if e.Timing.CPI.Float() > 1.002*slowest.CPI.Float() ||
				e.Timing.Latency.Float() > 1.002*slowest.Latency.Float() {
				t.Fatalf("%s: %v/%v for %+v", name, e.Timing.CPI, e.Timing.Latency, e.Served)
			}
			// Groups that find more thanks to others can make up for all of it.
			if found := firstTouches(&g.Locality[0]); found+l.Cold >= f.LaunchReadBytes/(32*groups)+1 &&
				m.Traffic.ReadBytes < f.LaunchReadBytes {
				t.Fatalf("%s: %d bytes read of at least %d", name, m.Traffic.ReadBytes, f.LaunchReadBytes)
			}
		}
	}
}
