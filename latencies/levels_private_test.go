package latencies

import (
	"testing"

	"gpupipe/idg"
)

// TestSpilledValues: what each resident work item has in private memory is found where all of it
// fits, and written through L1. 4 groups of 256 work items with 128 bytes each take 128 KiB of an A100's L1, of 192 KiB
// less 1 KiB of reserved local memory for each group; of distances between 32 and 64 KiB those up to 47 fit.
func TestSpilledValues(t *testing.T) {
	d, err := Builtin("a100")
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		bytes         int64 // of a work item
		written, read Served
	}{
		{128, Served{L2: 32}, Served{L1: 32}},
		{256, Served{L2: 32}, Served{L1: 15, L2: 17}},
		{1024, Served{Memory: 32}, Served{Memory: 32}}, // 4 x 108 groups: 108 MiB
	} {
		again := idg.Locality{Warp: []idg.Reuse{{Distance: 256 * c.bytes, Sectors: 32}}}
		g := launchOf(t, 32, 4000, 0, &idg.Footprint{LaunchReadBytes: 4096, ReadBytes: 1024},
			seen{space: idg.SpacePrivate, store: true, stride: 4, l: again},
			seen{space: idg.SpacePrivate, stride: 4, l: again})
		g.Resources.SpilledBytes = c.bytes
		got, err := m.MapWith(g, Options{ConcurrentGroups: 4})
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range got.Entries {
			if want := []Served{c.written, c.read}[i]; e.Served != want {
				t.Errorf("%d bytes: instruction %d is served by %v, want %v", c.bytes, i, e.Served, want)
			}
		}
		if read := got.Traffic.ReadBytes; read != 4096 { // that of buffers: roof adds private memory
			t.Errorf("%d bytes: %d read", c.bytes, read)
		}
	}
}

// TestPrivateArrays: private arrays in memory are where those of all resident work items fit, but
// for stores, which go through L1.
func TestPrivateArrays(t *testing.T) {
	for _, c := range []struct {
		gpu   string
		bytes int64 // of a work item
		want  Served
	}{
		{"gtx1060", 32, Served{L2: 1}},       // 10 x 2048 work items: 640 KiB; L1 serves images alone
		{"gtx1060", 1024, Served{Memory: 1}}, // 20 MiB
		{"a100", 64, Served{L1: 1}},          // 2048 work items: 128 KiB
		// 256 KiB; of distances between 128 and 256 KiB those up to 184 fit beside the reserved local memory
		{"a100", 128, Served{L1: 0.4375, L2: 0.5625}},
		{"a100", 1024, Served{Memory: 1}}, // 216 MiB
		{"mi300x", 256, Served{L3: 1}},    // 152 MiB
	} {
		g := launchOf(t, 32, 40_000, 0, &idg.Footprint{LaunchReadBytes: 4096, ReadBytes: 1024},
			seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Cold: 4}},
			seen{space: idg.SpacePrivate, store: true, stride: 0}, seen{space: idg.SpacePrivate, stride: 0})
		g.Locality = g.Locality[:1]
		g.Resources.PrivateBytes = c.bytes
		m := mapWith(t, c.gpu, g, Options{ConcurrentGroups: 8})
		for i := 2; i <= 3; i++ {
			want := c.want
			if i == 2 { // the store
				want.L1, want.L2 = 0, want.L1+want.L2
			}
			if got := m.Entry(idg.InstrID(i)).Served; got != want {
				t.Errorf("%s, %d bytes: access %d is served by %v, want %v", c.gpu, c.bytes, i, got, want)
			}
		}
	}
}

// TestInterleaved: work items that access different elements of their private arrays access
// different rows of the warp's words.
func TestInterleaved(t *testing.T) {
	for _, c := range []struct {
		stride       int64
		width, lanes int
		sectors      int
	}{
		{0, 4, 32, 4}, {4, 4, 32, 32}, {0, 16, 32, 16}, {0, 1, 32, 4}, {1, 1, 32, 8}, {1, 1, 16, 4}, {0, 8, 16, 4},
	} {
		x, perLane := interleaved(strided(idg.SpacePrivate, c.lanes, 0, c.stride, uint16(c.width)), 32)
		if got := TransactionsBy(x, 32, 0); got != c.sectors || perLane != max(1, c.width/4) {
			t.Errorf("%+v: %d sectors, %d words", c, got, perLane)
		}
	}
}
