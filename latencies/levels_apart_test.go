package latencies

import (
	"testing"

	"gpupipe/idg"
)

// What lies between a group and one of an earlier row, worked out by hand: 100 rows of 100
// groups, each of which reads 64 KiB, as a matrix product does: a row of groups reads 100 · 32 KiB of
// one factor and 32 KiB of the other, all of them 100 · 32 KiB of each. A group adds 655 bytes to the
// launch on the average, but 3.2 MiB of the first factor lie between one row of groups and the next.
func TestSinceGroup(t *testing.T) {
	product := idg.Footprint{ReadBytes: 64 * kib, RowBytes: 101 * 32 * kib, LaunchReadBytes: 200 * 32 * kib}
	noRow := product
	noRow.RowBytes = 0
	for _, c := range []struct {
		name   string
		f      idg.Footprint
		gpu    string
		back   int64
		memory bool
	}{
		{"3.2 MiB exceed 1.5 MiB of L2", product, "gtx1060", 100, true},
		{"6 MiB hold them", product, "v100", 100, false},
		{"the row is not known: 64 kB", noRow, "gtx1060", 100, false},
	} {
		s := seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Groups: earlier(c.back, 2048)}}
		g := launchOf(t, 32, 10_000, 0, &c.f, s)
		g.Launch.Groups = [3]int64{100, 100, 1}
		m := mapWith(t, c.gpu, g, Options{ConcurrentGroups: 1})
		// The launch's first touches come from memory in any case.
		if got := m.Entry(1).Served; got.Memory+got.L2 != 2048 || c.memory && got.Memory < 2048 ||
			!c.memory && got.Memory > 40 {
			t.Errorf("%s: served %+v", c.name, got)
		}
	}
}

// What groups touch while one of them runs, of launches of several rows too, is no less than what they do.
func TestInFlight(t *testing.T) {
	f := &idg.Footprint{ReadBytes: 64 * kib, RowBytes: 101 * 32 * kib, LaunchReadBytes: 200 * 32 * kib}
	s := seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Cold: 1024, Group: reuse(64*kib, 1024)}}
	g := launchOf(t, 32, 10_000, 0, f, s)
	g.Launch.Groups = [3]int64{100, 100, 1}
	// 10 units: 21 groups of a row touch 64 KiB and 20·(3,232-64)/99 KiB = 704 KiB; 10 times 64 KiB are less.
	h := newHierarchy(builtin(t, "gtx1060"), g, Options{ConcurrentGroups: 1, ComputeUnits: 10}, nil, nil)
	if want := int64(64*kib) + 20*3168*kib/99; h.inFlight != want {
		t.Errorf("%d bytes while a group runs, want %d", h.inFlight, want)
	}
}
