package unroll

import (
	"gpupipe/unroll/trace"
	"testing"
)

// TestRecentLoadsSkip: when enough loads have been added behind those that were
// skipped, the list is the one that adding all gives.
func TestRecentLoadsSkip(t *testing.T) {
	for before := 1; before < 3*maxRecords; before += 7 {
		for _, skipped := range []int{1, 50, maxRecords / 2, maxRecords, 777} {
			var all, some recentLoads
			id := trace.NodeID(0)
			add := func(lists ...*recentLoads) {
				id++
				for _, l := range lists {
					l.add(accessRecord{node: id})
				}
			}
			for range before {
				add(&all, &some)
			}
			for range skipped {
				add(&all)
			}
			some.skip(int64(skipped))
			for range maxRecords {
				add(&all, &some)
			}
			if !some.unasked(&recentLoads{}) {
				t.Fatal("nobody has asked")
			}
			got, want := some.all(), all.all()
			if some.count != all.count || len(got) != len(want) {
				t.Fatalf("%d, %d skipped: %d loads of %d, want %d of %d", before, skipped, len(got), some.count,
					len(want), all.count)
			}
			for i := range got {
				if got[i].node != want[i].node {
					t.Fatalf("%d, %d skipped: load %d is %d, want %d", before, skipped, i, got[i].node, want[i].node)
				}
			}
			if some.unasked(&recentLoads{}) {
				t.Fatal("somebody has asked")
			}
		}
	}
}
