package latencies

import (
	"math"
	"testing"

	"gpupipe/idg"
)

// What an L2 of 35 MB with lines of 128 bytes holds of an object that is read at places by chance. Of 64 MB, 4.2
// million reads by a kernel that writes 4 bytes for each: on an H100 188.5 MB came from device memory in parts of 64
// bytes (gather_hashed), so that 0.30 were found.
func TestFoundByChance(t *testing.T) {
	h := &hierarchy{l2: 34952533, l2All: 52428800, l2Line: 128, l2Timing: timing(t, "3.69", "311")}
	const reads = 1 << 22
	for _, c := range []struct {
		name     string
		p        places
		fetch    int64
		min, max float64
	}{
		{"64 MB", places{bytes: 1 << 26, requested: reads, beside: 4 * reads}, 64, 0.23, 0.33},
		{"4 MB", places{bytes: 1 << 22, requested: 8 * reads, beside: 8 * reads}, 64, 0.99, 1},
		{"anywhere", places{requested: reads, beside: 4 * reads}, 64, 0, 0},
		{"each once", places{bytes: 1 << 26, requested: 1 << 20}, 64, 0, 0},
		{"whole lines", places{bytes: 1 << 26, requested: 1 << 28}, 128, 0.51, 0.53},
	} {
		if got := h.foundByChance(c.p, c.fetch); got < c.min || got > c.max {
			t.Errorf("%s: %.3f found, want %v to %v", c.name, got, c.min, c.max)
		}
	}
}

// Accesses at unknown addresses: what they can reach decides what an earlier launch has left of it in L2; how
// far scattered ones go is not known, and each fetches 64 bytes.
func TestUnknownServed(t *testing.T) {
	const groups = 1 << 17
	for _, c := range []struct {
		name   string
		within int64
		rule   string
		warm   bool
		l2     float64 // part that L2 serves
		read   float64 // MB in the launch
	}{
		{"coalesced", 0, "", false, 0, 16.8},
		{"coalesced, within 1 MB", 1 << 20, "", false, 0.9375, 1.05},
		{"coalesced, after another launch", 0, "", true, 1, 0},
		{"scattered anywhere", 0, "global(x):addresses=scattered", false, 0, 268.4},
		{"scattered in 1 MB", 1 << 20, "global(x):addresses=scattered", false, 0.996, 1.05},
		{"told to be in 1 MB", 0, "global(x):addresses=scattered,within=1048576", false, 0.996, 1.05},
	} {
		g := accessing(t, "ld.global", idg.Access{Space: idg.SpaceGlobal, Width: 4, Buffer: "x", Assumed: "why",
			Within: c.within})
		g.Launch = idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{groups, 1, 1}, WarpSize: 32}
		g.Footprint, g.Locality = &idg.Footprint{}, []idg.Locality{}
		var rules []Rule
		if c.rule != "" {
			r, err := ParseRule(c.rule)
			if err != nil {
				t.Fatal(err)
			}
			rules = append(rules, r)
		}
		mapper, err := NewMapper(builtin(t, "h100sxm"), rules)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mapper.MapWith(g, Options{Warm: c.warm})
		if err != nil {
			t.Fatal(err)
		}
		s := m.Entry(1).Served
		if l2, read := s.L2/s.Total(), float64(m.Traffic.ReadBytes)/1e6; math.Abs(l2-c.l2) > 0.002 ||
			math.Abs(read-c.read) > 0.02*max(1, c.read) {
			t.Errorf("%s: %.4f from L2, %.2f MB read, want %v and %v (%s)", c.name, l2, read, c.l2, c.read,
				m.Entry(1).Source)
		}
	}
}

// TestUnknownLoaded: the least that a launch reads are the bytes that its loads, not its stores, reach at unknown
// addresses: no more of a buffer than there is, whole parts of what device memory fetches for scattered ones.
func TestUnknownLoaded(t *testing.T) {
	const groups, sectors = 1 << 10, 4 // of a warp whose lanes are side by side
	for _, c := range []struct {
		name          string
		loads, stores int
		rule          string
		within, want  int64
	}{
		{"a load", 1, 0, "", 0, groups * sectors * 32},
		{"a store", 0, 1, "", 0, 0},
		{"both", 1, 1, "", 0, groups * sectors * 32},
		{"two loads and three stores", 2, 3, "", 0, 2 * groups * sectors * 32},
		{"a load in 4 KiB", 1, 1, "", 4 * kib, 4 * kib},
		{"a scattered load", 1, 1, "global(x):addresses=scattered", 0, groups * 32 * 64},
		{"a scattered store", 0, 1, "global(x):addresses=scattered", 0, 0},
	} {
		b := idg.NewBuilder()
		b.Begin(0)
		for i := range c.loads + c.stores {
			op := "ld.global"
			if i >= c.loads {
				op = "st.global"
			}
			b.Add(b.Instr(idg.Instr{Op: op, Type: "f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 4 + i},
				Access: b.Access(idg.Access{Space: idg.SpaceGlobal, Width: 4, Buffer: "x", Assumed: "why", Within: c.within,
					Store: i >= c.loads})}))
		}
		g, err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1},
			Groups: [3]int64{groups, 1, 1}, WarpSize: 32}})
		if err != nil {
			t.Fatal(err)
		}
		g.Footprint, g.Locality = &idg.Footprint{}, []idg.Locality{}
		var rules []string
		if c.rule != "" {
			rules = append(rules, c.rule)
		}
		if got := mapped(t, builtin(t, "h100sxm"), g, rules...).Traffic.CompulsoryReadBytes; got != c.want {
			t.Errorf("%s: at least %d bytes are read, want %d", c.name, got, c.want)
		}
	}
}

