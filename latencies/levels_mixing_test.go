package latencies

import (
	"math"
	"testing"

	"gpupipe/idg"
)

// Copies are as fast as measured, and sums of two arrays, which the device files do not use,
// nearer to what was measured than at the rate of reads (gpu-benches at 1c36d50, gpu-stream, the
// last lines of the logs: GB/s of "scale" and "triad"; the H200's copy is this project's, without a sum).
func TestCopies(t *testing.T) {
	for _, c := range []struct {
		gpu       string
		copy, sum float64
	}{{"a40", 652, 653}, {"a100", 1381, 1360}, {"l40", 770, 768}, {"v100", 802, 814}, {"h100", 1704, 1832},
		{"h200", 4244, 0}, {"rx6900xt", 456, 421}} {
		d := builtin(t, c.gpu)
		read := streamGBs(d)
		if got := read / mixing(1, 1, d.Memory.CopyCost); math.Abs(got/c.copy-1) > 0.002 {
			t.Errorf("%s: a copy at %.0f GB/s, measured %v", c.gpu, got, c.copy)
		}
		if got := read / mixing(2, 1, d.Memory.CopyCost); c.sum > 0 && (math.Abs(got/c.sum-1) > 0.1 ||
			math.Abs(got-c.sum) > math.Abs(read-c.sum)) {
			t.Errorf("%s: a sum at %.0f GB/s, measured %v, reads %.0f", c.gpu, got, c.sum, read)
		}
		for _, f := range []float64{mixing(1, 0, d.Memory.CopyCost), mixing(0, 1, d.Memory.CopyCost),
			mixing(0, 0, d.Memory.CopyCost), mixing(1, 1, Cycles{})} {
			if f != 1 {
				t.Errorf("%s: one direction, nothing, or no figure: %v", c.gpu, f)
			}
		}
	}
}

// The launch's reads and writes decide, whichever access asks: both of a copy take longer.
func TestMixedLaunch(t *testing.T) {
	g := idg.SpaceGlobal
	f := &idg.Footprint{LaunchReadBytes: 1000 * 128, LaunchWrittenBytes: 1000 * 128}
	load, store := seen{space: g, stride: 4, l: idg.Locality{Cold: 4}},
		seen{space: g, store: true, stride: 4, l: idg.Locality{Cold: 4}}
	copying := mapWith(t, "a100", launchOf(t, 32, 1080, 0, f, load, store), Options{ConcurrentGroups: 8})
	reading := mapWith(t, "a100", launchOf(t, 32, 1080, 0, &idg.Footprint{LaunchReadBytes: 2000 * 128}, load, load),
		Options{ConcurrentGroups: 8})
	for id := idg.InstrID(1); id <= 2; id++ {
		if got, want := copying.Entry(id).Timing.CPI.Float(),
			1.079*reading.Entry(id).Timing.CPI.Float(); math.Abs(got-want) > 0.01 {
			t.Errorf("access %d of a copy: λ = %v, want %v", id, got, want)
		}
	}
}
