package locality

import (
	"math/rand/v2"
	"slices"
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

// A dimension is divided into stretches that follow each other, each with a group of its own for them; one between the
// edges has a neighbour before it in its stretch, as the analysed group has where it stands for them.
func TestDividedAtEdges(t *testing.T) {
	for n := int64(1); n < 9; n++ {
		for own := range n {
			end := int64(0)
			for _, s := range dividedAtEdges(n, own) {
				if s.from != end || s.group < s.from || s.group >= s.end || s.end > s.from+1 && s.group == s.from {
					t.Errorf("%d groups, the analysed one %d: %v behind %d", n, own, s, end)
				}
				if n > 3 && own > 1 && own < n-1 && s.from == 1 && s.group != own {
					t.Errorf("%d groups, the analysed one %d: %v", n, own, s)
				}
				end = s.end
			}
			if end != n {
				t.Errorf("%d groups, the analysed one %d: they end at %d", n, own, end)
			}
		}
	}
}

// Where a launch touches too many pieces, some groups of a dimension stand for all, and for those of the dimensions
// behind it, apart from them as long as these move by no less than what all touch.
func TestSomeGroupsStandForAll(t *testing.T) {
	var pieces set
	for i := range int64(maxSpans/2 + 1) {
		pieces = append(pieces, span{16 * i, 16*i + 4})
	}
	whole := 16 * int64(len(pieces))
	for _, c := range []struct {
		second int64
		want   copies
	}{{8 * whole, copies{24, 2, true}}, {8*whole - 64, copies{24, 2, false}}, {0, copies{8, 2, true}}} {
		a := &analysis{Input: &Input{Launch: idg.Launch{Groups: [3]int64{8, 3, 1}}}}
		m := &movement{}
		m.step = [3]int64{whole, c.second}
		// The step of the second dimension is the greater one: the first comes first.
		s, got := a.everywhere(m, 2, slices.Clone(pieces))
		if got != c.want || len(s) != 2*len(pieces) || extent(s) != 2*whole-12 {
			t.Errorf("step %d: %v, %d pieces of %d bytes, want %v", c.second, got, len(s), extent(s), c.want)
		}
		// In sum that is exact if nothing of it meets, in whatever order the movements come.
		a.sector, a.own = 4, &group{}
		a.own.buffers = []BufferID{1}
		m.buffer, m.all = 1, pieces
		few := movement{way: way{1, [3]int64{4, 0, 0}}, all: set{{0, 4}}}
		for _, list := range [][]movement{{*m, few}, {few, *m}} {
			total, exact := a.launchBytes(&translation{movements: list}, 2, func(m *movement) set { return m.all })
			if want := 4*int64(len(pieces))*c.want.n + 4*8; total.sectors != want || exact != c.want.apart {
				t.Errorf("step %d: %d bytes, exact %v, want %d", c.second, total.sectors, exact, want)
			}
		}
	}
}
