package registers

import (
	"testing"

	"gpupipe/idg/idgtest"
)

// TestCondensed: of a program of which rolled loops have some iterations only, no more values
// are alive at once than of the whole.
func TestCondensed(t *testing.T) {
	shortened := 0
	for seed := range uint64(100) {
		g := idgtest.Random{Seed: seed, Lines: 40, Depth: 2, Trips: func() int {
			return 4 + int(seed%9)
		}, Ops: idgtest.Everything, AnyEdges: true}.Graph(t)
		c, p := ClassesOf(g), g.Programs()[0]
		full, err := p.Expanded(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		a, b := c.Condensed(p, c.Rolled(p)), &Live{Classes: c, Flat: c.merged(full)}
		if a.Len() < b.Len() {
			shortened++
		}
		if x, y := a.peak(a.resolved()), b.peak(b.resolved()); x > y {
			t.Errorf("seed %d: %d registers condensed, %d expanded", seed, x, y)
		}
	}
	if shortened < 50 {
		t.Errorf("%d programs were shortened, want at least 50", shortened)
	}
}
