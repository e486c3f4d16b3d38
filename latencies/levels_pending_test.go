package latencies

import (
	"math"
	"math/rand/v2"
	"testing"

	"gpupipe/idg"
)

// What 8 warps wait for that execute a load once, worked out by hand. A100: L1 33, L2 202.8, memory 481 cycles.
func TestPending(t *testing.T) {
	global := func(l idg.Locality) seen { return seen{space: idg.SpaceGlobal, stride: 4, l: l} }
	for _, c := range []struct {
		name    string
		a       seen
		latency string
	}{
		{"one of 8 brings it", global(idg.Locality{Group: reuse(128, 28), Cold: 4}), "481"},
		{"half of it is brought", global(idg.Locality{Group: reuse(512, 16), Cold: 16}), "481"},
		{"not in the same turn", global(idg.Locality{Group: reuse(256, 28), Cold: 4}), "89"}, // 33·7/8 + 481/8
		// 6 of 8 the warp has read before; one waits with the one that waits for memory.
		// 33·3/4 + 481/4
		{"a part is the warp's own", global(idg.Locality{Warp: reuse(kib, 24), Group: reuse(128, 4), Cold: 4}), "145"},
		// L2's and memory's in the same proportion.
		// (202.8·3 + 481)/4
		{"from two levels", global(idg.Locality{Group: reuse(128, 16), Groups: earlier(863, 12), Cold: 4}), "272.35"},
		{"nobody brings it", global(idg.Locality{Group: reuse(128, 32)}), "33"},
		// The one before brings half of it: 63% of that is in L2 since the 864 groups before came for it.
		// (481·1.37 + 202.8·0.63)/2
		{"groups apart", global(idg.Locality{Groups: earlier(1, 16), Cold: 16}), "393.2"},
		{"groups in step", global(idg.Locality{Groups: []idg.GroupReuse{{Groups: 1, Sectors: 16, InStep: true}},
			Cold: 16}), "481"},
	} {
		f := &idg.Footprint{ReadBytes: c.a.l.Cold * 32, LaunchReadBytes: 100_000 * c.a.l.Cold * 32}
		m := mapWith(t, "a100", launchOf(t, 32, 100_000, 0, f, c.a), Options{ConcurrentGroups: 8})
		if e := m.Entry(1); e.Timing.Latency != timing(t, "1", c.latency).Latency {
			t.Errorf("%s: Λ = %v, want %s (%s)", c.name, e.Timing.Latency, c.latency, e.Source)
		}
	}
}

// What groups find in L2 because others at the same time request it comes from where the first of
// these gets it. RX 7900 XTX: 6 MiB of L2 and 96 MiB of L3, 208, 376 and 684 cycles; 2 groups of 8 warps on each of 96
// units, 192 at once. All groups read the same.
func TestPendingBetweenGroups(t *testing.T) {
	for _, c := range []struct {
		name    string
		groups  int64
		f       idg.Footprint
		warm    bool
		latency string
		all     bool // groups of the launch, at any time
	}{
		{"192 groups touch 4 MiB", 100 * 192, idg.Footprint{ReadBytes: 4 * mib, LaunchReadBytes: 4 * mib}, false,
			"208", false},
		{"192 groups touch 8 MiB", 100 * 192, idg.Footprint{ReadBytes: 8 * mib, LaunchReadBytes: 8 * mib}, false,
			"376", false},
		{"8 MiB that some group always reads", 100 * 192, idg.Footprint{ReadBytes: 8 * mib, LaunchReadBytes: 8 * mib,
			SharedBytes: 8 * mib}, false, "208", true},
		{"192 groups touch 100 MiB", 100 * 192, idg.Footprint{ReadBytes: 100 * mib, LaunchReadBytes: 100 * mib}, false,
			"684", false},
		{"nobody was before these", 192, idg.Footprint{ReadBytes: kib, LaunchReadBytes: kib}, false, "684", false},
		{"nor before all these", 192, idg.Footprint{ReadBytes: 64 * kib, LaunchReadBytes: 64 * kib,
			SharedBytes: 64 * kib}, false, "684", true},
		{"but a launch that left it", 192, idg.Footprint{ReadBytes: kib, LaunchReadBytes: kib}, true, "208", false},
	} {
		shared := seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Groups: earlier(1, c.f.ReadBytes/32)}}
		if c.all {
			shared.l.Shared = c.f.ReadBytes / 32
		}
		m := mapWith(t, "rx7900xtx", launchThat(t, true, 0, 32, c.groups, 0, &c.f, shared),
			Options{ConcurrentGroups: 2, Warm: c.warm})
		e := m.Entry(1)
		// Some of a sector comes from device memory for each group, as the launch moves it once.
		if got, want := e.Timing.Latency.Float(), timing(t, "1", c.latency).Latency.Float(); math.Abs(got-want) > 10 {
			t.Errorf("%s: Λ = %v, want about %v (%s)", c.name, got, want, e.Source)
		}
		if e.Served.L2 == 0 {
			t.Errorf("%s: served %v: what is moved is what it was", c.name, e.Served)
		}
	}
}

