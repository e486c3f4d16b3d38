package latencies

import (
	"math"
	"testing"

	"gpupipe/idg"
)

// Sweeps over memory, measured on an H100: of 262,144 groups' 256 MB, eight times (by a remainder, so that no group is
// known to have touched the same), all comes from device memory each time; of a sector of each of 393,216 lines, eight
// times, 182.7 MB do, as L2 keeps lines and device memory fetches 64 bytes (lines of which one sector is read are
// kept a little longer than the whole ones that the figures of residency are of); of 196,608 lines 12.6 MB. A V100 has
// lines of 64 bytes (J18 T.3.1): 6 MB of them, not of the sectors.
func TestSweeps(t *testing.T) {
	lines := func(n int64) *idg.Footprint {
		return &idg.Footprint{ReadBytes: 8192, LaunchReadBytes: 32 * n, RowBytes: 32 * n, LineBytes: 128 * n,
			PairBytes: 64 * n}
	}
	stored := *lines(166400)
	stored.WrittenBytes, stored.LaunchWrittenBytes = 1024, 1024*8*650
	for _, c := range []struct {
		name   string
		gpu    string
		groups [3]int64
		f      *idg.Footprint
		l      idg.Locality
		read   float64 // MB
	}{
		{"by a remainder", "h100sxm", [3]int64{8 << 18, 1, 1}, &idg.Footprint{ReadBytes: 1024, LaunchReadBytes: 1 << 28},
			idg.Locality{Sectors: 32, Cold: 32}, 2147.5},
		{"393,216 lines", "h100sxm", [3]int64{1536, 8, 1}, lines(393216), idg.Locality{Sectors: 256,
			Groups: []idg.GroupReuse{{Groups: 1536, Sectors: 256}}}, 182.7},
		{"196,608 lines", "h100sxm", [3]int64{768, 8, 1}, lines(196608), idg.Locality{Sectors: 256,
			Groups: []idg.GroupReuse{{Groups: 768, Sectors: 256}}}, 12.6},
		{"166,400 lines", "v100", [3]int64{650, 8, 1}, &stored, idg.Locality{Sectors: 256,
			Groups: []idg.GroupReuse{{Groups: 650, Sectors: 256}}}, 42.6},
	} {
		stride := int64(4)
		if c.l.Sectors == 256 {
			stride = 128
		}
		g := accessing(t, "ld.global", *strided(idg.SpaceGlobal, 32, 0, stride, 4))
		g.Launch = idg.Launch{Local: [3]int64{256, 1, 1}, Groups: c.groups, WarpSize: 32}
		c.l.Instr = 1
		g.Footprint, g.Locality = c.f, []idg.Locality{c.l}
		m := mapped(t, builtin(t, c.gpu), g)
		if got := float64(m.Traffic.ReadBytes) / 1e6; math.Abs(got-c.read) > 0.11*c.read {
			t.Errorf("%s: %.1f MB read, want %.1f", c.name, got, c.read)
		}
	}
}