// Lanes that go on where they were before find their sectors in L1: of linear probing by 4 bytes seven of eight, as far
// as L1 has a line for each lane of the resident warps.
func TestNearInL1(t *testing.T) {
	for _, c := range []struct {
		near, items int64
		min, max    float64
	}{{0, 32, 0, 0}, {4, 32, 0.87, 0.88}, {16, 32, 0.49, 0.51}, {32, 32, 0, 0}, {4, 1024, 0.84, 0.88}} {
		g := accessing(t, "ld.global", idg.Access{Space: idg.SpaceGlobal, Width: 4, Buffer: "x", Assumed: "why",
			Near: c.near})
		g.Launch = idg.Launch{Local: [3]int64{c.items, 1, 1}, Groups: [3]int64{1 << 17, 1, 1}, WarpSize: 32}
		g.Footprint, g.Locality = &idg.Footprint{}, []idg.Locality{}
		m := mapped(t, builtin(t, "h100sxm"), g, "global(x):addresses=scattered")
		s := m.Entry(1).Served
		if l1 := s.L1 / s.Total(); l1 < c.min || l1 > c.max {
			t.Errorf("%d bytes away, groups of %d: %.3f in L1, want %v to %v", c.near, c.items, l1, c.min, c.max)
		}
	}
}

// TestRandomLatency: an access by which every lane reads a place by chance takes Λ of V16 T.6.2.
func TestRandomLatency(t *testing.T) {
	for name, want := range map[string]string{
		"8800gtx": "644", "gtx280": "662", "gtx480": "1571", "gtx680": "1213", "gtx980": "534"} {
		g := accessing(t, "ld.global", idg.Access{Space: idg.SpaceGlobal, Width: 4, Buffer: "x", Assumed: "why"})
		g.Launch = idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{1 << 17, 1, 1}, WarpSize: 32}
		g.Footprint, g.Locality = &idg.Footprint{}, []idg.Locality{}
		m := mapped(t, builtin(t, name), g, "global(x):addresses=scattered")
		if got := m.Entry(1).Timing.Latency.String(); got != want {
			t.Errorf("%s: %s cycles, V16 %s", name, got, want)
		}
	}
}

// Reads that are scattered over 32 KiB of an object find them in the L1 of their unit, of 192 KiB on an A100, once each
// unit has brought them; over 1 GiB, of which L1 holds next to nothing, they do not.
func TestScatteredInL1(t *testing.T) {
	for _, c := range []struct {
		name     string
		within   int64
		min, max float64
	}{{"32 KiB", 32 * kib, 0.95, 1}, {"1 GiB", 1 << 30, 0, 0.01}} {
		g := launchOf(t, 32, 100_000, 0, &idg.Footprint{LaunchReadBytes: mib}, seen{space: idg.SpaceGlobal, stride: 4})
		a := g.Access(1)
		a.Offsets, a.Assumed, a.Within = nil, "not known", c.within
		g.Locality = []idg.Locality{}
		m := mapWith(t, "a100", g, Options{ConcurrentGroups: 8, Scattered: true})
		if s := m.Entry(1).Served; s.L1 < c.min*s.Total() || s.L1 > c.max*s.Total() || s.Total() == 0 {
			t.Errorf("%s: served %v", c.name, s)
		}
	}
}

// TestFilled: a read by chance that misses takes all that is fetched with its sector, unless the lane goes on to
// what lies beside; a narrow store fills its sector by what a partial write costs.
func TestFilled(t *testing.T) {
	h, m := &hierarchy{sector: 32}, &Memory{PartialWriteCost: timing(t, "1", "1.5").Latency}
	for _, c := range []struct {
		name  string
		store bool
		as    Addresses
		again float64
		want  Served
	}{
		{"a read", false, Scattered, 0, Served{L2: 25, Memory: 75, Filled: 75}},
		{"a read that goes on", false, Scattered, 0.5, Served{L2: 25, Memory: 75}},
		{"a read of consecutive places", false, Coalesced, 0, Served{L2: 25, Memory: 75}},
		{"a narrow store", true, Scattered, 0, Served{L2: 25, Memory: 75, Filled: 37.5}},
	} {
		u := unknownAccess{in: &idg.Instr{Op: "ld.global"}, a: &idg.Access{Store: c.store, Width: 4}, as: c.as,
			again: c.again}
		if got := h.unknownServed(u, 100, 0.25, 64, m); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestIsSpread: an access is spread where it takes more than its lanes beside each other would.
func TestIsSpread(t *testing.T) {
	m := &Memory{SegmentBytes: 32}
	in := &idg.Instr{Op: "ld.global", Lanes: 32}
	for stride, want := range map[int64]bool{0: false, 4: false, 8: true, 128: true} {
		a := &idg.Access{Space: idg.SpaceGlobal, Width: 4}
		for lane := range int64(32) {
			a.Offsets = append(a.Offsets, stride*lane)
		}
		if got := m.isSpread(in, a); got != want {
			t.Errorf("every %d bytes: %t", stride, got)
		}
	}
	if m.isSpread(in, &idg.Access{Space: idg.SpaceGlobal, Width: 4}) || m.isSpread(in, nil) {
		t.Error("an access that is not known is spread")
	}
}
