package unroll

import (
	"gpupipe/internal/tools"
	"gpupipe/unroll/trace"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestOrderImplied: with what stores wait for of their own left out, every access still waits for
// every earlier one that may touch the same bytes and of which one is a store, over others,
// whatever list of records; and none is left that another one implies.
func TestOrderImplied(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range tools.Cases(300, 40) {
		var class aliasClass
		var all []accessRecord // since the last clobber
		store := map[trace.NodeID]bool{}
		above := map[trace.NodeID][]trace.NodeID{} // what a node waits for, over others too
		res := &resolver{}
		places := 1 + r.IntN(6)
		for node := trace.NodeID(1); node < 400; node++ {
			rec := accessRecord{node: node, c: 4 * r.Int64N(int64(places)), size: 4 << r.IntN(2)}
			if r.IntN(3) > 0 {
				rec.where = []term{{coef: r.Int64N(3)}}
			}
			var direct []trace.NodeID
			if store[node] = r.IntN(1+places) == 0; store[node] {
				direct = slices.Clone(res.storeOrder(&class, &rec, nil))
			} else {
				direct, _ = class.storesBefore(nil, &rec)
			}
			if !slices.IsSorted(direct) {
				t.Fatalf("node %d waits for %v, not in order", node, direct)
			}
			over := trace.Union(nil, nil)
			for _, d := range direct {
				if store[d] {
					over = trace.Union(over, above[d]) // loads may be swept: nothing is reached over them
				}
			}
			above[node] = trace.Union(over, direct)
			for i := range all {
				a := &all[i]
				if (store[node] || store[a.node]) && !a.disjoint(&rec) && !slices.Contains(above[node], a.node) {
					t.Fatalf("node %d waits for %v, and so for %v, but not for %d", node, direct, above[node], a.node)
				}
			}
			for _, d := range direct {
				if slices.Contains(over, d) {
					t.Fatalf("node %d waits for %v, of which %d is implied", node, direct, d)
				}
			}
			if !store[node] {
				class.loads.add(rec)
				kept := class.loads.list
				all = slices.DeleteFunc(append(all, rec), func(a accessRecord) bool {
					return !store[a.node] && !slices.ContainsFunc(kept, func(l accessRecord) bool {
						return l.node == a.node
					})
				})
				continue
			}
			class.addStore(rec)
			if len(class.stores) == 1 {
				all = all[:0]
			}
			all = append(all, rec)
		}
	}
}
