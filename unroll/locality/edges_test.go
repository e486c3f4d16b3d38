package locality

import (
	"math/rand/v2"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
)

// guarded is a random kernel whose work items return early outside of the data, which end in the last group of each
// dimension, or less than some elements from their border; the others read around them.
func guarded(r *rand.Rand) *kernel {
	k := &kernel{launch: idg.Launch{WarpSize: 1 + r.IntN(8)}}
	var data, radius [3]int64
	for d := range 3 {
		local, groups := 2+r.Int64N(3), 1+r.Int64N(6-int64(d))
		radius[d] = r.Int64N(local)
		data[d] = (groups-1)*local + radius[d] + 1 + r.Int64N(local-radius[d])
		k.launch.Local[d], k.launch.Groups[d] = local, groups
	}
	at := func(x [3]int64) int64 { return 4 * (x[0] + data[0]*(x[1]+data[1]*x[2])) }
	inside := func(x [3]int64) bool {
		for d := range 3 {
			if x[d] < radius[d] || x[d] >= data[d]-radius[d] {
				return false
			}
		}
		return true
	}
	var steps [][3]int64
	for range 1 + r.IntN(6) {
		var s [3]int64
		for d := range 3 {
			s[d] = r.Int64N(2*radius[d]+1) - radius[d]
		}
		steps = append(steps, s)
	}
	k.run = func(l *lanes) {
		for i, s := range steps {
			l.access(idg.InstrID(i+1), 1, 4, true, false, func(x item) (int64, bool) {
				g := x.global
				return at([3]int64{g[0] + s[0], g[1] + s[1], g[2] + s[2]}), inside(g)
			})
		}
		l.access(20, 2, 4, false, true, func(x item) (int64, bool) { return at(x.global), inside(x.global) })
	}
	return k
}

// What a launch touches of which the groups at the edges do less is exact.
func TestGuardsAgainstEveryGroup(t *testing.T) {
	estimated, apart := 0, 0
	for seed := range uint64(tools.Cases(400, 80)) {
		k := guarded(rand.New(rand.NewPCG(seed, 3)))
		k.sector = sectorOf(seed)
		in := k.input()
		got := verified(t, k, in).Footprint
		_, want := slow(k, in)
		if got.LaunchReadBytes != want.LaunchReadBytes || got.LaunchWrittenBytes != want.LaunchWrittenBytes {
			t.Errorf("seed %d, groups %v: %d bytes are read and %d written, want %d and %d", seed, k.launch.Groups,
				got.LaunchReadBytes, got.LaunchWrittenBytes, want.LaunchReadBytes, want.LaunchWrittenBytes)
		}
		if got.Estimated {
			estimated++
		}
		if n := k.launch.Groups; n[0] > 3 && n[1] > 3 {
			apart++
		}
	}
	if estimated < tools.Cases(300, 60) || apart < tools.Cases(50, 10) {
		t.Errorf("only %d launches are large, and %d of these have groups between the edges", estimated, apart)
	}
}
