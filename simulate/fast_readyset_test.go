package simulate

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestReadySets compares the bitmaps with a sorted list.
func TestReadySets(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, nodes := range []int{1, 64, 65, 5000, 300_000} {
		var sets readySets
		sets.init(2, nodes)
		in := map[uint32]bool{}
		for range 2000 {
			if v := uint32(r.IntN(nodes)); !in[v] && r.IntN(5) > 1 {
				in[v] = true
				sets.add(1, v)
			} else if len(in) > 0 {
				first := sets.heads[1].first.node()
				delete(in, first)
				if last := sets.pop(newReadyKey(first, 1)); last != (len(in) == 0) {
					t.Fatalf("%d nodes: empty is %t with %d left", nodes, last, len(in))
				}
			}
			want := noNode
			for v := range in {
				want = min(want, v)
			}
			if sets.heads[1].first != newReadyKey(want, 1) || sets.heads[0].first != newReadyKey(noNode, 0) {
				t.Fatalf("%d nodes: first is %d, want %d", nodes, sets.heads[1].first.node(), want)
			}
		}
		gone := uint32(0)
		for _, v := range slices.Sorted(maps.Keys(in)) { // what slides stays in its order
			words := (v - gone) / 64
			sets.slide(int(words), nodes)
			gone += 64 * words
			if sets.heads[1].first != newReadyKey(v-gone, 1) {
				t.Fatalf("%d nodes: first is %d, want %d", nodes, sets.heads[1].first.node(), v-gone)
			}
			sets.pop(newReadyKey(v-gone, 1))
		}
	}
}
