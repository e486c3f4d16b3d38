package simulate

import (
	"slices"
	"testing"
)

// TestQueueAsMeasured repeats an experiment of Huerta et al. (MICRO 2025, Table 1) in the
// model: a warp on each of two to four sub-cores issues independent loads, which the
// memory takes every two cycles. Each sub-core issues five, one per cycle, and then one
// in as many cycles as the memory needs for all sub-cores. (That a sub-core alone
// issues only one in four cycles, as measured, is not in the model.)
func TestQueueAsMeasured(t *testing.T) {
	for warps := 2; warps <= 4; warps++ {
		f := newFixture(t, warps, "memory")
		d := f.mapping.Device
		d.Partitions, d.IssueLimit, d.Subsystems[0].Queue = 4, cycles(t, "4"), 5
		load := f.class("ld.local", "memory", "2", "24")
		f.begin()
		for range 24 {
			f.builder.Add(load)
		}
		r := f.run(f.graph(1), Config{Profile: true})
		issued := make([][]int64, warps)
		for _, is := range r.Profile.Issues {
			issued[is.Warp] = append(issued[is.Warp], int64(is.Issued)/r.Profile.TicksPerCycle)
		}
		for w, at := range issued {
			if !slices.Equal(at[:5], []int64{0, 1, 2, 3, 4}) {
				t.Errorf("%d warps: warp %d issues its first five loads at %v", warps, w, at[:5])
			}
			for i := 8; i < len(at); i++ {
				if at[i]-at[i-1] != int64(2*warps) {
					t.Errorf("%d warps: warp %d issues load %d %d cycles after the one before, want %d", warps, w, i,
						at[i]-at[i-1], 2*warps)
				}
			}
		}
	}
}

// TestQueueLetsWarpGoOn: behind a burst of loads a warp computes while these wait
// for their turns; without a queue it computes when the last one has begun. Both end
// when the loads do.
func TestQueueLetsWarpGoOn(t *testing.T) {
	computes := func(places int) (issued Tick, end string) {
		f := newFixture(t, 1, "memory", "alu")
		f.mapping.Device.IssueLimit, f.mapping.Device.Subsystems[0].Queue = cycles(t, "1"), places
		load, add := f.class("ld.local", "memory", "10", "30"), f.class("add.f32", "alu", "1", "4")
		f.begin()
		for range 4 {
			f.builder.Add(load)
		}
		f.builder.Add(add)
		r := f.run(f.graph(1), Config{Profile: true, Issue: InOrder})
		last := r.Profile.Issues[4]
		return last.Issued / Tick(r.Profile.TicksPerCycle), r.Cycles.String()
	}
	if at, end := computes(0); at != 31 || end != "60" {
		t.Errorf("without a queue the addition issues at %d, the warp ends at %s", at, end)
	}
	if at, end := computes(5); at != 4 || end != "60" {
		t.Errorf("with a queue the addition issues at %d, the warp ends at %s", at, end)
	}
}