// Two groups on each unit of an A100 that read the same 64 KiB find it in the L1 that they share. Those that begin
// together wait with the first for L2, 202.8 cycles; of those that begin at any time all but the first find it in L1
// at once, 33 cycles.
func TestPendingInL1(t *testing.T) {
	const bytes = 64 * kib
	shared := seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Groups: earlier(1, bytes/32), Shared: bytes / 32}}
	f := idg.Footprint{ReadBytes: bytes, LaunchReadBytes: bytes, SharedBytes: bytes}
	for _, c := range []struct {
		name    string
		groups  int64
		latency float64
	}{{"all begin together", 2 * 108, 202.8}, {"many follow", 200 * 108, 33 + 169.8/200}} {
		m := mapWith(t, "a100", launchOf(t, 32, c.groups, 0, &f, shared), Options{ConcurrentGroups: 2, Warm: true})
		e := m.Entry(1)
		if got := e.Timing.Latency.Float(); math.Abs(got-c.latency) > 2 {
			t.Errorf("%s: Λ = %v, want about %v (%s)", c.name, got, c.latency, e.Source)
		}
		if e.Served.L1 == 0 {
			t.Errorf("%s: served %v: what is moved is what it was", c.name, e.Served)
		}
	}
}

// Of a launch of 16 x 8 x 4 groups of which one touches 1000 bytes, a row 16,000, a plane
// 30,000 and the launch 126,000, worked out by hand.
func TestSinceLast(t *testing.T) {
	launch := func(x, y, z int64) idg.Launch { return idg.Launch{Groups: [3]int64{x, y, z}} }
	known := idg.Footprint{ReadBytes: 600, WrittenBytes: 400, RowBytes: 16_000, PlaneBytes: 30_000,
		LaunchReadBytes: 100_000, LaunchWrittenBytes: 26_000}
	flat, noRow := known, known
	flat.PlaneBytes, noRow.RowBytes = 0, 0
	for _, c := range []struct {
		name     string
		f        idg.Footprint
		launch   idg.Launch
		resident int64
		want     int64
	}{
		{"one", known, launch(16, 8, 4), 1, 1000},
		{"half a row", known, launch(16, 8, 4), 8, 8000},
		{"a row", known, launch(16, 8, 4), 16, 16_000},
		{"4 rows and a half", known, launch(16, 8, 4), 72, 23_000},
		{"a plane", known, launch(16, 8, 4), 128, 30_000},
		{"2 planes", known, launch(16, 8, 4), 256, 62_000},
		{"all", known, launch(16, 8, 4), 512, math.MaxInt64},
		{"a launch of one plane", flat, launch(16, 8, 1), 72, 16_000 + 110_000/2},
		{"a launch of one row", flat, launch(251, 1, 1), 126, 1000 + 125_000/2},
		{"planes of one row", flat, launch(16, 1, 8), 72, 16_000 + 110_000/2},
		{"not known", noRow, launch(16, 8, 4), 72, 0},
		{"nor of a plane", flat, launch(16, 8, 4), 72, 0},
	} {
		if got := sinceLast(&c.f, &c.launch, c.resident); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
}

// The distances within a turn: up to what the class requests in it, without what is requested again.
func TestInTurn(t *testing.T) {
	for _, c := range []struct {
		name    string
		sectors int64
		group   []idg.Reuse
		turns   int64
		want    int
	}{
		{"8 warps, one sector", 8 * 100, reuse(32, 700), 100, 1},
		{"8 warps, 4 sectors", 32 * 100, reuse(128, 2800), 100, 1},
		{"4 rows, each of two warps", 32 * 100, reuse(512, 1600), 100, 1},
		// Rows of 8 warps, of which 7 were another's one row before.
		{"the next row", 32 * 100, reuse(1024, 2800), 100, 0},
		{"both", 32 * 100, []idg.Reuse{{Distance: 128, Sectors: 1600}, {Distance: 2048, Sectors: 800}}, 100, 1},
		{"seldom", 64, reuse(32, 1), 32, 1},
	} {
		l := &idg.Locality{Sectors: c.sectors, Group: c.group}
		if got := inTurn(l, c.turns, 32); got != c.want {
			t.Errorf("%s: %d distances, want %d", c.name, got, c.want)
		}
	}
}

// Warps that read the same lines, each so many times in a row, and begin at any times wait on the average
// as long as pending says, once those behind have caught up: for what the first of them waits
// in one of so many accesses, and for L1 in the others.
func TestPaceOfTheFirst(t *testing.T) {
	const hit, miss, lines = 33.0, 481.0, 400
	r := rand.New(rand.NewPCG(8, 8))
	for range 50 {
		warps, words := 2+r.IntN(15), 1<<r.IntN(5)
		arrived := make([]float64, lines) // when a line is there; 0 = nobody has asked for it
		at, done, waited := make([]float64, warps), make([]int, warps), make([]float64, warps)
		for w := range at {
			at[w] = r.Float64() * 2000
		}
		var sum, n float64
		for range warps * lines * words {
			w := 0 // the next to read
			for v := range at {
				if done[v] < lines*words && (done[w] == lines*words || at[v] < at[w]) {
					w = v
				}
			}
			line := done[w] / words
			end := at[w] + hit
			if arrived[line] == 0 {
				arrived[line] = at[w] + miss
			}
			waited[w] = max(end, arrived[line]) - at[w]
			if line > lines/2 {
				sum, n = sum+waited[w], n+1
			}
			at[w] += waited[w] + 20
			done[w]++
		}
		k := float64(words)
		if got, want := sum/n, miss/k+hit*(k-1)/k; math.Abs(got/want-1) > 0.03 {
			t.Errorf("%d warps, %d accesses of a line: %.1f cycles, want %.1f", warps, words, got, want)
		}
	}
}
