package locality

import (
	"math/rand/v2"
	"testing"
)

// TestTable: a sector has been touched by a warp, of as many as a group may have, if and only if it was marked.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for _, warps := range []int{1, 64, 65, 200} {
		type touch struct {
			buffer BufferID
			sector int64
			warp   int
		}
		tab, before := newTable(warps), map[touch]bool{}
		for range 5000 {
			x := touch{BufferID(1 + r.IntN(2)), r.Int64N(300) - 150, r.IntN(warps)}
			p, i := tab.at(x.buffer, x.sector)
			if q, k := tab.find(x.buffer, x.sector); q != p || k != i {
				t.Fatalf("sector %d is at %d of one page and at %d of another", x.sector, i, k)
			}
			if got := tab.mark(p, i, x.warp); got != before[x] {
				t.Fatalf("%d warps: %+v: marked %t, want %t", warps, x, got, before[x])
			}
			before[x] = true
			for x.warp = range warps {
				if got := tab.warps(p, i)[x.warp/64]>>(x.warp%64)&1 == 1; got != before[x] {
					t.Fatalf("%d warps: %+v: touched %t, want %t", warps, x, got, before[x])
				}
			}
		}
	}
}
