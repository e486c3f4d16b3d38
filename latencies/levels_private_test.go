package latencies

import (
	"testing"

	"gpupipe/idg"
)

// TestSpilledValues: what each resident work item has in private memory is found where all of it
// fits. 4 groups of 256 work items with 128 bytes each take 128 KiB of an A100's L1, of 192 KiB
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
		bytes int64 // of a work item
		want  Served
	}{
		{128, Served{L1: 32}},
		{256, Served{L1: 15, L2: 17}},
		{1024, Served{Memory: 32}}, // 4 x 108 groups: 108 MiB
	} {
		again := idg.Locality{Warp: []idg.Reuse{{Distance: 256 * c.bytes, Sectors: 32}}}
		g := launchOf(t, 32, 4000, 0, &idg.Footprint{LaunchReadBytes: 4096, ReadBytes: 1024},
			seen{space: idg.SpacePrivate, store: true, stride: 4, l: again}, seen{space: idg.SpacePrivate, stride: 4, l: again})
		g.Resources.SpilledBytes = c.bytes
		got, err := m.MapWith(g, Options{ConcurrentGroups: 4})
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range got.Entries {
			if e.Served != c.want {
				t.Errorf("%d bytes: instruction %d is served by %v, want %v", c.bytes, i, e.Served, c.want)
			}
		}
		if read := got.Traffic.ReadBytes; (read > 1<<20) != (c.want.Memory > 0) {
			t.Errorf("%d bytes: %d read", c.bytes, read)
		}
	}
}
