package latencies

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"gpupipe/idg"
)

// tiles is the sectors that each of rows x columns groups touches that compute one tile of each of down x across
// super-tiles in turn: with each tile a row and a column of blocks of so many sectors, of which the groups beside it
// and those above it read the same; then, if private is given, so many sectors that no other group has, every time.
func tiles(rows, columns, down, across, block, private int) []groupTrace {
	groups := make([]groupTrace, rows*columns)
	for g := range groups {
		for tile := range down * across {
			row, column := tile/across*rows+g/columns, down*rows+tile%across*columns+g%columns
			for x := range block {
				groups[g] = append(groups[g], -1-row*block-x, -1-column*block-x)
			}
			for x := range private {
				groups[g] = append(groups[g], g*private+x)
			}
		}
	}
	return groups
}

// reuses counts what a group touches again by distance, rounded up as in a graph, and for the first time; rows and
// columns are two classes.
func (t groupTrace) reuses() (classes [2]idg.Locality) {
	var own lru
	byDistance := [2]map[int64]int64{{}, {}}
	for at, x := range t {
		d := own.touch(0, x)
		if d == 0 {
			classes[at%2].Cold++
			continue
		}
		byDistance[at%2][1<<bits.Len64(uint64(d-1))]++
	}
	for i := range classes {
		for d := int64(1); d <= 1<<40; d *= 2 {
			if byDistance[i][d] > 0 {
				classes[i].Warp = append(classes[i].Warp, idg.Reuse{Distance: d, Sectors: byDistance[i][d]})
			}
		}
	}
	return classes
}

// inStep counts what groups that take turns do not find in a cache of so many sectors.
func inStep(groups []groupTrace, capacity int64) (missed int) {
	var cache lru
	for at := range groups[0] {
		for g, t := range groups {
			if d := cache.touch(g, t[at]); d == 0 || d > capacity {
				missed++
			}
		}
	}
	return missed
}

// Groups that are all resident bring what they share once for all, when they read it first and whenever they read it
// again, as a list of a cache's sectors shows; what no other group reads, each brings itself. What is
// read again and shared is never more than claimed, and it was claimed that each group brings it.
func TestAgainAgainstList(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var claimed, found, before float64
	for n := range 200 {
		rows, columns := 1+r.IntN(4), 1+r.IntN(4)
		block, private := 4+r.IntN(12), 0
		if n%4 == 0 {
			rows, columns, block, private = 1+r.IntN(8), 1, 0, 2*(10+r.IntN(10))
		}
		groups := tiles(rows, columns, 1+r.IntN(3), 1+r.IntN(3), block, private)
		count := len(groups)
		if count < 2 {
			continue
		}
		distinct := [2]map[int]bool{{}, {}}
		for _, trace := range groups {
			for at, x := range trace {
				distinct[at%2][x] = true
			}
		}
		classes, launch := groups[count/2].reuses(), int64(len(distinct[0])+len(distinct[1]))
		capacity := int64(2*count) + r.Int64N(launch)
		h := hierarchy{
			own: classes[0].Cold + classes[1].Cold, perUnit: 1, resident: int64(count),
			atWork: UnitsAtWork{Groups: int64(count)},
			l2:     capacity, l2Timing: Timing{CPI: WholeCycles(1)}, launch: launch, inFlight: launch,
		}
		var without, with Served
		for i := range classes {
			l, brought := &classes[i], float64(len(distinct[i]))/float64(count)
			s, again := Served{L2: float64(l.Cold) - brought, Memory: brought}, h.touchedAgain(l, false)
			beyond := h.sharedAgain(reading, l, again)
			got, _ := h.meetAgain(s.plus(again.less(beyond)), l, beyond)
			without, with = without.plus(s).plus(again), with.plus(got)
		}
		if math.Abs(with.Total()-float64(len(groups[0]))) > 1e-6 {
			t.Fatalf("%d: %v of %d sectors", n, with.Total(), len(groups[0]))
		}
		missed := float64(inStep(groups, capacity)) / float64(count)
		if with.Memory < missed-1e-6 {
			t.Errorf("%d: %d x %d groups, blocks of %d and %d: %.2f sectors a group from memory, %.2f expected", n,
				rows, columns, block, private, missed, with.Memory)
		}
		if private > 0 && with != without {
			t.Errorf("%d: what no other group reads is served %+v, want %+v", n, with, without)
		}
		claimed, found, before = claimed+with.Memory, found+missed, before+without.Memory
	}
	t.Logf("%.0f from memory, %.0f expected, %.0f if each group brings what it reads again", found, claimed, before)
	if claimed > 2*found {
		t.Errorf("%.0f from memory, %.0f expected", found, claimed)
	}
}

// What is read again beyond L2: 128 groups at once read 3 MB each, 1.5 MB of it once more, of 24 MB that 16 share;
// the first touches that memory serves are a sixteenth, and so are the others. With a second wave of groups nothing is
// known.
func TestAgainMet(t *testing.T) {
	for _, c := range []struct {
		name   string
		groups int64
		want   float64 // sectors from memory
	}{
		{"all at once", 108, 1.5},
		{"two waves", 216, 1 + 8},
	} {
		const first, again = 16, 8
		f := &idg.Footprint{ReadBytes: first << 20, LaunchReadBytes: c.groups << 20}
		l := idg.Locality{Cold: first << 15, Warp: []idg.Reuse{{Distance: 4 << 20, Sectors: again << 15}}}
		m := mapWith(t, "a100", launchOf(t, 32, c.groups, 0, f, seen{space: idg.SpaceGlobal, stride: 4, l: l}),
			Options{ConcurrentGroups: 1})
		if s := m.Entry(1).Served; s.Memory/(1<<15) != c.want || s.Total() != (first+again)<<15 {
			t.Errorf("%s: served %+v, want %v MiB from memory", c.name, s, c.want)
		}
	}
}
