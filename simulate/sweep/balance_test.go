package sweep

import (
	"slices"
	"testing"

	"gpupipe/latencies"
	"gpupipe/simulate"
)

// TestLongestFirst holds that the end of a sweep is a permutation of its
// configurations in which the number of resident instructions never grows, and equal
// ones keep their order.
func TestLongestFirst(t *testing.T) {
	s := space(t)
	s.Graphs = append(s.Graphs, kernel(t, "longer", 50, 2, 0))
	p := plan(t, s, Shard{})
	first := p.Len() / 3
	order := p.longestFirst(first)
	sorted := slices.Sorted(slices.Values(order))
	for i, k := range sorted {
		if k != first+i {
			t.Fatalf("configuration %d instead of %d in %v", k, first+i, order)
		}
	}
	if slices.Equal(order, sorted) {
		t.Error("nothing was moved")
	}
	resident := func(k int) float64 {
		c := p.Configuration(k)
		n, _ := p.instructions(&c)
		return n
	}
	for i := 1; i < len(order); i++ {
		before, after := resident(order[i-1]), resident(order[i])
		if before < after || before == after && order[i-1] > order[i] {
			t.Errorf("configuration %d with %v before %d with %v", order[i-1], before, order[i], after)
		}
	}
}

// TestLargeLaunch holds that launches are sampled from LargeLaunch instructions on,
// whether their groups come from the graph or from the configuration.
func TestLargeLaunch(t *testing.T) {
	g := kernel(t, "k", 25, 2, 0) // 100 instructions in a group; 400 groups, 40 for each of ten units
	for groups, large := range map[int64]bool{0: false, 999: false, 1000: true, 1 << 40: true} {
		for _, precision := range []float64{0, 0.005} {
			s := &Space{Graphs: []Graph{g}, Devices: []*latencies.Device{device(t, "gtx1060")},
				Base: simulate.Config{Groups: groups, Precision: precision}}
			c := plan(t, s, Shard{}).Configuration(0)
			want := 0.0
			if large {
				want = precision
			}
			if got := plan(t, s, Shard{}).precision(&c); got != want {
				t.Errorf("%d groups, precision %v: %v, want %v", groups, precision, got, want)
			}
		}
	}
}
